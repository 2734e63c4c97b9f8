//===- CheapProducers.cpp - Values that each use may compute anew ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/propagate/CheapProducers.h"

#include "ir/core/Core.h"

using namespace mlir;

namespace partita {

/// A value of more ops than this is computed once.
static constexpr unsigned kMaxCheapOps = 6;

namespace {
class CheapProducers {
public:
  explicit CheapProducers(Operation *theRoot) : root(theRoot) {}

  void split() {
    SmallVector<Operation *> ops;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (count(op) > 0)
        cheap.insert(op);
    // Users first: a copy made for a use is then a use of what it is made of.
    for (Operation *op : llvm::reverse(ops))
      if (cheap.contains(op))
        splitUses(op);
  }

private:
  /// The number of ops that `op`'s value takes; 0 if it is not cheap.
  unsigned count(Operation *op) {
    auto [it, isNew] = counts.try_emplace(op, 0);
    if (!isNew)
      return it->second;
    unsigned n = computeCount(op);
    return counts[op] = n;
  }

  unsigned computeCount(Operation *op) {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 0)
      return 0;
    if (isa<core::ConstantOp, core::IotaOp>(op))
      return 1;
    if (!isa<core::BroadcastOp, core::ReshapeOp, core::TransposeOp>(op) &&
        !op->hasTrait<OpTrait::Elementwise>())
      return 0;
    unsigned n = 1;
    for (Value operand : op->getOperands()) {
      if (cast<RankedTensorType>(operand.getType()).getRank() == 0)
        continue;
      Operation *source = operand.getDefiningOp();
      unsigned inner = source ? count(source) : 0;
      if (inner == 0)
        return 0;
      n += inner;
    }
    return n <= kMaxCheapOps ? n : 0;
  }

  /// Copies `op` for each use but the first.
  void splitUses(Operation *op) {
    Value value = op->getResult(0);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
    // The list of uses runs backwards; keep the original for the first.
    for (OpOperand *use : llvm::drop_end(uses)) {
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      use->set(builder.clone(*op)->getResult(0));
    }
  }

  Operation *root;
  llvm::DenseMap<Operation *, unsigned> counts;
  llvm::DenseSet<Operation *> cheap;
};
} // namespace

void splitCheapProducers(Operation *root) { CheapProducers(root).split(); }

} // namespace partita
