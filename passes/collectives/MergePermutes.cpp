//===- MergePermutes.cpp - Permutes of different devices ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Levels.h"
#include "passes/collectives/Passes.h"
#include "sharding/partition/LocalBuilder.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_MERGEPERMUTESPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// What permutes must share to be merged; null for other ops.
static Attribute getMergeKey(Operation &op) {
  auto permute = dyn_cast<comm::PermuteOp>(op);
  if (!permute || permute.getFrom() || permute->getNumOperands() != 1)
    return {};
  return ArrayAttr::get(op.getContext(),
                        {permute.getMeshAttr(), permute.getAxesAttr(),
                         TypeAttr::get(permute->getOperand(0).getType())});
}

static bool areDisjoint(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return llvm::none_of(a,
                       [&](int64_t id) { return llvm::is_contained(b, id); });
}

namespace {
/// Permutes that become one.
struct Group {
  SmallVector<Operation *> members;
  SmallVector<int64_t> sources, targets;
};

struct MergePermutesPass
    : partita::impl::MergePermutesPassBase<MergePermutesPass> {
  void runOnOperation() override {
    getOperation().walk([&](Block *block) { mergeIn(*block); });
  }

  void mergeIn(Block &block);
  void merge(Group &group);
};
} // namespace

/// Puts each permute into the first group whose devices differ from its own.
static SmallVector<Group> makeGroups(ArrayRef<Operation *> ops) {
  SmallVector<Group> groups;
  for (Operation *op : ops) {
    auto permute = cast<comm::PermuteOp>(op);
    auto *it = llvm::find_if(groups, [&](const Group &group) {
      return areDisjoint(group.sources, permute.getSources()) &&
             areDisjoint(group.targets, permute.getTargets());
    });
    if (it == groups.end())
      it = &groups.emplace_back();
    it->members.push_back(op);
    llvm::append_range(it->sources, permute.getSources());
    llvm::append_range(it->targets, permute.getTargets());
  }
  return groups;
}

void MergePermutesPass::mergeIn(Block &block) {
  llvm::MapVector<Attribute, int64_t> counts;
  for (Operation &op : block)
    if (Attribute key = getMergeKey(op))
      ++counts[key];
  for (auto [key, count] : counts) {
    if (count < 2)
      continue;
    auto isMember = [&](Operation &op) { return getMergeKey(op) == key; };
    forEachLevel(block, isMember, [&](ArrayRef<Operation *> members) {
      for (Group &group : makeGroups(members))
        if (group.members.size() > 1)
          merge(group);
    });
  }
}

/// i1 scalar: whether the device is in the list.
static Value isAmong(LocalBuilder &local, ArrayRef<int64_t> devices) {
  SmallVector<int64_t> table(local.getMesh().getNumDevices(), 0);
  for (int64_t device : devices)
    table[device] = 1;
  Value number = local.lookUpByDevice(table);
  auto scalar = cast<RankedTensorType>(number.getType());
  return local.compare(number, local.makeSplat(scalar, 1), Comparison::Eq);
}

static Value select(LocalBuilder &local, Value condition, Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  return core::SelectOp::create(local.getBuilder(), local.getLoc(), type,
                                local.broadcast(condition, type.getShape()), a,
                                b);
}

void MergePermutesPass::merge(Group &group) {
  auto first = cast<comm::PermuteOp>(group.members.front());
  Mesh mesh = lookupMesh(first, first.getMeshAttr().getAttr()).toMesh();
  OpBuilder builder(group.members.back());
  SmallVector<Location> locations;
  for (Operation *op : group.members)
    locations.push_back(op->getLoc());
  LocalBuilder local(builder, FusedLoc::get(&getContext(), locations),
                     first.getMeshAttr().getAttr(), mesh);
  Value sent;
  for (Operation *op : group.members) {
    Value own = op->getOperand(0);
    sent = sent ? select(local,
                         isAmong(local, cast<comm::PermuteOp>(op).getSources()),
                         own, sent)
                : own;
  }
  auto merged = comm::PermuteOp::create(
      builder, local.getLoc(), TypeRange{sent.getType()}, ValueRange{sent},
      first.getMesh(), first.getAxesAttr(), group.sources, group.targets,
      ArrayAttr(), ArrayAttr());
  for (NamedAttribute attr : first->getDiscardableAttrs())
    merged->setDiscardableAttr(attr.getName(), attr.getValue());
  // Who is no target of a permute gets zeros from it.
  Value zero = local.makeSplat(cast<RankedTensorType>(sent.getType()), 0);
  SmallVector<Value> received;
  Operation *last = merged;
  for (Operation *op : group.members) {
    received.push_back(
        select(local, isAmong(local, cast<comm::PermuteOp>(op).getTargets()),
               merged->getResult(0), zero));
    last = received.back().getDefiningOp();
  }
  moveUsersBehind(last, group.members);
  for (auto [op, value] : llvm::zip(group.members, received)) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
