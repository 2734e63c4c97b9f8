//===- Types.cpp - Type predicates and traits of the text dialects --------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/Types.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

static bool isInteger(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  switch (integer.getWidth()) {
  case 2:
  case 4:
  case 8:
  case 16:
  case 32:
  case 64:
    return true;
  default:
    return false;
  }
}

static bool isPred(Type type) { return type.isSignlessInteger(1); }
static bool isQuantized(Type type) { return isa<quant::QuantizedType>(type); }
static bool isFloat(Type type) {
  return isa<FloatType>(type) || isQuantized(type);
}
static bool isComplex(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex &&
         (complex.getElementType().isF32() || complex.getElementType().isF64());
}

bool isElementType(Type type) {
  return isInteger(type) || isPred(type) || isFloat(type) || isComplex(type) ||
         isa<IndexType>(type);
}

static bool isTensorOf(Type type, llvm::function_ref<bool(Type)> predicate) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && predicate(tensor.getElementType());
}

bool isTensor(Type type) { return isTensorOf(type, isElementType); }
bool isIntTensor(Type type) {
  return isTensorOf(type,
                    [](Type t) { return isInteger(t) || isa<IndexType>(t); });
}
bool isPredTensor(Type type) { return isTensorOf(type, isPred); }
bool isBitsTensor(Type type) {
  return isTensorOf(type, [](Type t) { return isInteger(t) || isPred(t); });
}
bool isFloatTensor(Type type) { return isTensorOf(type, isFloat); }
bool isComplexTensor(Type type) { return isTensorOf(type, isComplex); }
bool isFloatOrComplexTensor(Type type) {
  return isTensorOf(type, [](Type t) { return isFloat(t) || isComplex(t); });
}
bool isQuantizedTensor(Type type) { return isTensorOf(type, isQuantized); }
bool isDimsTensor(Type type) {
  return isIntTensor(type) && cast<RankedTensorType>(type).getRank() == 1;
}
bool isScalar(Type type) {
  return isTensor(type) && cast<RankedTensorType>(type).getRank() == 0;
}
bool isScalarInt(Type type) { return isScalar(type) && isIntTensor(type); }
bool isTuple(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return tuple && llvm::all_of(tuple.getTypes(), isValue);
}
bool isValue(Type type) {
  if (isTensor(type) || isTuple(type))
    return true;
  if (auto buffer = dyn_cast<MemRefType>(type))
    return isElementType(buffer.getElementType());
  return type.getDialect().getNamespace() == "stablehlo";
}

//===----------------------------------------------------------------------===//
// Compatibility
//===----------------------------------------------------------------------===//

Type getExpressedType(Type elementType) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType))
    return quantized.getExpressedType();
  return elementType;
}

bool areShapesCompatible(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (x != y && !ShapedType::isDynamic(x) && !ShapedType::isDynamic(y))
      return false;
  return true;
}

bool areTypesCompatible(Type a, Type b) {
  auto x = dyn_cast<RankedTensorType>(a);
  auto y = dyn_cast<RankedTensorType>(b);
  if (!x || !y)
    return a == b;
  return areShapesCompatible(x.getShape(), y.getShape()) &&
         getExpressedType(x.getElementType()) ==
             getExpressedType(y.getElementType());
}

//===----------------------------------------------------------------------===//
// Helpers of verifiers
//===----------------------------------------------------------------------===//

LogicalResult verifyDims(Operation *op, StringRef what, ArrayRef<int64_t> dims,
                         int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << what << " has dimension " << dim
                               << ", outside of rank " << rank;
    if (seen.test(dim))
      return op->emitOpError() << what << " has dimension " << dim << " twice";
    seen.set(dim);
  }
  return success();
}

LogicalResult verifyCount(Operation *op, StringRef what, int64_t count,
                          int64_t rank) {
  if (count == rank)
    return success();
  return op->emitOpError() << what << " has " << count << " entries for "
                           << rank << " dimensions";
}

LogicalResult verifyResultShape(Operation *op, ArrayRef<int64_t> expected,
                                unsigned result) {
  auto type = cast<RankedTensorType>(op->getResult(result).getType());
  if (areShapesCompatible(type.getShape(), expected))
    return success();
  return op->emitOpError() << "has result type " << type
                           << ", but its operands and attributes give "
                           << RankedTensorType::get(expected,
                                                    type.getElementType());
}

LogicalResult verifyRegion(Operation *op, StringRef what, Region &region,
                           unsigned numArguments, unsigned numResults) {
  if (region.getNumArguments() != numArguments)
    return op->emitOpError() << what << " has " << region.getNumArguments()
                             << " arguments, expected " << numArguments;
  Block &block = region.front();
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
    return op->emitOpError() << what << " does not end in a return";
  if (block.back().getNumOperands() != numResults) {
    auto diag = op->emitOpError()
                << what << " returns " << block.back().getNumOperands()
                << " values, expected " << numResults;
    diag.attachNote(block.back().getLoc()) << "returned here";
    return diag;
  }
  return success();
}

static LogicalResult verifyTensors(
    Operation *op, StringRef what,
    llvm::function_ref<bool(RankedTensorType, RankedTensorType)> agree) {
  RankedTensorType first;
  auto verify = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (!first)
      first = tensor;
    else if (!agree(first, tensor))
      return op->emitOpError()
             << "requires the same " << what << " everywhere, got " << first
             << " and " << tensor;
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(verify(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verify(type)))
      return failure();
  return success();
}

LogicalResult verifySameType(Operation *op) {
  return verifyTensors(op, "type", [](RankedTensorType a, RankedTensorType b) {
    return areTypesCompatible(a, b);
  });
}

LogicalResult verifySameShape(Operation *op) {
  return verifyTensors(op, "shape", [](RankedTensorType a, RankedTensorType b) {
    return areShapesCompatible(a.getShape(), b.getShape());
  });
}

LogicalResult verifySameElement(Operation *op) {
  return verifyTensors(op, "element type",
                       [](RankedTensorType a, RankedTensorType b) {
                         return getExpressedType(a.getElementType()) ==
                                getExpressedType(b.getElementType());
                       });
}

LogicalResult verifyPairwise(Operation *op) {
  if (op->getNumOperands() != op->getNumResults())
    return op->emitOpError()
           << "has " << op->getNumOperands() << " operands but "
           << op->getNumResults() << " results";
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperandTypes(), op->getResultTypes()))
    if (!areTypesCompatible(operand, result))
      return op->emitOpError()
             << "has result type " << result << " for operand type " << operand;
  return success();
}

} // namespace partita::io
