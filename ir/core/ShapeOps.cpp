//===- ShapeOps.cpp - Constants, and ops that move elements -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

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

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> from = getOperand().getType().getShape();
  ArrayRef<int64_t> to = getType().getShape();
  if (from.size() != to.size() || from.size() != getPermutation().size())
    return emitOpError() << "operand, result and permutation must have the "
                            "same number of dimensions";
  for (auto [i, dim] : llvm::enumerate(getPermutation())) {
    if (dim < 0 || dim >= static_cast<int64_t>(from.size()) ||
        llvm::is_contained(getPermutation().take_front(i), dim))
      return emitOpError() << "permutation must name each dimension once";
    if (to[i] != from[dim])
      return emitOpError() << "result dimension " << i << " has size " << to[i]
                           << " but operand dimension " << dim << " has size "
                           << from[dim];
  }
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
