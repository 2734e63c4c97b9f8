//===- LocaliseWindow.cpp - Ops that shift indices, in local form ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Localise.h"
#include "sharding/partition/Window.h"

using namespace mlir;

namespace partita {

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// i1 vector along a result dimension: whose global index is in [low, high).
static Value makeRangeMask(LocalBuilder &local, const LocalDim &dim,
                           int64_t low, int64_t high) {
  Value at = local.makeGlobalIndices(dim, local.getBuilder().getI32Type());
  RankedTensorType type = getTensor(at);
  Value above = local.compare(at, local.makeSplat(type, low), Comparison::Ge);
  Value below = local.compare(at, local.makeSplat(type, high), Comparison::Lt);
  return core::AndOp::create(local.getBuilder(), local.getLoc(), above, below);
}

static Value selectAlong(LocalBuilder &local, Value mask, int64_t d,
                         Value inside, Value outside) {
  RankedTensorType type = getTensor(inside);
  return core::SelectOp::create(local.getBuilder(), local.getLoc(), type,
                                local.broadcastAlong(mask, d, type.getShape()),
                                inside, outside);
}

static void finish(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

/// A slice of one element of each of these split dimensions: nothing to add on
/// all devices but the owner.
static Value sliceOwned(const LocalOp &self, LocalBuilder &local, Value value,
                        ArrayRef<int64_t> owned) {
  auto op = cast<core::SliceOp>(self.op);
  OpBuilder &builder = local.getBuilder();
  RankedTensorType type = getTensor(value);
  SmallVector<int64_t> starts(type.getRank(), 0), ones(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape()), limits(type.getShape());
  Value isOwn;
  for (int64_t d : owned) {
    LocalDim dim = self.operands[0].getDim(d);
    int64_t at = op.getStarts()[d];
    starts[d] = at % dim.local;
    limits[d] = starts[d] + 1;
    shape[d] = 1;
    Value first = local.makeShardStart(dim, builder.getI32Type());
    Value isHere =
        local.compare(first, local.makeSplat(getTensor(first), at - starts[d]),
                      Comparison::Eq);
    isOwn = isOwn ? core::AndOp::create(builder, op.getLoc(), isOwn, isHere)
                        .getResult()
                  : isHere;
  }
  auto made = local.getType(shape, type.getElementType());
  Value slice = core::SliceOp::create(builder, op.getLoc(), made, value, starts,
                                      limits, ones);
  return core::SelectOp::create(builder, op.getLoc(), made,
                                local.broadcast(isOwn, shape), slice,
                                local.makeIdentity(made, ReductionKind::Sum));
}

/// `count` elements of a dimension, the first one and then one per stride.
static Value takeEvery(LocalBuilder &local, Value value, int64_t d,
                       int64_t count, int64_t stride) {
  if (stride == 1)
    return value;
  RankedTensorType type = getTensor(value);
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape()), limits(shape);
  shape[d] = count;
  strides[d] = stride;
  return core::SliceOp::create(local.getBuilder(), local.getLoc(),
                               local.getType(shape, type.getElementType()),
                               value, starts, limits, strides);
}

void localiseSlice(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::SliceOp>(self.op);
  local.getBuilder().setInsertionPoint(op);
  SmallVector<int64_t> starts(op.getStarts()), limits(op.getLimits());
  SmallVector<int64_t> strides(op.getStrides()), shifted, owned;
  SmallVector<int64_t> shape(self.operands[0].local.getShape());
  for (int64_t d = 0; d < self.operands[0].local.getRank(); ++d) {
    LocalDim dim = self.operands[0].getDim(d), to = self.results[0].getDim(d);
    if (!dim.isSplit() && !to.isSplit()) {
      shape[d] = to.local;
      continue;
    }
    if (dim.global != to.global)
      (to.isSplit() ? shifted : owned).push_back(d);
    starts[d] = 0;
    limits[d] = dim.local;
    strides[d] = 1;
  }
  if (shifted.empty() && owned.empty()) {
    op.setLimits(limits);
    return;
  }
  Value value = op.getOperand();
  auto rest = local.getType(shape, op.getType().getElementType());
  if (value.getType() != rest)
    value = core::SliceOp::create(local.getBuilder(), op.getLoc(), rest, value,
                                  starts, limits, strides);
  if (!owned.empty())
    value = sliceOwned(self, local, value, owned);
  for (int64_t d : shifted) {
    LocalDim to = self.results[0].getDim(d);
    int64_t stride = op.getStrides()[d];
    value = takeWindow(local, value, d, self.operands[0].getDim(d),
                       getSpan(to, stride),
                       getWindowStarts(to, op.getStarts()[d], stride));
    value = takeEvery(local, value, d, to.local, stride);
  }
  finish(op, value);
}

/// The part of a pad along a dimension where it puts elements between others.
static Value stretch(LocalBuilder &local, Value value, core::PadOp op,
                     int64_t d, const LocalDim &from, const LocalDim &to) {
  OpBuilder &builder = local.getBuilder();
  StretchedWindows windows = getStretchedWindows(op, d, from, to);
  value = takeWindow(local, value, d, from, windows.span, windows.starts);
  RankedTensorType type = getTensor(value);
  int64_t step = op.getInterior()[d] + 1;
  // The first element in place step - 1, and enough behind the last.
  SmallVector<int64_t> none(type.getRank(), 0), low(none), high(none),
      interior(none), shape(type.getShape());
  low[d] = interior[d] = step - 1;
  int64_t length = (windows.span.local - 1) * step + 1;
  high[d] = std::max<int64_t>(to.local - length, 0);
  shape[d] = low[d] + length + high[d];
  value = core::PadOp::create(builder, op.getLoc(),
                              local.getType(shape, type.getElementType()),
                              value, op.getValue(), low, high, interior);
  SmallVector<int64_t> offsets;
  for (int64_t device = 0; device < local.getMesh().getNumDevices(); ++device)
    offsets.push_back(
        step - 1 -
        windows.places[local.getMesh().getCoordinate(device, to.axes)]);
  SmallVector<Value> indices(
      type.getRank(),
      local.lookUpByDevice(SmallVector<int64_t>(offsets.size(), 0)));
  indices[d] = local.lookUpByDevice(offsets);
  shape[d] = to.local;
  return core::DynamicSliceOp::create(
      builder, op.getLoc(), local.getType(shape, type.getElementType()), value,
      indices, shape);
}

void localisePad(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::PadOp>(self.op);
  local.getBuilder().setInsertionPoint(op);
  SmallVector<int64_t> low(op.getLow()), high(op.getHigh()), shifted;
  SmallVector<int64_t> interior(op.getInterior());
  SmallVector<int64_t> shape(self.results[0].local.getShape());
  for (int64_t d = 0; d < self.results[0].local.getRank(); ++d)
    if (self.results[0].getDim(d).isSplit() &&
        (low[d] != 0 || high[d] != 0 || interior[d] != 0)) {
      shifted.push_back(d);
      low[d] = high[d] = interior[d] = 0;
      shape[d] = self.operands[0].local.getDimSize(d);
    }
  if (shifted.empty())
    return;
  RankedTensorType type = self.results[0].local;
  Value value = op.getOperand();
  auto rest = local.getType(shape, type.getElementType());
  if (value.getType() != rest)
    value = core::PadOp::create(local.getBuilder(), op.getLoc(), rest, value,
                                op.getValue(), low, high, interior);
  for (int64_t d : shifted) {
    LocalDim to = self.results[0].getDim(d);
    LocalDim from = self.operands[0].getDim(d);
    int64_t begin = op.getLow()[d], step = op.getInterior()[d] + 1;
    if (step > 1)
      value = stretch(local, value, op, d, from, to);
    else
      value =
          takeWindow(local, value, d, from, to, getWindowStarts(to, -begin));
    Value mask =
        makeRangeMask(local, to, begin, begin + (from.global - 1) * step + 1);
    Value filler = local.broadcast(op.getValue(), getTensor(value).getShape());
    value = selectAlong(local, mask, d, value, filler);
  }
  finish(op, value);
}

void localiseReverse(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::ReverseOp>(self.op);
  local.getBuilder().setInsertionPoint(op);
  Value value = op.getOperand();
  for (int64_t d : op.getDims()) {
    LocalDim dim = self.results[0].getDim(d);
    if (!dim.isSplit())
      continue;
    SmallVector<int64_t> starts = getWindowStarts(dim, 0);
    for (int64_t &start : starts)
      start = dim.global - start - dim.local;
    value =
        takeWindow(local, value, d, self.operands[0].getDim(d), dim, starts);
  }
  op.setOperand(value);
}

void localiseConcatenate(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::ConcatenateOp>(self.op);
  auto d = static_cast<int64_t>(op.getDim());
  LocalDim to = self.results[0].getDim(d);
  if (!to.isSplit())
    return;
  local.getBuilder().setInsertionPoint(op);
  Value result;
  int64_t at = 0;
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    const LocalDim from = self.operands[i].getDim(d);
    Value window =
        takeWindow(local, operand, d, from, to, getWindowStarts(to, -at));
    if (result) {
      Value mask = makeRangeMask(local, to, at, at + from.global);
      window = selectAlong(local, mask, d, window, result);
    }
    result = window;
    at += from.global;
  }
  finish(op, result);
}

void localiseStaticUpdate(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::DynamicUpdateSliceOp>(self.op);
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  const LocalValue &whole = self.operands[0], &part = self.operands[1];
  SmallVector<Value> indices(op.getIndices());
  Value update = op.getUpdate();
  SmallVector<std::pair<int64_t, Value>> masks;
  for (int64_t d = 0; d < whole.local.getRank(); ++d) {
    LocalDim from = part.getDim(d), to = whole.getDim(d);
    if (!to.isSplit() || from.global == to.global)
      continue;
    int64_t at = *getConstantIndex(indices[d], to.global - from.global);
    update = takeWindow(local, update, d, from, to, getWindowStarts(to, -at));
    masks.push_back({d, makeRangeMask(local, to, at, at + from.global)});
    indices[d] = local.makeSplat(getTensor(indices[d]), 0);
  }
  if (masks.empty())
    return;
  Value result = core::DynamicUpdateSliceOp::create(
      builder, op.getLoc(), whole.local, op.getOperand(), update, indices);
  for (auto [d, mask] : masks)
    result = selectAlong(local, mask, d, result, op.getOperand());
  finish(op, result);
}

} // namespace partita
