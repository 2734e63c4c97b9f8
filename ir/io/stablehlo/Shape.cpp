//===- Shape.cpp - StableHLO: shapes and data movement --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Shape.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Shape.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Shape.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

// `constant {attributes} dense<…>`, or, where value and result differ in type
// (quantized constants), `constant() {value = …} : () -> type`.
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen())) {
    Type type;
    if (parser.parseRParen())
      return failure();
    if (succeeded(parser.parseOptionalLess())) {
      if (parser.parseOptionalAttrDict(result.attributes) ||
          parser.parseGreater())
        return failure();
    }
    if (parser.parseOptionalAttrDict(result.attributes) ||
        parser.parseColonType(type))
      return failure();
    auto function = dyn_cast<FunctionType>(type);
    result.addTypes(function ? function.getResults() : TypeRange(type));
    return success();
  }
  ElementsAttr value;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  value = dyn_cast<ElementsAttr>(attribute);
  if (!value)
    return parser.emitError(loc)
           << "expected dense elements with a tensor type, got " << attribute;
  result.addAttribute(getValueAttrName(result.name), value);
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() != getOutput().getType()) {
    printer << "()";
    printer.printOptionalAttrDict((*this)->getAttrs());
    printer << " : ";
    printer.printFunctionalType(*this);
    return;
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << ' ' << getValue();
}

LogicalResult ConstantOp::verify() {
  auto type = cast<ShapedType>(getValue().getType());
  if (io::areShapesCompatible(type.getShape(),
                              getOutput().getType().getShape()))
    return success();
  return emitOpError() << "has a value of type " << type << " for result type "
                       << getOutput().getType();
}

//===----------------------------------------------------------------------===//
// Static shapes
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  int64_t dim = getIotaDimension();
  return io::verifyDims(*this, "dim", dim, getOutput().getType().getRank());
}

LogicalResult BroadcastInDimOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getResult().getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  if (failed(io::verifyCount(*this, "dims", dims.size(), from.getRank())) ||
      failed(io::verifyDims(*this, "dims", dims, to.getRank())))
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t size = from.getDimSize(i), target = to.getDimSize(dim);
    if (size != 1 && size != target && !ShapedType::isDynamic(size) &&
        !ShapedType::isDynamic(target))
      return emitOpError() << "cannot broadcast dimension " << i << " of size "
                           << size << " to dimension " << dim << " of size "
                           << target;
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getResult().getType();
  if (!from.hasStaticShape() || !to.hasStaticShape() ||
      from.getNumElements() == to.getNumElements())
    return success();
  return emitOpError() << "cannot reshape " << from << " with "
                       << from.getNumElements() << " elements to " << to
                       << " with " << to.getNumElements();
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getResult().getType();
  if (std::abs(from.getRank() - to.getRank()) > 1)
    return emitOpError() << "cannot cast " << from << " to " << to
                         << ": ranks may differ by one at most";
  return success();
}

LogicalResult TransposeOp::verify() {
  RankedTensorType from = getOperand().getType();
  ArrayRef<int64_t> permutation = getPermutation();
  if (failed(
          io::verifyCount(*this, "dims", permutation.size(), from.getRank())) ||
      failed(io::verifyDims(*this, "dims", permutation, from.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(from.getDimSize(dim));
  return io::verifyResultShape(*this, shape);
}

LogicalResult ReverseOp::verify() {
  return io::verifyDims(*this, "dims", getDimensions(),
                        getOperand().getType().getRank());
}

LogicalResult SliceOp::verify() {
  RankedTensorType from = getOperand().getType();
  int64_t rank = from.getRank();
  if (failed(io::verifyCount(*this, "start", getStartIndices().size(), rank)) ||
      failed(io::verifyCount(*this, "limit", getLimitIndices().size(), rank)) ||
      failed(io::verifyCount(*this, "stride", getStrides().size(), rank)))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t start = getStartIndices()[dim], limit = getLimitIndices()[dim],
            stride = getStrides()[dim], size = from.getDimSize(dim);
    if (start < 0 || limit < start || stride < 1 ||
        (!ShapedType::isDynamic(size) && limit > size))
      return emitOpError() << "cannot take [" << start << ':' << limit << ':'
                           << stride << "] of dimension " << dim << " of size "
                           << size;
    shape.push_back((limit - start + stride - 1) / stride);
  }
  return io::verifyResultShape(*this, shape);
}

LogicalResult PadOp::verify() {
  RankedTensorType from = getOperand().getType();
  int64_t rank = from.getRank();
  if (failed(io::verifyCount(*this, "low", getEdgePaddingLow().size(), rank)) ||
      failed(
          io::verifyCount(*this, "high", getEdgePaddingHigh().size(), rank)) ||
      failed(io::verifyCount(*this, "interior", getInteriorPadding().size(),
                             rank)))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = from.getDimSize(dim), interior = getInteriorPadding()[dim];
    if (interior < 0)
      return emitOpError() << "has interior padding " << interior
                           << " in dimension " << dim;
    if (ShapedType::isDynamic(size)) {
      shape.push_back(size);
      continue;
    }
    int64_t padded = getEdgePaddingLow()[dim] + size +
                     std::max<int64_t>(size - 1, 0) * interior +
                     getEdgePaddingHigh()[dim];
    if (padded < 0)
      return emitOpError() << "leaves a negative size " << padded
                           << " of dimension " << dim;
    shape.push_back(padded);
  }
  return io::verifyResultShape(*this, shape);
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "has no operand";
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  int64_t dim = getDimension();
  if (failed(io::verifyDims(*this, "dim", dim, first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (Type type : getInputs().getTypes()) {
    SmallVector<int64_t> other(cast<RankedTensorType>(type).getShape());
    if (static_cast<int64_t>(other.size()) != first.getRank())
      return emitOpError() << "cannot join " << type << " to " << first;
    int64_t size = std::exchange(other[dim], first.getDimSize(dim));
    if (!io::areShapesCompatible(other, first.getShape()))
      return emitOpError() << "cannot join " << type << " to " << first
                           << " along dimension " << dim;
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[dim]))
      shape[dim] = ShapedType::kDynamic;
    else
      shape[dim] += size;
  }
  return io::verifyResultShape(*this, shape);
}

} // namespace partita::stablehlo
