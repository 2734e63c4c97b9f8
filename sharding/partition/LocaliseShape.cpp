//===- LocaliseShape.cpp - Ops that know shapes, in local form ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Localise.h"

using namespace mlir;

namespace partita {

/// Lets all users of `old` see `now`, which is computed from it.
static void replaceBehind(Value old, Value now) {
  if (old == now)
    return;
  llvm::SmallPtrSet<Operation *, 1> except = {now.getDefiningOp()};
  old.replaceAllUsesExcept(now, except);
}

void localiseConstant(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::ConstantOp>(self.op);
  const LocalValue &result = self.results[0];
  if (result.global == result.local)
    return;
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  Value value;
  if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue())) {
    value = core::ConstantOp::create(builder, op.getLoc(),
                                     splat.resizeSplat(result.local));
  } else {
    value = core::ConstantOp::create(builder, op.getLoc(), op.getValue());
    for (int64_t d = 0; d < result.local.getRank(); ++d)
      if (LocalDim dim = result.getDim(d); dim.isSplit())
        value = local.takeShard(value, d, dim.axes, dim.local);
  }
  op.getResult().replaceAllUsesWith(value);
  op.erase();
}

void localiseIota(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::IotaOp>(self.op);
  LocalDim dim = self.results[0].getDim(static_cast<int64_t>(op.getDim()));
  if (!dim.isSplit())
    return;
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPointAfter(op);
  RankedTensorType type = op.getType();
  Value start = local.makeShardStart(dim, type.getElementType());
  Value sum = core::AddOp::create(builder, op.getLoc(), op.getResult(),
                                  local.broadcast(start, type.getShape()));
  replaceBehind(op.getResult(), sum);
}

/// The operand with the given dimensions' padding filled in.
static void maskOperand(const LocalOp &self, unsigned number,
                        ArrayRef<int64_t> dims, ReductionKind kind,
                        LocalBuilder &local) {
  const LocalValue &operand = self.operands[number];
  Value value = self.op->getOperand(number);
  Value filler;
  for (int64_t d : dims) {
    LocalDim dim = operand.getDim(d);
    if (!dim.isPadded())
      continue;
    local.getBuilder().setInsertionPoint(self.op);
    if (!filler)
      filler = local.makeIdentity(operand.local, kind);
    value = local.maskPadding(value, d, dim, filler);
  }
  self.op->setOperand(number, value);
}

void localiseReduce(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::ReduceOp>(self.op);
  maskOperand(self, 0, op.getDims(), op.getKind().getKind(), local);
}

void localiseDot(const LocalOp &self, LocalBuilder &local) {
  // Both sides: padding may hold infinities, and zero times those is no zero.
  auto op = cast<core::DotOp>(self.op);
  maskOperand(self, 0, op.getLhsContract(), ReductionKind::Sum, local);
  maskOperand(self, 1, op.getRhsContract(), ReductionKind::Sum, local);
}

} // namespace partita
