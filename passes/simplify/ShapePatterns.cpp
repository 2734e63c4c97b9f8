//===- ShapePatterns.cpp - Rewrites of ops that move elements -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   broadcast (broadcast x)                    -> broadcast x
//   broadcast (reshape x), unit dims added     -> broadcast x
//   broadcast x, no element repeated           -> reshape x
//   broadcast x, same type, same order         -> x
//   reshape, transpose, slice, reverse of a scalar's broadcast -> broadcast
//   transpose x, only unit dims move           -> reshape x
//   reduce x, dimensions of size 1             -> reduce of the others, reshape
//   reduce (reduce x), same kind               -> reduce x
//
//===----------------------------------------------------------------------===//

#include "passes/simplify/Patterns.h"

using namespace mlir;

namespace partita {

namespace {

RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// For a reshape that only adds dimensions of size 1: the result dimension of
/// each operand dimension. Nothing for other reshapes.
std::optional<SmallVector<int64_t>> getKeptDims(core::ReshapeOp op) {
  ArrayRef<int64_t> from = getType(op.getOperand()).getShape();
  ArrayRef<int64_t> to = getType(op.getResult()).getShape();
  SmallVector<int64_t> dims;
  size_t next = 0;
  for (auto [d, size] : llvm::enumerate(to)) {
    if (next < from.size() && size == from[next]) {
      dims.push_back(static_cast<int64_t>(d));
      ++next;
    } else if (size != 1) {
      return std::nullopt;
    }
  }
  if (next != from.size())
    return std::nullopt;
  return dims;
}

/// broadcast of a broadcast, or of a reshape that adds unit dimensions.
struct ComposeBroadcasts : OpRewritePattern<core::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    Value source;
    SmallVector<int64_t> inner;
    if (auto first = op.getOperand().getDefiningOp<core::BroadcastOp>()) {
      source = first.getOperand();
      inner = SmallVector<int64_t>(first.getDims());
    } else if (auto first = op.getOperand().getDefiningOp<core::ReshapeOp>()) {
      std::optional<SmallVector<int64_t>> kept = getKeptDims(first);
      if (!kept)
        return rewriter.notifyMatchFailure(op, "the reshape does more");
      source = first.getOperand();
      inner = *kept;
    } else {
      return rewriter.notifyMatchFailure(op, "not of a broadcast or reshape");
    }
    SmallVector<int64_t> dims;
    for (int64_t dim : inner)
      dims.push_back(op.getDims()[dim]);
    rewriter.replaceOpWithNewOp<core::BroadcastOp>(op, op.getType(), source,
                                                   dims);
    return success();
  }
};

struct DropBroadcast : OpRewritePattern<core::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = getType(op.getOperand());
    RankedTensorType to = getType(op.getResult());
    if (from.getNumElements() != to.getNumElements() ||
        !llvm::is_sorted(op.getDims()))
      return rewriter.notifyMatchFailure(op, "repeats or moves elements");
    if (from == to)
      rewriter.replaceOp(op, op.getOperand());
    else
      rewriter.replaceOpWithNewOp<core::ReshapeOp>(op, to, op.getOperand());
    return success();
  }
};

/// An op that only moves elements, of elements that are all the same.
template <typename Op> struct MoveRepeated : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    // One element is not repeated: DropBroadcast would make a reshape of it.
    if (op.getType().getNumElements() == 1)
      return rewriter.notifyMatchFailure(op, "has one element");
    Value scalar = getRepeatedScalar(op.getOperand());
    if (!scalar)
      return rewriter.notifyMatchFailure(op, "elements differ");
    rewriter.replaceOpWithNewOp<core::BroadcastOp>(op, op.getType(), scalar,
                                                   ArrayRef<int64_t>{});
    return success();
  }
};

struct ReshapeForTranspose : OpRewritePattern<core::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getType(op.getOperand()).getShape();
    SmallVector<int64_t> moving;
    for (int64_t dim : op.getPermutation())
      if (shape[dim] != 1)
        moving.push_back(dim);
    if (!llvm::is_sorted(moving))
      return rewriter.notifyMatchFailure(op, "moves elements");
    rewriter.replaceOpWithNewOp<core::ReshapeOp>(op, op.getType(),
                                                 op.getOperand());
    return success();
  }
};

struct DropUnitReduction : OpRewritePattern<core::ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::ReduceOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getType(op.getOperand()).getShape();
    SmallVector<int64_t> units, others;
    for (int64_t dim : op.getDims())
      (shape[dim] == 1 ? units : others).push_back(dim);
    if (units.empty())
      return rewriter.notifyMatchFailure(op, "no dimension of size 1");
    // Drop the unit dimensions first, then reduce the others.
    SmallVector<int64_t> kept, dims;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      auto number = static_cast<int64_t>(dim);
      if (llvm::is_contained(units, number))
        continue;
      if (llvm::is_contained(others, number))
        dims.push_back(static_cast<int64_t>(kept.size()));
      kept.push_back(size);
    }
    Value value = core::ReshapeOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(kept, op.getType().getElementType()),
        op.getOperand());
    if (!dims.empty())
      value = core::ReduceOp::create(rewriter, op.getLoc(), op.getType(), value,
                                     dims, op.getKindAttr());
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct ComposeReductions : OpRewritePattern<core::ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::ReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<core::ReduceOp>();
    if (!inner || !inner->hasOneUse() ||
        inner.getKindAttr() != op.getKindAttr())
      return rewriter.notifyMatchFailure(op, "not of a reduction of its kind");
    SmallVector<int64_t> kept; // operand dimensions between the two
    for (int64_t dim = 0; dim < getType(inner.getOperand()).getRank(); ++dim)
      if (!llvm::is_contained(inner.getDims(), dim))
        kept.push_back(dim);
    SmallVector<int64_t> dims(inner.getDims());
    for (int64_t dim : op.getDims())
      dims.push_back(kept[dim]);
    llvm::sort(dims);
    rewriter.replaceOpWithNewOp<core::ReduceOp>(
        op, op.getType(), inner.getOperand(), dims, op.getKindAttr());
    return success();
  }
};

} // namespace

void addShapePatterns(RewritePatternSet &patterns) {
  patterns.add<ComposeBroadcasts, DropBroadcast, MoveRepeated<core::ReshapeOp>,
               MoveRepeated<core::TransposeOp>, MoveRepeated<core::SliceOp>,
               MoveRepeated<core::ReverseOp>, ReshapeForTranspose,
               DropUnitReduction, ComposeReductions>(patterns.getContext());
}

} // namespace partita
