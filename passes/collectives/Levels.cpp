//===- Levels.cpp - Ops that may become one -------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Levels.h"

#include <map>

using namespace mlir;

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

void partita::forEachLevel(Block &block,
                           function_ref<bool(Operation &)> isMember,
                           function_ref<void(ArrayRef<Operation *>)> visit) {
  std::map<int64_t, SmallVector<Operation *>> levels;
  DenseMap<Operation *, int64_t> after;
  for (Operation &op : block) {
    int64_t level = 0;
    forEachSource(&op, [&](Operation *source) {
      level = std::max(level, after.lookup(source));
    });
    bool isOne = isMember(op);
    if (isOne)
      levels[level].push_back(&op);
    after[&op] = level + isOne;
  }
  for (auto &[level, members] : levels) {
    // Joining lower levels may have moved some behind others.
    llvm::sort(members, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    visit(members);
  }
}

void partita::moveUsersBehind(Operation *joined,
                              ArrayRef<Operation *> members) {
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
