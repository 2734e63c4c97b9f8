//===- ScannedDims.cpp - Dimensions that loops run along ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/propagate/ScannedDims.h"

using namespace mlir;

namespace partita {

/// The dimensions along which a part at `indices` moves.
static llvm::BitVector getMoving(RankedTensorType whole, ArrayRef<int64_t> part,
                                 ValueRange indices) {
  llvm::BitVector dims(whole.getRank());
  for (auto [d, index] : llvm::enumerate(indices))
    if (part[d] < whole.getDimSize(d) && !matchPattern(index, m_Constant()))
      dims.set(d);
  return dims;
}

/// Where `dims` of an operand are in the result of an op that only converts or
/// transposes it, or the other way round; nothing for other ops.
static std::optional<llvm::BitVector>
passThrough(Operation *op, const llvm::BitVector &dims, bool isForward) {
  if (auto transpose = dyn_cast<core::TransposeOp>(op)) {
    llvm::BitVector moved(dims.size());
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      if (dims.test(isForward ? from : to))
        moved.set(isForward ? to : from);
    return moved;
  }
  if (op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() == 1)
    return dims;
  return std::nullopt;
}

ScannedDims::ScannedDims(Operation *root) {
  root->walk([&](core::WhileOp loop) {
    loop.getBody().walk([&](Operation *op) {
      if (auto slice = dyn_cast<core::DynamicSliceOp>(op))
        markRead(slice.getOperand(),
                 getMoving(slice.getOperand().getType(),
                           slice.getType().getShape(), slice.getIndices()));
      else if (auto update = dyn_cast<core::DynamicUpdateSliceOp>(op))
        markWritten(update.getResult(),
                    getMoving(update.getType(),
                              update.getUpdate().getType().getShape(),
                              update.getIndices()));
    });
  });
}

bool ScannedDims::add(Value value, const llvm::BitVector &dims) {
  llvm::BitVector &known = scanned[value];
  known.resize(dims.size());
  llvm::BitVector both = known;
  both |= dims;
  bool isNew = both != known;
  known = both;
  return isNew;
}

/// Follows a value up to where it is made.
void ScannedDims::markRead(Value value, const llvm::BitVector &dims) {
  if (dims.none() || !add(value, dims))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<core::WhileOp>(argument.getOwner()->getParentOp());
    if (loop)
      markRead(loop.getInits()[argument.getArgNumber()], dims);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (auto moved = passThrough(op, dims, /*isForward=*/false))
    markRead(op->getOperand(0), *moved);
}

/// Follows a value to where it is used when the loop is over.
void ScannedDims::markWritten(Value value, const llvm::BitVector &dims) {
  if (dims.none() || !add(value, dims))
    return;
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    if (isa<core::YieldOp>(op) && isa<core::WhileOp>(op->getParentOp()))
      markWritten(op->getParentOp()->getResult(use.getOperandNumber()), dims);
    else if (auto moved = passThrough(op, dims, /*isForward=*/true))
      markWritten(op->getResult(0), *moved);
  }
}

/// Takes the factors of the scanned dimensions of `dims` out of those
/// dimensions of `others` that have more.
static void takeOut(const FactorDims &dims, const llvm::BitVector &scanned,
                    FactorDims &others) {
  for (auto [d, factors] : llvm::enumerate(dims)) {
    if (d >= scanned.size() || !scanned.test(d))
      continue;
    for (auto &other : others) {
      bool hasMore = llvm::any_of(other, [&](int32_t factor) {
        return !llvm::is_contained(factors, factor);
      });
      if (hasMore)
        llvm::erase_if(other, [&](int32_t factor) {
          return llvm::is_contained(factors, factor);
        });
    }
  }
}

void ScannedDims::separate(core::ReshapeOp op, IndexRule &rule) const {
  takeOut(rule.results[0], scanned.lookup(op.getResult()), rule.operands[0]);
  takeOut(rule.operands[0], scanned.lookup(op.getOperand()), rule.results[0]);
}

} // namespace partita
