//===- SimplifyReshards.cpp - Fewer and shorter reshards --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/comm/Comm.h"
#include "mlir/IR/Dominance.h"
#include "passes/collectives/Passes.h"
#include "sharding/reshard/Resharder.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_SIMPLIFYRESHARDSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// Composing and sharing each open the way for the other; programs settle in
/// two or three rounds.
static constexpr int kMaxRounds = 8;

namespace {
struct SimplifyReshardsPass
    : partita::impl::SimplifyReshardsPassBase<SimplifyReshardsPass> {
  void runOnOperation() override {
    Resharder resharder(getOperation());
    for (int round = 0; round < kMaxRounds; ++round) {
      bool changed = composeAll(resharder);
      changed |= shareAll(resharder);
      if (!changed)
        return;
    }
  }

  bool composeAll(Resharder &resharder);
  bool shareAll(Resharder &resharder);
};
} // namespace

static bool isSame(Resharder &resharder, ShardingAttr a, ShardingAttr b) {
  if (a == b)
    return true;
  const Mesh *meshA = resharder.getMesh(a.getMesh());
  const Mesh *meshB = resharder.getMesh(b.getMesh());
  return meshA && meshB && *meshA == *meshB &&
         isSamePlacement(a.toSharding(*meshA), b.toSharding(*meshB));
}

/// Starts `op` at the operand of the reshard in front of it, where that is not
/// dearer.
static bool compose(comm::ReshardOp op, Resharder &resharder) {
  auto first = op.getOperand().getDefiningOp<comm::ReshardOp>();
  if (!first)
    return false;
  RankedTensorType type = op.getType();
  auto direct = resharder.getPrice(type, first.getFrom(), op.getTo());
  auto second = resharder.getPrice(type, op.getFrom(), op.getTo());
  auto before = resharder.getPrice(type, first.getFrom(), first.getTo());
  if (!direct || !second || !before)
    return false;
  bool isOnlyUse = first->hasOneUse();
  if (isOnlyUse ? *direct > *before + *second : *direct >= *second)
    return false;
  op.getOperandMutable().assign(first.getOperand());
  op.setFromAttr(first.getFrom());
  if (isOnlyUse)
    first.erase();
  return true;
}

bool SimplifyReshardsPass::composeAll(Resharder &resharder) {
  SmallVector<comm::ReshardOp> reshards;
  getOperation().walk([&](comm::ReshardOp op) { reshards.push_back(op); });
  bool changed = false;
  // In program order a chain's front is composed first, so `first` in
  // compose() has been visited, and nothing erased is looked at again.
  for (comm::ReshardOp op : reshards) {
    while (compose(op, resharder))
      changed = true;
    if (!op->use_empty() && !isSame(resharder, op.getFrom(), op.getTo()))
      continue;
    op.replaceAllUsesWith(op.getOperand());
    op.erase();
    changed = true;
  }
  return changed;
}

/// Lets `user` start from the result of `source`, a reshard of the same value,
/// where that is cheaper, and puts `source` in front of it.
static bool startFrom(comm::ReshardOp user, comm::ReshardOp source,
                      Resharder &resharder, DominanceInfo &dominance) {
  bool isBefore =
      dominance.properlyDominates(source.getOperation(), user.getOperation());
  if (!isBefore && source->getBlock() != user->getBlock())
    return false;
  RankedTensorType type = user.getType();
  auto now = resharder.getPrice(type, user.getFrom(), user.getTo());
  auto then = resharder.getPrice(type, source.getTo(), user.getTo());
  if (!now || !then || *then >= *now)
    return false;
  if (!isBefore)
    source->moveBefore(user);
  user.getOperandMutable().assign(source.getResult());
  user.setFromAttr(source.getTo());
  return true;
}

bool SimplifyReshardsPass::shareAll(Resharder &resharder) {
  llvm::MapVector<Value, SmallVector<comm::ReshardOp>> byValue;
  getOperation().walk(
      [&](comm::ReshardOp op) { byValue[op.getOperand()].push_back(op); });
  DominanceInfo dominance(getOperation());
  bool changed = false;
  for (auto &[value, reshards] : byValue) {
    // Equal ones.
    for (size_t i = 0; i < reshards.size(); ++i) {
      for (size_t j = i + 1; j < reshards.size();) {
        if (reshards[i].getFrom() != reshards[j].getFrom() ||
            !isSame(resharder, reshards[i].getTo(), reshards[j].getTo()) ||
            !dominance.properlyDominates(reshards[i].getOperation(),
                                         reshards[j].getOperation())) {
          ++j;
          continue;
        }
        reshards[j].replaceAllUsesWith(reshards[i].getResult());
        reshards[j].erase();
        reshards.erase(reshards.begin() + j);
        changed = true;
      }
    }
    // Those that another's result is a better start for.
    for (comm::ReshardOp user : reshards)
      for (comm::ReshardOp source : reshards)
        if (user != source && source.getOperand() == value &&
            user.getOperand() == value && user.getFrom() == source.getFrom())
          changed |= startFrom(user, source, resharder, dominance);
  }
  return changed;
}
