//===- CombineCollectives.cpp - Several collectives in a launch -*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a block and for one launch key, the *level* of an op is the largest
// number of collectives of that key on a path that leads to it. Between two
// collectives of one level there is no path, thus they may be joined; and as
// every path leads from a lower level to a higher one, joining all levels makes
// no cycle.
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Types.h"
#include "passes/collectives/Identity.h"
#include "passes/collectives/Passes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_COMBINECOLLECTIVESPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// Calls `visit` with each op of the block that `op`, or an op inside it, uses
/// a result of.
static void forEachSource(Operation *op,
                          function_ref<void(Operation *)> visit) {
  Block *block = op->getBlock();
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *source = operand.getDefiningOp())
        if (source->getBlock() == block && source != op)
          visit(source);
  });
}

/// The collectives of one key in a block, by level, each in block order.
static std::map<int64_t, SmallVector<Operation *>> getLevels(Block &block,
                                                             Attribute key) {
  std::map<int64_t, SmallVector<Operation *>> levels;
  DenseMap<Operation *, int64_t> after;
  for (Operation &op : block) {
    int64_t level = 0;
    forEachSource(&op, [&](Operation *source) {
      level = std::max(level, after.lookup(source));
    });
    bool isMember = getLaunchKey(&op) == key;
    if (isMember)
      levels[level].push_back(&op);
    after[&op] = level + isMember;
  }
  return levels;
}

/// What the results take on a device: of the global form, by its shardings.
static int64_t getResultBytes(Operation *op) {
  auto to = op->getAttrOfType<ArrayAttr>("to");
  int64_t bytes = 0;
  for (OpResult result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (to) {
      auto sharding = cast<ShardingAttr>(to[result.getResultNumber()]);
      Mesh mesh = lookupMesh(op, sharding.getMesh()).toMesh();
      type = RankedTensorType::get(
          getLocalShape(type.getShape(), sharding.toSharding(mesh)),
          type.getElementType());
    }
    bytes += getNumBytes(type);
  }
  return bytes;
}

/// The ops' attribute of that name, one list or array after the other.
static Attribute concatenate(ArrayRef<Operation *> ops, StringAttr name) {
  MLIRContext *context = name.getContext();
  if (isa<DenseI64ArrayAttr>(ops.front()->getAttr(name))) {
    SmallVector<int64_t> list;
    for (Operation *op : ops)
      llvm::append_range(
          list, op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef());
    return DenseI64ArrayAttr::get(context, list);
  }
  SmallVector<Attribute> list;
  for (Operation *op : ops)
    llvm::append_range(list, op->getAttrOfType<ArrayAttr>(name));
  return ArrayAttr::get(context, list);
}

/// Attributes with an entry per operand or result.
static bool isPerOperand(Operation *op, NamedAttribute attr) {
  static constexpr StringLiteral kNames[] = {
      "dims", "split_dims", "concat_dims", "from", "to", kShardingsAttrName};
  if (llvm::is_contained(kNames, attr.getName().getValue()))
    return true;
  auto list = dyn_cast<ArrayAttr>(attr.getValue());
  return list && op->getPropertiesStorage() &&
         op->getDiscardableAttr(attr.getName()) &&
         list.size() == op->getNumResults();
}

/// Moves what lies in front of `joined` and uses a result of `members` behind
/// it, in the same order.
static void moveUsersBehind(Operation *joined, ArrayRef<Operation *> members) {
  DenseSet<Operation *> moved(members.begin(), members.end());
  Operation *last = joined;
  for (Operation *op = members.front(); op != joined;) {
    Operation *next = op->getNextNode();
    bool isUser = false;
    forEachSource(op,
                  [&](Operation *source) { isUser |= moved.contains(source); });
    if (isUser) {
      moved.insert(op);
      op->moveAfter(last);
      last = op;
    }
    op = next;
  }
}

/// Makes one op of several of one block, in the place of the last.
static void join(SmallVector<Operation *> members) {
  llvm::sort(members,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
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
  SmallVector<NamedAttribute> attrs;
  for (NamedAttribute attr : front->getAttrs()) {
    bool isOnAll = llvm::all_of(
        members, [&](Operation *op) { return op->hasAttr(attr.getName()); });
    if (isPerOperand(front, attr) && isOnAll)
      attrs.emplace_back(attr.getName(), concatenate(members, attr.getName()));
    else if (front->getInherentAttr(attr.getName()))
      attrs.push_back(attr);
  }
  OperationState state(FusedLoc::get(builder.getContext(), locations),
                       front->getName(), operands, types, attrs);
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
    for (auto &[level, members] : getLevels(block, key)) {
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
    }
  }
}
