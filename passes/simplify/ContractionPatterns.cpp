//===- ContractionPatterns.cpp - Rewrites of products ---------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   dot (transpose a), b, order of free dims kept   -> dot a, b
//   transpose (dot a, b), one use, operands swapped -> dot b, a
//
//===----------------------------------------------------------------------===//

#include "passes/simplify/Patterns.h"

using namespace mlir;

namespace partita {

namespace {

/// The dimensions of an operand that are neither batch nor contracted.
SmallVector<int64_t> getFreeDims(Value operand, ArrayRef<int64_t> batch,
                                 ArrayRef<int64_t> contract) {
  SmallVector<int64_t> dims;
  int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contract, dim))
      dims.push_back(dim);
  return dims;
}

/// One side of a product, behind a transpose if there is one that a dot can do.
struct Side {
  Value operand;
  SmallVector<int64_t> batch, contract;

  /// Whether it now looks through a transpose.
  bool lookThroughTranspose() {
    auto transpose = operand.getDefiningOp<core::TransposeOp>();
    if (!transpose)
      return false;
    auto map = [&](ArrayRef<int64_t> dims) {
      return llvm::map_to_vector(
          dims, [&](int64_t dim) { return transpose.getPermutation()[dim]; });
    };
    // Free dimensions keep their order in the result.
    if (!llvm::is_sorted(map(getFreeDims(operand, batch, contract))))
      return false;
    batch = map(batch);
    contract = map(contract);
    operand = transpose.getOperand();
    return true;
  }
};

struct LookThroughTranspose : OpRewritePattern<core::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::DotOp op,
                                PatternRewriter &rewriter) const override {
    Side lhs{op.getLhs(), SmallVector<int64_t>(op.getLhsBatch()),
             SmallVector<int64_t>(op.getLhsContract())};
    Side rhs{op.getRhs(), SmallVector<int64_t>(op.getRhsBatch()),
             SmallVector<int64_t>(op.getRhsContract())};
    bool hasLeft = lhs.lookThroughTranspose();
    bool hasRight = rhs.lookThroughTranspose();
    if (!hasLeft && !hasRight)
      return rewriter.notifyMatchFailure(op, "no transposed operand");
    rewriter.replaceOpWithNewOp<core::DotOp>(op, op.getType(), lhs.operand,
                                             rhs.operand, lhs.batch, rhs.batch,
                                             lhs.contract, rhs.contract);
    return success();
  }
};

struct SwapForTranspose : OpRewritePattern<core::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto dot = op.getOperand().getDefiningOp<core::DotOp>();
    if (!dot || !dot->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not of a product of its own");
    auto batch = static_cast<int64_t>(dot.getLhsBatch().size());
    auto left = static_cast<int64_t>(
        getFreeDims(dot.getLhs(), dot.getLhsBatch(), dot.getLhsContract())
            .size());
    int64_t rank = op.getType().getRank();
    // batch, then what was on the right, then what was on the left.
    SmallVector<int64_t> swapped;
    for (int64_t dim = 0; dim < batch; ++dim)
      swapped.push_back(dim);
    for (int64_t dim = batch + left; dim < rank; ++dim)
      swapped.push_back(dim);
    for (int64_t dim = batch; dim < batch + left; ++dim)
      swapped.push_back(dim);
    if (op.getPermutation() != ArrayRef<int64_t>(swapped))
      return rewriter.notifyMatchFailure(op, "does more than swap the sides");
    rewriter.replaceOpWithNewOp<core::DotOp>(
        op, op.getType(), dot.getRhs(), dot.getLhs(), dot.getRhsBatch(),
        dot.getLhsBatch(), dot.getRhsContract(), dot.getLhsContract());
    return success();
  }
};

} // namespace

void addContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<LookThroughTranspose, SwapForTranspose>(patterns.getContext());
}

} // namespace partita
