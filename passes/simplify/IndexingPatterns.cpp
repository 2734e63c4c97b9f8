//===- IndexingPatterns.cpp - Indexing at places that are known -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   scatter x at one constant place, updates replace -> dynamic_update_slice
//   gather x at one constant place                   -> reshape (slice x)
//   dynamic_slice x at constants                     -> slice x
//
// What is taken or written at a known place is a window: where the dimension is
// split, devices exchange its borders and nothing else.
//
//===----------------------------------------------------------------------===//

#include "ir/core/Indexing.h"
#include "passes/simplify/Patterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace partita {

namespace {

RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

int64_t toInteger(const APInt &value, Type element) {
  return element.isUnsignedInteger()
             ? static_cast<int64_t>(value.getLimitedValue(INT64_MAX))
             : value.getSExtValue();
}

/// The elements of an integer constant, or of a broadcast of one, of at most
/// as many elements as a tensor has dimensions.
std::optional<SmallVector<int64_t>> getIntegers(Value value) {
  RankedTensorType type = getType(value);
  if (type.getNumElements() > 16)
    return std::nullopt;
  if (auto all = dyn_cast_or_null<IntegerAttr>(getRepeatedElement(value)))
    return SmallVector<int64_t>(
        type.getNumElements(),
        toInteger(all.getValue(), type.getElementType()));
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  SmallVector<int64_t> list;
  for (const APInt &element : elements.getValues<APInt>())
    list.push_back(toInteger(element, type.getElementType()));
  return list;
}

/// The place in the operand that the only index vector names, if it is known.
std::optional<SmallVector<int64_t>> getOnlyPlace(const core::IndexingView &view,
                                                 Value indices) {
  if (view.indices.getNumElements() !=
      static_cast<int64_t>(view.indexMap.size()))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> components = getIntegers(indices);
  if (!components)
    return std::nullopt;
  SmallVector<int64_t> place(view.operand.getRank(), 0);
  for (auto [dim, component] : llvm::zip(view.indexMap, *components))
    place[dim] = component;
  return place;
}

/// The window's shape with the operand's dimensions.
SmallVector<int64_t> getWindowShape(const core::IndexingView &view) {
  SmallVector<int64_t> shape(view.operand.getRank(), 1);
  for (auto [dim, to] : llvm::zip(view.getWindowOperandDims(), view.windowDims))
    shape[dim] = view.window.getDimSize(to);
  return shape;
}

struct ScatterToUpdate : OpRewritePattern<core::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::ScatterOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind())
      return rewriter.notifyMatchFailure(op, "updates are combined");
    core::IndexingView view = core::getIndexingView(op);
    auto place = getOnlyPlace(view, op.getIndices());
    if (!place)
      return rewriter.notifyMatchFailure(op, "not at one known place");
    SmallVector<int64_t> shape = getWindowShape(view);
    for (auto [at, size, whole] :
         llvm::zip(*place, shape, view.operand.getShape()))
      if (at < 0 || at + size > whole)
        return rewriter.notifyMatchFailure(op, "a part would be dropped");
    Value update = op.getUpdates();
    if (getType(update).getShape() != ArrayRef<int64_t>(shape))
      update = core::ReshapeOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(shape, view.operand.getElementType()), update);
    SmallVector<Value> indices;
    auto scalar = RankedTensorType::get({}, rewriter.getI64Type());
    for (int64_t at : *place)
      indices.push_back(core::ConstantOp::create(
          rewriter, op.getLoc(), DenseElementsAttr::get(scalar, at)));
    rewriter.replaceOpWithNewOp<core::DynamicUpdateSliceOp>(
        op, op.getType(), op.getOperand(), update, indices);
    return success();
  }
};

/// A slice of the operand from `place` on, moved back to where it fits.
Value makeSlice(PatternRewriter &rewriter, Location loc, Value operand,
                ArrayRef<int64_t> place, ArrayRef<int64_t> shape) {
  RankedTensorType type = getType(operand);
  SmallVector<int64_t> starts, limits, ones(type.getRank(), 1);
  for (auto [at, size, whole] : llvm::zip(place, shape, type.getShape())) {
    starts.push_back(std::clamp<int64_t>(at, 0, whole - size));
    limits.push_back(starts.back() + size);
  }
  return core::SliceOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      operand, starts, limits, ones);
}

struct GatherToSlice : OpRewritePattern<core::GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::GatherOp op,
                                PatternRewriter &rewriter) const override {
    core::IndexingView view = core::getIndexingView(op);
    auto place = getOnlyPlace(view, op.getIndices());
    if (!place)
      return rewriter.notifyMatchFailure(op, "not at one known place");
    Value slice = makeSlice(rewriter, op.getLoc(), op.getOperand(), *place,
                            op.getSliceSizes());
    if (slice.getType() != op.getType())
      slice =
          core::ReshapeOp::create(rewriter, op.getLoc(), op.getType(), slice);
    rewriter.replaceOp(op, slice);
    return success();
  }
};

struct DynamicSliceToSlice : OpRewritePattern<core::DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::DynamicSliceOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> place;
    for (Value index : op.getIndices()) {
      std::optional<SmallVector<int64_t>> at = getIntegers(index);
      if (!at)
        return rewriter.notifyMatchFailure(op, "an index is not constant");
      place.push_back(at->front());
    }
    rewriter.replaceOp(op, makeSlice(rewriter, op.getLoc(), op.getOperand(),
                                     place, op.getSizes()));
    return success();
  }
};

} // namespace

void addIndexingPatterns(RewritePatternSet &patterns) {
  patterns.add<ScatterToUpdate, GatherToSlice, DynamicSliceToSlice>(
      patterns.getContext());
}

} // namespace partita
