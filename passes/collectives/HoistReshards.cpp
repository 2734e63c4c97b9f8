//===- HoistReshards.cpp - Reshards out of loops ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/comm/Comm.h"
#include "passes/collectives/Passes.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_HOISTRESHARDSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

namespace {
struct HoistReshardsPass
    : partita::impl::HoistReshardsPassBase<HoistReshardsPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer ones too.
    getOperation().walk<WalkOrder::PostOrder>(
        [](core::WhileOp loop) { hoistFrom(loop); });
  }

  static void hoistFrom(core::WhileOp loop);
};
} // namespace

/// What `value`, seen inside the loop, is in front of it in every iteration;
/// null where it varies.
static Value getInvariant(core::WhileOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isCarried = argument && argument.getOwner()->getParentOp() == loop;
  if (!isCarried)
    return loop->isAncestor(value.getParentRegion()->getParentOp()) ? Value()
                                                                    : value;
  unsigned number = argument.getArgNumber();
  Block &body = loop.getBody().front();
  if (body.getTerminator()->getOperand(number) != body.getArgument(number))
    return {};
  return loop.getInits()[number];
}

void HoistReshardsPass::hoistFrom(core::WhileOp loop) {
  for (Region *region : {&loop.getCond(), &loop.getBody()}) {
    // Of the loop's own block: one under a core.if may never run.
    for (Operation &op :
         llvm::make_early_inc_range(region->front().getOperations())) {
      auto reshard = dyn_cast<comm::ReshardOp>(op);
      Value outside =
          reshard ? getInvariant(loop, reshard.getOperand()) : Value();
      if (!outside)
        continue;
      reshard.getOperandMutable().assign(outside);
      reshard->moveBefore(loop);
    }
  }
}
