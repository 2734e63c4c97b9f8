//===- ContractionOps.cpp - Products and reductions -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"

#include "ir/core/Reductions.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

/// Dimensions that are neither batch nor contracted, in order.
static SmallVector<int64_t> getFreeDims(int64_t rank, ArrayRef<int64_t> batch,
                                        ArrayRef<int64_t> contract) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d))
      dims.push_back(d);
  return dims;
}

static LogicalResult verifyDims(DotOp op, StringRef what, int64_t rank,
                                ArrayRef<int64_t> batch,
                                ArrayRef<int64_t> contract) {
  llvm::SmallDenseSet<int64_t> seen;
  for (ArrayRef<int64_t> dims : {batch, contract})
    for (int64_t dim : dims)
      if (dim < 0 || dim >= rank || !seen.insert(dim).second)
        return op.emitOpError() << what << " dimension " << dim
                                << " is out of range or named twice";
  return success();
}

LogicalResult DotOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  if (failed(verifyDims(*this, "left", lhs.getRank(), getLhsBatch(),
                        getLhsContract())) ||
      failed(verifyDims(*this, "right", rhs.getRank(), getRhsBatch(),
                        getRhsContract())))
    return failure();
  if (getLhsBatch().size() != getRhsBatch().size() ||
      getLhsContract().size() != getRhsContract().size())
    return emitOpError() << "needs as many left as right dimensions, batch and "
                            "contracted";
  SmallVector<int64_t> shape;
  auto match = [&](ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
    for (auto [l, r] : llvm::zip(left, right))
      if (lhs.getDimSize(l) != rhs.getDimSize(r))
        return emitOpError() << "left dimension " << l << " of size "
                             << lhs.getDimSize(l) << " meets right dimension "
                             << r << " of size " << rhs.getDimSize(r);
    return InFlightDiagnostic();
  };
  if (failed(match(getLhsBatch(), getRhsBatch())) ||
      failed(match(getLhsContract(), getRhsContract())))
    return failure();
  for (int64_t d : getLhsBatch())
    shape.push_back(lhs.getDimSize(d));
  for (int64_t d : getFreeDims(lhs.getRank(), getLhsBatch(), getLhsContract()))
    shape.push_back(lhs.getDimSize(d));
  for (int64_t d : getFreeDims(rhs.getRank(), getRhsBatch(), getRhsContract()))
    shape.push_back(rhs.getDimSize(d));
  if (ArrayRef<int64_t>(shape) != getType().getShape())
    return emitOpError() << "result type " << getType()
                         << " should have shape [" << shape << "]";
  return success();
}

IndexRule DotOp::getIndexRule() {
  IndexRule rule;
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  FactorDims left(lhs.getRank()), right(rhs.getRank()), result;
  for (auto [l, r] : llvm::zip(getLhsBatch(), getRhsBatch())) {
    left[l] = right[r] = {rule.add(lhs.getDimSize(l))};
    result.push_back(left[l]);
  }
  for (int64_t d : getFreeDims(lhs.getRank(), getLhsBatch(), getLhsContract()))
    result.push_back(left[d] = {rule.add(lhs.getDimSize(d))});
  for (int64_t d : getFreeDims(rhs.getRank(), getRhsBatch(), getRhsContract()))
    result.push_back(right[d] = {rule.add(rhs.getDimSize(d))});
  for (auto [l, r] : llvm::zip(getLhsContract(), getRhsContract()))
    left[l] = right[r] = {rule.add(lhs.getDimSize(l), FactorKind::Reduction)};
  rule.operands = {left, right};
  rule.results = {result};
  return rule;
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto from = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  if (!from)
    return emitOptionalError(location,
                             "core.reduce: the operand is not ranked");
  ReductionKind kind = adaptor.getKind().getKind();
  StringRef fault = getReductionFault(kind, from.getElementType());
  if (!fault.empty())
    return emitOptionalError(
        location, "core.reduce: ", StringRef(getName(kind)), " cannot reduce ",
        from.getElementType(), ": ", fault);
  ArrayRef<int64_t> dims = adaptor.getDims();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= from.getRank() ||
        llvm::is_contained(dims.take_front(i), dim))
      return emitOptionalError(location, "core.reduce: dimension ", dim,
                               " is not in ", from, " or named twice");
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < from.getRank(); ++d)
    if (!llvm::is_contained(dims, d))
      shape.push_back(from.getDimSize(d));
  types.push_back(RankedTensorType::get(shape, from.getElementType()));
  return success();
}

IndexRule ReduceOp::getIndexRule() {
  IndexRule rule;
  auto from = getOperand().getType();
  FactorDims operand, result;
  for (int64_t d = 0; d < from.getRank(); ++d) {
    bool isReduced = llvm::is_contained(getDims(), d);
    operand.push_back(
        {rule.add(from.getDimSize(d),
                  isReduced ? FactorKind::Reduction : FactorKind::Parallel,
                  getKind().getKind())});
    if (!isReduced)
      result.push_back(operand.back());
  }
  rule.operands = {operand};
  rule.results = {result};
  return rule;
}
