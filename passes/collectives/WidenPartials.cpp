//===- WidenPartials.cpp - Partial sums in single precision -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "passes/collectives/Passes.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_WIDENPARTIALSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// Makes the op's result one of `type`, of single precision.
static void widen(OpBuilder &builder, Operation *op, RankedTensorType type) {
  if (isa<core::ReduceOp>(op)) {
    Value operand = op->getOperand(0);
    auto from = cast<RankedTensorType>(operand.getType());
    builder.setInsertionPoint(op);
    Value converted = core::ConvertOp::create(
        builder, op->getLoc(), from.clone(type.getElementType()), operand);
    if (ShardingAttr sharding = getSharding(operand))
      setSharding(converted, sharding);
    op->setOperand(0, converted);
  }
  op->getResult(0).setType(type);
}

/// Whether the reshard adds up partial sums of a narrow float type, which the
/// op that makes them has rounded for nothing else.
static bool addsRoundedParts(comm::ReshardOp op) {
  auto type = dyn_cast<FloatType>(op.getType().getElementType());
  Operation *source = op.getOperand().getDefiningOp();
  return type && type.getWidth() < 32 && source &&
         isa<core::DotOp, core::ReduceOp>(source) && source->hasOneUse() &&
         !op.getFrom().getUnreduced().empty() &&
         op.getTo().getUnreduced().empty() &&
         op.getFrom().getReductionKind() == ReductionKind::Sum;
}

/// The ops from the one that makes partial sums of a narrow float type to the
/// conversion of these to single precision, which is all that uses them; none
/// where it is not so.
static SmallVector<Operation *> getConvertedParts(core::ConvertOp op) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op.getOperand()));
  ShardingAttr sharding = getSharding(op.getOperand());
  if (!type || type.getWidth() >= 32 ||
      !getElementTypeOrSelf(op.getResult()).isF32() || !sharding ||
      sharding.getUnreduced().empty() ||
      sharding.getReductionKind() != ReductionKind::Sum)
    return {};
  SmallVector<Operation *> ops;
  Operation *source = op.getOperand().getDefiningOp();
  while (source && source->hasOneUse()) {
    ops.push_back(source);
    if (isa<core::DotOp, core::ReduceOp>(source))
      return ops;
    if (!isa<core::ReshapeOp, core::TransposeOp>(source))
      return {};
    source = source->getOperand(0).getDefiningOp();
  }
  return {};
}

namespace {
struct WidenPartialsPass
    : partita::impl::WidenPartialsPassBase<WidenPartialsPass> {
  void runOnOperation() override {
    getOperation().walk([](core::ConvertOp op) { run(op); });
    SmallVector<comm::ReshardOp> reshards;
    getOperation().walk([&](comm::ReshardOp op) {
      if (addsRoundedParts(op))
        reshards.push_back(op);
    });
    for (comm::ReshardOp op : reshards)
      run(op);
  }

  static void run(core::ConvertOp op) {
    SmallVector<Operation *> ops = getConvertedParts(op);
    if (ops.empty())
      return;
    OpBuilder builder(op);
    for (Operation *part : ops) {
      auto type = cast<RankedTensorType>(part->getResult(0).getType());
      widen(builder, part,
            cast<RankedTensorType>(type.clone(builder.getF32Type())));
    }
    op.replaceAllUsesWith(op.getOperand());
    op.erase();
  }

  static void run(comm::ReshardOp op) {
    OpBuilder builder(op);
    RankedTensorType type = op.getType();
    auto wide = cast<RankedTensorType>(type.clone(builder.getF32Type()));
    widen(builder, op.getOperand().getDefiningOp(), wide);
    op.getResult().setType(wide);
    builder.setInsertionPointAfter(op);
    auto rounded =
        core::ConvertOp::create(builder, op.getLoc(), type, op.getResult());
    setSharding(rounded.getResult(), op.getTo());
    op.getResult().replaceAllUsesExcept(rounded.getResult(), rounded);
  }
};
} // namespace
