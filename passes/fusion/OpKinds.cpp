//===- OpKinds.cpp - How ops take part in fusion --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/fusion/OpKinds.h"

#include "ir/core/Core.h"
#include "ir/interfaces/Interfaces.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace partita {

/// Rows that are longer than this are no rows: they do not stay in cache.
static constexpr int64_t kMaxRow = 1 << 16;

ArrayRef<int64_t> getTensorShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

int64_t getTensorSize(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

double countFlops(Operation *op) {
  switch (getFusionKind(op)) {
  case FusionKind::Dot: {
    auto dot = cast<core::DotOp>(op);
    auto flops = 2.0 * static_cast<double>(getTensorSize(dot.getResult()));
    for (int64_t dim : dot.getLhsContract())
      flops *= static_cast<double>(getTensorShape(dot.getLhs())[dim]);
    return flops;
  }
  case FusionKind::RowReduce:
  case FusionKind::Reduce:
    return static_cast<double>(getTensorSize(op->getOperand(0)));
  case FusionKind::Pointwise:
    return static_cast<double>(getTensorSize(op->getResult(0)));
  default:
    return 0;
  }
}

bool isSplatConstant(Operation *op) {
  DenseElementsAttr value;
  return matchPattern(op, m_Constant(&value)) && value.isSplat();
}

/// Whether a reduction combines the last dimensions only.
static bool reducesRows(core::ReduceOp op) {
  ArrayRef<int64_t> shape = getTensorShape(op.getOperand());
  int64_t row = 1, kept = 1;
  bool isTail = true;
  for (size_t dim = shape.size(); dim-- > 0;) {
    bool isReduced =
        llvm::is_contained(op.getDims(), static_cast<int64_t>(dim));
    if (isReduced && !isTail && shape[dim] != 1)
      return false;
    if (!isReduced && shape[dim] != 1)
      isTail = false;
    (isReduced ? row : kept) *= shape[dim];
  }
  return kept > 1 && row > 1 && row <= kMaxRow;
}

FusionKind getFusionKind(Operation *op) {
  if (!isa_and_present<core::CoreDialect>(op->getDialect()) ||
      op->getNumRegions() > 0 || op->getNumResults() != 1)
    return FusionKind::Outside;
  if (op->hasAttr(kOutsideAttrName))
    return FusionKind::Outside;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return isSplatConstant(op) ? FusionKind::Inline : FusionKind::Outside;
  if (isa<core::IotaOp, core::BroadcastOp, core::ReshapeOp, core::SliceOp,
          core::DynamicSliceOp>(op))
    return FusionKind::Inline;
  if (isa<core::DotOp>(op))
    return FusionKind::Dot;
  if (auto reduce = dyn_cast<core::ReduceOp>(op))
    return reducesRows(reduce) ? FusionKind::RowReduce : FusionKind::Reduce;
  if (isa<ScalarBodyOpInterface>(op))
    return FusionKind::Pointwise;
  if (isa<core::TransposeOp, core::ReverseOp, core::PadOp, core::ConcatenateOp,
          core::GatherOp>(op))
    return FusionKind::Move;
  return FusionKind::Alone;
}

} // namespace partita
