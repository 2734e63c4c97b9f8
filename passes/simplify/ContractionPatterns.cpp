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

/// What a transpose of a product makes of one side of it: the order of its free
/// dimensions.
struct FreeOrder {
  SmallVector<int64_t> dims;  ///< Of the operand, as they stand there.
  SmallVector<int64_t> order; ///< Numbers of `dims`, as the result has them.

  bool isKept() const { return llvm::is_sorted(order); }

  /// Whether the operand can take that order while its last dimension, along
  /// which it is read, stays where it is.
  bool isCheapFor(Value operand) const {
    int64_t last = cast<RankedTensorType>(operand.getType()).getRank() - 1;
    return isKept() || dims.back() != last ||
           order.back() + 1 == static_cast<int64_t>(dims.size());
  }

  Value apply(PatternRewriter &rewriter, Location loc, Value operand) const {
    if (isKept())
      return operand;
    auto type = cast<RankedTensorType>(operand.getType());
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    for (auto [place, number] : llvm::zip(dims, order))
      permutation[place] = dims[number];
    auto shape = llvm::map_to_vector(
        permutation, [&](int64_t dim) { return type.getDimSize(dim); });
    return core::TransposeOp::create(
        rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
        operand, permutation);
  }
};

/// transpose(dot(a, b)) becomes dot(a', b') or dot(b', a'), where batch and
/// free dimensions stand as the transpose has them.
struct AbsorbTranspose : OpRewritePattern<core::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto dot = op.getOperand().getDefiningOp<core::DotOp>();
    if (!dot || !dot->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not of a product of its own");
    size_t batch = dot.getLhsBatch().size();
    FreeOrder left{
        getFreeDims(dot.getLhs(), dot.getLhsBatch(), dot.getLhsContract()), {}};
    FreeOrder right{
        getFreeDims(dot.getRhs(), dot.getRhsBatch(), dot.getRhsContract()), {}};
    SmallVector<int64_t> leftBatch, rightBatch;
    bool isSwapped = false, isApart = true;
    for (auto [place, source] : llvm::enumerate(op.getPermutation())) {
      auto dim = static_cast<size_t>(source);
      if (dim < batch) {
        isApart &= place < batch;
        leftBatch.push_back(dot.getLhsBatch()[dim]);
        rightBatch.push_back(dot.getRhsBatch()[dim]);
        continue;
      }
      bool isLeft = dim < batch + left.dims.size();
      if (place == batch)
        isSwapped = !isLeft && !left.dims.empty();
      FreeOrder &side = isLeft ? left : right, &other = isLeft ? right : left;
      bool isFirst = isLeft != isSwapped;
      isApart &= isFirst ? other.order.empty()
                         : other.order.size() == other.dims.size();
      side.order.push_back(
          static_cast<int64_t>(dim - batch - (isLeft ? 0 : left.dims.size())));
    }
    if (!isApart || !left.isCheapFor(dot.getLhs()) ||
        !right.isCheapFor(dot.getRhs()))
      return rewriter.notifyMatchFailure(op, "mixes the sides");
    Value lhs = left.apply(rewriter, op.getLoc(), dot.getLhs());
    Value rhs = right.apply(rewriter, op.getLoc(), dot.getRhs());
    SmallVector<int64_t> leftContract(dot.getLhsContract());
    SmallVector<int64_t> rightContract(dot.getRhsContract());
    if (isSwapped) {
      std::swap(lhs, rhs);
      std::swap(leftBatch, rightBatch);
      std::swap(leftContract, rightContract);
    }
    rewriter.replaceOpWithNewOp<core::DotOp>(op, op.getType(), lhs, rhs,
                                             leftBatch, rightBatch,
                                             leftContract, rightContract);
    return success();
  }
};

} // namespace

void addContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<LookThroughTranspose, AbsorbTranspose>(patterns.getContext());
}

} // namespace partita
