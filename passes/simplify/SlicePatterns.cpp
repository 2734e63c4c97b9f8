//===- SlicePatterns.cpp - Slices of what was put together ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   slice (slice x)                      -> slice x
//   slice (concatenate x, y), in one     -> slice x
//   slice (concatenate x, y), across     -> concatenate (slice x), (slice y)
//   slice (pad x)                        -> pad (slice x)
//
// The last two where only slices use what is put together, which then is not
// needed. A halo that a program puts around an array is such a case: behind
// it each slice has the array's own size again, and lies on the devices as the
// array does.
//
//===----------------------------------------------------------------------===//

#include "passes/simplify/Patterns.h"

using namespace mlir;

namespace partita {

namespace {

RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool haveOnlySlices(Operation *op) {
  return llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<core::SliceOp>(user); });
}

/// The bounds of a slice.
struct Bounds {
  SmallVector<int64_t> starts, limits, strides;
  explicit Bounds(core::SliceOp op)
      : starts(op.getStarts()), limits(op.getLimits()),
        strides(op.getStrides()) {}

  Value slice(PatternRewriter &rewriter, Location loc, Value value) const {
    RankedTensorType type = getType(value);
    SmallVector<int64_t> shape;
    for (auto [start, limit, stride] : llvm::zip(starts, limits, strides))
      shape.push_back((limit - start + stride - 1) / stride);
    auto made = RankedTensorType::get(shape, type.getElementType());
    return rewriter.createOrFold<core::SliceOp>(loc, made, value, starts,
                                                limits, strides);
  }
};

struct SliceOfSlice : OpRewritePattern<core::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<core::SliceOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not of a slice");
    Bounds bounds(op);
    for (size_t d = 0; d < bounds.starts.size(); ++d) {
      int64_t start = inner.getStarts()[d], stride = inner.getStrides()[d];
      int64_t last = bounds.limits[d] - 1;
      bounds.starts[d] = start + bounds.starts[d] * stride;
      bounds.limits[d] = start + last * stride + 1;
      bounds.strides[d] *= stride;
    }
    rewriter.replaceOp(op,
                       bounds.slice(rewriter, op.getLoc(), inner.getOperand()));
    return success();
  }
};

struct SliceOfConcatenation : OpRewritePattern<core::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto join = op.getOperand().getDefiningOp<core::ConcatenateOp>();
    if (!join)
      return rewriter.notifyMatchFailure(op, "not of a concatenation");
    uint64_t d = join.getDim();
    Bounds whole(op);
    if (whole.starts[d] == whole.limits[d])
      return rewriter.notifyMatchFailure(op, "empty");
    SmallVector<std::pair<Value, Bounds>> parts;
    int64_t at = 0;
    for (Value operand : join.getOperands()) {
      int64_t size = getType(operand).getDimSize(d);
      Bounds part = whole;
      part.starts[d] = std::max<int64_t>(whole.starts[d] - at, 0);
      part.limits[d] = std::min(whole.limits[d] - at, size);
      if (part.starts[d] < part.limits[d])
        parts.push_back({operand, part});
      at += size;
    }
    if (parts.size() > 1 && (whole.strides[d] != 1 || !haveOnlySlices(join)))
      return rewriter.notifyMatchFailure(op, "the concatenation is needed");
    SmallVector<Value> slices;
    for (auto &[operand, part] : parts)
      slices.push_back(part.slice(rewriter, op.getLoc(), operand));
    if (slices.size() == 1)
      rewriter.replaceOp(op, slices.front());
    else
      rewriter.replaceOpWithNewOp<core::ConcatenateOp>(op, op.getType(), slices,
                                                       d);
    return success();
  }
};

/// What a slice of a padded dimension takes of what is padded, and the padding
/// around that. A slice with a stride takes from margins only, one of elements
/// with others between them has none.
struct PaddedRange {
  int64_t low, high, start, limit;
  PaddedRange(int64_t size, int64_t margin, int64_t from, int64_t to,
              int64_t stride, int64_t step) {
    if (step > 1) {
      start = getSteps(from - margin, step);
      limit = std::min(size, getSteps(to - margin, step));
      low = margin + start * step - from;
      high = to - (margin + (limit - 1) * step + 1);
      return;
    }
    int64_t count = getSteps(to - from, stride);
    low = std::min(count, getSteps(margin - from, stride));
    int64_t end = std::min(count, getSteps(size + margin - from, stride));
    high = count - end;
    start = from + low * stride - margin;
    limit = start + (end - low - 1) * stride + 1;
  }
  static int64_t getSteps(int64_t length, int64_t stride) {
    return std::max<int64_t>((length + stride - 1) / stride, 0);
  }
};

struct SliceOfPad : OpRewritePattern<core::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getOperand().getDefiningOp<core::PadOp>();
    if (!pad || !haveOnlySlices(pad))
      return rewriter.notifyMatchFailure(op, "not of a pad for slices only");
    Bounds bounds(op);
    SmallVector<int64_t> low(pad.getLow()), high(pad.getHigh());
    for (size_t d = 0; d < low.size(); ++d) {
      int64_t size = getType(pad.getOperand()).getDimSize(d);
      if (bounds.starts[d] == 0 && bounds.strides[d] == 1 &&
          bounds.limits[d] == getType(pad).getDimSize(d)) {
        bounds.limits[d] = size;
        continue;
      }
      int64_t step = pad.getInterior()[d] + 1;
      if (step > 1 ? bounds.strides[d] != 1 : low[d] < 0 || high[d] < 0)
        return rewriter.notifyMatchFailure(op, "more than margins");
      PaddedRange range(size, low[d], bounds.starts[d], bounds.limits[d],
                        bounds.strides[d], step);
      if (range.start >= range.limit)
        return rewriter.notifyMatchFailure(op, "of the margin alone");
      bounds.starts[d] = range.start;
      bounds.limits[d] = range.limit;
      low[d] = range.low;
      high[d] = range.high;
    }
    Value slice = bounds.slice(rewriter, op.getLoc(), pad.getOperand());
    rewriter.replaceOp(op, rewriter.createOrFold<core::PadOp>(
                               op.getLoc(), op.getType(), slice, pad.getValue(),
                               low, high, pad.getInterior()));
    return success();
  }
};

} // namespace

void addSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfSlice, SliceOfConcatenation, SliceOfPad>(
      patterns.getContext());
}

} // namespace partita
