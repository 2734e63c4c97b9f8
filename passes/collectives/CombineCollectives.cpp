//===- CombineCollectives.cpp - Several collectives in a launch -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "passes/collectives/Identity.h"
#include "passes/collectives/Levels.h"
#include "passes/collectives/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_COMBINECOLLECTIVESPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// Inherent attributes with an entry per operand.
static constexpr StringLiteral kPerOperand[] = {"dims", "split_dims",
                                                "concat_dims", "from", "to"};

/// The ops' attribute of that name, one list after the other.
static Attribute concatenate(ArrayRef<Operation *> ops, StringAttr name) {
  MLIRContext *context = name.getContext();
  if (isa_and_nonnull<DenseI64ArrayAttr>(ops.front()->getAttr(name))) {
    SmallVector<int64_t> list;
    for (Operation *op : ops)
      llvm::append_range(
          list, op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef());
    return DenseI64ArrayAttr::get(context, list);
  }
  SmallVector<Attribute> list;
  for (Operation *op : ops) {
    auto part = op->getAttrOfType<ArrayAttr>(name);
    // Of what some lack, they have nothing to say.
    if (!part)
      part = ArrayAttr::get(context,
                            SmallVector<Attribute>(op->getNumResults(),
                                                   StringAttr::get(context)));
    llvm::append_range(list, part);
  }
  return ArrayAttr::get(context, list);
}

/// The attributes of the op that stands for all.
static SmallVector<NamedAttribute> joinAttributes(ArrayRef<Operation *> ops) {
  SmallVector<NamedAttribute> attrs;
  for (NamedAttribute attr : ops.front()->getAttrs()) {
    if (llvm::is_contained(kPerOperand, attr.getName().getValue()))
      attrs.emplace_back(attr.getName(), concatenate(ops, attr.getName()));
    else if (ops.front()->getInherentAttr(attr.getName()))
      attrs.push_back(attr);
  }
  // Discardable attributes with an entry per result: shardings, reasons.
  llvm::SetVector<StringAttr> names;
  for (Operation *op : ops)
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (auto list = dyn_cast<ArrayAttr>(attr.getValue()))
        if (list.size() == op->getNumResults())
          names.insert(attr.getName());
  for (StringAttr name : names)
    attrs.emplace_back(name, concatenate(ops, name));
  return attrs;
}

/// Makes one op of several, in block order, in the place of the last.
static void join(ArrayRef<Operation *> members) {
  Operation *front = members.front();
  OpBuilder builder(members.back());
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (Operation *op : members) {
    llvm::append_range(operands, op->getOperands());
    llvm::append_range(types, op->getResultTypes());
    locations.push_back(op->getLoc());
  }
  OperationState state(FusedLoc::get(builder.getContext(), locations),
                       front->getName(), operands, types,
                       joinAttributes(members));
  Operation *joined = builder.create(state);
  moveUsersBehind(joined, members);
  size_t at = 0;
  for (Operation *op : members) {
    op->replaceAllUsesWith(joined->getResults().slice(at, op->getNumResults()));
    at += op->getNumResults();
    op->erase();
  }
}

namespace {
struct CombineCollectivesPass
    : partita::impl::CombineCollectivesPassBase<CombineCollectivesPass> {
  using CombineCollectivesPassBase::CombineCollectivesPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { combineIn(*block); });
  }

  void combineIn(Block &block);
  int64_t getLimit(Operation *op) const {
    return isa<comm::AllReduceOp, comm::ReduceScatterOp>(op) ? reduceLimit
                                                             : gatherLimit;
  }
};
} // namespace

void CombineCollectivesPass::combineIn(Block &block) {
  llvm::MapVector<Attribute, int64_t> counts;
  for (Operation &op : block)
    if (Attribute key = getLaunchKey(&op))
      ++counts[key];
  for (auto [key, count] : counts) {
    if (count < 2)
      continue;
    auto isMember = [&](Operation &op) { return getLaunchKey(&op) == key; };
    forEachLevel(block, isMember, [&](ArrayRef<Operation *> members) {
      SmallVector<Operation *> batch;
      int64_t bytes = 0;
      auto flush = [&] {
        if (batch.size() > 1)
          join(batch);
        batch.clear();
        bytes = 0;
      };
      for (Operation *op : members) {
        int64_t size = getResultBytes(op);
        if (bytes + size > getLimit(op))
          flush();
        batch.push_back(op);
        bytes += size;
      }
      flush();
    });
  }
}
