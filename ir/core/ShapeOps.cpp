//===- ShapeOps.cpp - Constants, and ops that move elements -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"
#include "ir/core/Types.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

/// The rule of an op whose operands and result have the same dimensions, except
/// that the touched ones must not be split. Scalar operands carry no factor.
static IndexRule makeRuleWithTouchedDims(Operation *op,
                                         ArrayRef<int64_t> touched) {
  IndexRule rule;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  FactorDims shared(type.getRank());
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(touched, d))
      shared[d] = {rule.add(type.getDimSize(d))};
  auto addTensor = [&](Value value) {
    auto own = cast<RankedTensorType>(value.getType());
    if (own.getRank() != type.getRank())
      return FactorDims(own.getRank());
    FactorDims dims = shared;
    for (int64_t d : touched)
      dims[d] = {rule.add(own.getDimSize(d), FactorKind::Replicate)};
    return dims;
  };
  for (Value operand : op->getOperands())
    rule.operands.push_back(addTensor(operand));
  rule.results.push_back(addTensor(op->getResult(0)));
  return rule;
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

LogicalResult
ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange,
                             DictionaryAttr attrs, OpaqueProperties properties,
                             RegionRange, SmallVectorImpl<Type> &types) {
  Adaptor adaptor(ValueRange(), attrs, properties);
  types.push_back(adaptor.getValue().getType());
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

IndexRule ConstantOp::getIndexRule() {
  // Each device cuts its own part out of the whole constant.
  return IndexRule::makePointwise(getOperation());
}

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  if (getDim() >= static_cast<uint64_t>(getType().getRank()))
    return emitOpError() << "dimension " << getDim() << " is not in "
                         << getType();
  return success();
}

IndexRule IotaOp::getIndexRule() {
  return IndexRule::makePointwise(getOperation());
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = getOperand().getType().getShape();
  ArrayRef<int64_t> to = getType().getShape();
  if (from.size() != getDims().size())
    return emitOpError() << "has " << getDims().size()
                         << " dims for an operand of rank " << from.size();
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim < 0 || dim >= static_cast<int64_t>(to.size()))
      return emitOpError() << "result dimension " << dim << " is not in "
                           << getType();
    if (llvm::is_contained(getDims().take_front(i), dim))
      return emitOpError() << "result dimension " << dim << " is given twice";
    if (from[i] != 1 && from[i] != to[dim])
      return emitOpError() << "operand dimension " << i << " of size "
                           << from[i] << " cannot become result dimension "
                           << dim << " of size " << to[dim];
  }
  return success();
}

IndexRule BroadcastOp::getIndexRule() {
  IndexRule rule;
  ArrayRef<int64_t> from = getOperand().getType().getShape();
  FactorDims fromDims(from.size()), toDims;
  for (int64_t size : getType().getShape())
    toDims.push_back({rule.add(size)});
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (from[i] == getType().getDimSize(dim))
      fromDims[i] = toDims[dim];
  rule.operands.push_back(fromDims);
  rule.results.push_back(toDims);
  return rule;
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  if (getOperand().getType().getNumElements() != getType().getNumElements())
    return emitOpError() << "from " << getOperand().getType() << " to "
                         << getType() << " changes the number of elements";
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand()))
    return splat.resizeSplat(getType());
  return {};
}

IndexRule ReshapeOp::getIndexRule() {
  IndexRule rule;
  addReshapeFactors(rule, getOperand().getType().getShape(),
                    getType().getShape(), rule.operands.emplace_back(),
                    rule.results.emplace_back());
  return rule;
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto from = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (!from || from.getRank() != static_cast<int64_t>(permutation.size()))
    return emitOptionalError(location, "core.transpose: permutation has ",
                             permutation.size(), " dimensions, the operand is ",
                             adaptor.getOperand().getType());
  SmallVector<int64_t> shape;
  for (auto [i, dim] : llvm::enumerate(permutation)) {
    if (dim < 0 || dim >= from.getRank() ||
        llvm::is_contained(permutation.take_front(i), dim))
      return emitOptionalError(
          location, "core.transpose: permutation must name each dimension of ",
          from, " once");
    shape.push_back(from.getDimSize(dim));
  }
  types.push_back(RankedTensorType::get(shape, from.getElementType()));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool isIdentity = true;
  for (auto [i, dim] : llvm::enumerate(getPermutation()))
    isIdentity &= static_cast<int64_t>(i) == dim;
  if (isIdentity)
    return getOperand();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand()))
    return splat.resizeSplat(getType());
  return {};
}

IndexRule TransposeOp::getIndexRule() {
  IndexRule rule;
  FactorDims fromDims, toDims;
  for (int64_t size : getOperand().getType().getShape())
    fromDims.push_back({rule.add(size)});
  for (int64_t dim : getPermutation())
    toDims.push_back(fromDims[dim]);
  rule.operands.push_back(fromDims);
  rule.results.push_back(toDims);
  return rule;
}

//===----------------------------------------------------------------------===//
// ReverseOp
//===----------------------------------------------------------------------===//

LogicalResult ReverseOp::verify() {
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (dim < 0 || dim >= getType().getRank() ||
        llvm::is_contained(getDims().take_front(i), dim))
      return emitOpError() << "dimension " << dim << " is not in " << getType()
                           << " or named twice";
  return success();
}

OpFoldResult ReverseOp::fold(FoldAdaptor adaptor) {
  bool isIdentity = llvm::all_of(
      getDims(), [&](int64_t dim) { return getType().getDimSize(dim) == 1; });
  if (isIdentity || isa_and_nonnull<SplatElementsAttr>(adaptor.getOperand()))
    return getOperand();
  return {};
}

IndexRule ReverseOp::getIndexRule() {
  return makeRuleWithTouchedDims(getOperation(), getDims());
}

//===----------------------------------------------------------------------===//
// RepackOp
//===----------------------------------------------------------------------===//

LogicalResult RepackOp::verify() {
  auto from = getOperand().getType(), to = getType();
  int fromBits = getBitWidth(*toDType(from.getElementType()));
  int toBits = getBitWidth(*toDType(to.getElementType()));
  auto wide = fromBits > toBits ? from : to;
  auto narrow = fromBits > toBits ? to : from;
  int64_t ratio = std::max(fromBits, toBits) / std::min(fromBits, toBits);
  SmallVector<int64_t> shape(wide.getShape());
  shape.push_back(ratio);
  if (fromBits == toBits || std::max(fromBits, toBits) % ratio != 0 ||
      narrow.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError() << "from " << from << " to " << to
                         << " does not keep the bits; the narrower type needs "
                            "a last dimension of size "
                         << ratio;
  return success();
}

IndexRule RepackOp::getIndexRule() {
  IndexRule rule;
  FactorDims from, to;
  int64_t rank =
      std::min(getOperand().getType().getRank(), getType().getRank());
  for (int64_t d = 0; d < rank; ++d)
    from.push_back({rule.add(getType().getDimSize(d))});
  to = from;
  from.resize(getOperand().getType().getRank());
  to.resize(getType().getRank());
  rule.operands = {from};
  rule.results = {to};
  return rule;
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto from = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  size_t rank = from ? from.getRank() : 0;
  if (!from || adaptor.getStarts().size() != rank ||
      adaptor.getLimits().size() != rank || adaptor.getStrides().size() != rank)
    return emitOptionalError(location,
                             "core.slice: needs a start, a limit and "
                             "a stride per dimension of ",
                             adaptor.getOperand().getType());
  SmallVector<int64_t> shape;
  for (size_t d = 0; d < rank; ++d) {
    int64_t start = adaptor.getStarts()[d], limit = adaptor.getLimits()[d];
    int64_t stride = adaptor.getStrides()[d];
    if (start < 0 || start > limit || limit > from.getDimSize(d) || stride < 1)
      return emitOptionalError(location, "core.slice: [", start, ":", limit,
                               ":", stride, "] is not in dimension ", d,
                               " of size ", from.getDimSize(d));
    shape.push_back((limit - start + stride - 1) / stride);
  }
  types.push_back(RankedTensorType::get(shape, from.getElementType()));
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand()))
    return splat.resizeSplat(getType());
  return {};
}

IndexRule SliceOp::getIndexRule() {
  SmallVector<int64_t> touched;
  for (int64_t d = 0; d < getType().getRank(); ++d)
    if (getOperand().getType().getDimSize(d) != getType().getDimSize(d))
      touched.push_back(d);
  return makeRuleWithTouchedDims(getOperation(), touched);
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto from = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  size_t rank = from ? from.getRank() : 0;
  if (!from || adaptor.getLow().size() != rank ||
      adaptor.getHigh().size() != rank || adaptor.getInterior().size() != rank)
    return emitOptionalError(location,
                             "core.pad: needs low, high and interior "
                             "per dimension of ",
                             adaptor.getOperand().getType());
  if (adaptor.getValue().getType() !=
      RankedTensorType::get({}, from.getElementType()))
    return emitOptionalError(location, "core.pad: the padding value must be ",
                             RankedTensorType::get({}, from.getElementType()),
                             ", not ", adaptor.getValue().getType());
  SmallVector<int64_t> shape;
  for (size_t d = 0; d < rank; ++d) {
    int64_t old = from.getDimSize(d), interior = adaptor.getInterior()[d];
    int64_t size = adaptor.getLow()[d] + adaptor.getHigh()[d] + old +
                   std::max<int64_t>(old - 1, 0) * interior;
    if (interior < 0 || size < 0)
      return emitOptionalError(location, "core.pad: dimension ", d, " of size ",
                               old, " cannot become of size ", size,
                               " with interior padding ", interior);
    shape.push_back(size);
  }
  types.push_back(RankedTensorType::get(shape, from.getElementType()));
  return success();
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero) &&
      llvm::all_of(getInterior(), isZero))
    return getOperand();
  return {};
}

IndexRule PadOp::getIndexRule() {
  SmallVector<int64_t> touched;
  for (int64_t d = 0; d < getType().getRank(); ++d)
    if (getLow()[d] != 0 || getHigh()[d] != 0 || getInterior()[d] != 0)
      touched.push_back(d);
  return makeRuleWithTouchedDims(getOperation(), touched);
}

//===----------------------------------------------------------------------===//
// ConcatenateOp
//===----------------------------------------------------------------------===//

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  if (adaptor.getOperands().empty())
    return emitOptionalError(location, "core.concatenate: needs an operand");
  auto first = dyn_cast<RankedTensorType>(adaptor.getOperands()[0].getType());
  auto dim = static_cast<int64_t>(adaptor.getDim());
  if (!first || dim < 0 || dim >= first.getRank())
    return emitOptionalError(location, "core.concatenate: dimension ", dim,
                             " is not in ", adaptor.getOperands()[0].getType());
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (Value operand : adaptor.getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    bool fits = type && type.getRank() == first.getRank() &&
                type.getElementType() == first.getElementType();
    for (int64_t d = 0; fits && d < first.getRank(); ++d)
      fits = d == dim || type.getDimSize(d) == first.getDimSize(d);
    if (!fits)
      return emitOptionalError(location, "core.concatenate: cannot join ",
                               operand.getType(), " to ", first,
                               " along dimension ", dim);
    shape[dim] += type.getDimSize(dim);
  }
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  return getOperands().size() == 1 ? getOperands()[0] : Value();
}

IndexRule ConcatenateOp::getIndexRule() {
  return makeRuleWithTouchedDims(getOperation(),
                                 {static_cast<int64_t>(getDim())});
}
