//===- LocaliseIndexing.cpp - Indexed reads and writes, local form --------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Indexing.h"
#include "sharding/partition/Localise.h"

using namespace mlir;

namespace partita {

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A signed integer type that holds all indices of the type and those of a
/// dimension: differences must not wrap.
static Type getIndexType(Type element, MLIRContext *context) {
  unsigned width = element.getIntOrFloatBitWidth();
  bool needsWide = width == 64 || (width == 32 && element.isUnsignedInteger());
  return IntegerType::get(context, needsWide ? 64 : 32);
}

/// Clamps indices to [0, last].
static Value clampIndex(LocalBuilder &local, Value index, int64_t last) {
  RankedTensorType type = getTensor(index);
  return core::ClampOp::create(local.getBuilder(), local.getLoc(), type,
                               local.makeSplat(type, 0), index,
                               local.makeSplat(type, last));
}

static Value isInShard(LocalBuilder &local, Value component, int64_t size) {
  RankedTensorType type = getTensor(component);
  Value low =
      local.compare(component, local.makeSplat(type, 0), Comparison::Ge);
  Value high =
      local.compare(component, local.makeSplat(type, size), Comparison::Lt);
  return core::AndOp::create(local.getBuilder(), local.getLoc(), low, high);
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

void localiseDynamicSlice(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::DynamicSliceOp>(self.op);
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  SmallVector<int64_t> sizes(op.getSizes());
  SmallVector<Value> indices(op.getIndices());
  Value isOwn;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    LocalDim dim = self.operands[0].getDim(static_cast<int64_t>(d));
    if (!dim.isSplit())
      continue;
    if (size == dim.global) {
      size = dim.local;
      continue;
    }
    Type type =
        getIndexType(getTensor(indices[d]).getElementType(), op.getContext());
    Value index =
        clampIndex(local, local.convert(indices[d], type), dim.global - size);
    index = core::SubOp::create(builder, op.getLoc(), index,
                                local.makeShardStart(dim, type));
    Value inside = isInShard(local, index, dim.local);
    isOwn = isOwn ? core::AndOp::create(builder, op.getLoc(), isOwn, inside)
                        .getResult()
                  : inside;
    indices[d] = index;
  }
  op.setSizes(sizes);
  op.getIndicesMutable().assign(indices);
  if (!isOwn)
    return;
  builder.setInsertionPointAfter(op);
  RankedTensorType type = op.getType();
  Value result = core::SelectOp::create(
      builder, op.getLoc(), type, local.broadcast(isOwn, type.getShape()),
      op.getResult(), local.makeIdentity(type, ReductionKind::Sum));
  op.getResult().replaceAllUsesExcept(result, result.getDefiningOp());
}

void localiseDynamicUpdateSlice(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::DynamicUpdateSliceOp>(self.op);
  const LocalValue &whole = self.operands[0], &part = self.operands[1];
  for (int64_t d = 0; d < whole.local.getRank(); ++d)
    if (part.getDim(d).isSplit() &&
        part.global.getDimSize(d) != whole.global.getDimSize(d))
      return localiseStaticUpdate(self, local);
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  SmallVector<Value> indices(op.getIndices());
  int64_t rank = whole.local.getRank();
  // The shard is widened by the update's size on both sides: what another
  // device writes falls there and is cut off.
  SmallVector<int64_t> margin(rank, 0), shape(whole.local.getShape());
  for (int64_t d = 0; d < rank; ++d) {
    LocalDim dim = whole.getDim(d);
    int64_t size = part.global.getDimSize(d);
    if (!dim.isSplit() || size == dim.global)
      continue;
    Type type =
        getIndexType(getTensor(indices[d]).getElementType(), op.getContext());
    Value index =
        clampIndex(local, local.convert(indices[d], type), dim.global - size);
    index = core::SubOp::create(builder, op.getLoc(), index,
                                local.makeShardStart(dim, type));
    index = core::AddOp::create(builder, op.getLoc(), index,
                                local.makeSplat(getTensor(index), size));
    // Far away on either side is as good as next to the shard.
    indices[d] = clampIndex(local, index, dim.local + size);
    margin[d] = size;
    shape[d] += 2 * size;
  }
  if (ArrayRef<int64_t>(shape) == whole.local.getShape())
    return;
  Type element = whole.local.getElementType();
  SmallVector<int64_t> none(rank, 0), ones(rank, 1), limits;
  for (auto [size, low] : llvm::zip(whole.local.getShape(), margin))
    limits.push_back(size + low);
  Value zero = local.makeSplat(local.getType({}, element), 0);
  Value wide =
      core::PadOp::create(builder, op.getLoc(), local.getType(shape, element),
                          op.getOperand(), zero, margin, margin, none);
  Value written = core::DynamicUpdateSliceOp::create(
      builder, op.getLoc(), wide.getType(), wide, op.getUpdate(), indices);
  Value result = core::SliceOp::create(builder, op.getLoc(), whole.local,
                                       written, margin, limits, ones);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

namespace {
/// The components of a tensor of index vectors, to be changed one by one.
class IndexVectors {
public:
  IndexVectors(LocalBuilder &theLocal, Value theIndices, int64_t theDim,
               size_t theCount)
      : local(theLocal), indices(theIndices), vectorDim(theDim),
        count(theCount) {
    indices =
        local.convert(indices, getIndexType(getTensor(indices).getElementType(),
                                            indices.getContext()));
  }

  Type getElementType() const { return getTensor(indices).getElementType(); }

  Value get(size_t k) {
    RankedTensorType type = getTensor(indices);
    if (vectorDim == type.getRank() || count == 1)
      return indices;
    SmallVector<int64_t> starts(type.getRank(), 0), ones(type.getRank(), 1),
        limits(type.getShape()), shape(type.getShape());
    starts[vectorDim] = static_cast<int64_t>(k);
    limits[vectorDim] = static_cast<int64_t>(k) + 1;
    shape[vectorDim] = 1;
    return core::SliceOp::create(local.getBuilder(), local.getLoc(),
                                 local.getType(shape, type.getElementType()),
                                 indices, starts, limits, ones);
  }

  void set(size_t k, Value component) {
    if (count == 1) {
      indices = component;
      return;
    }
    SmallVector<Value> parts;
    for (size_t i = 0; i < count; ++i)
      parts.push_back(i == k ? component : get(i));
    indices = core::ConcatenateOp::create(local.getBuilder(), local.getLoc(),
                                          indices.getType(), parts,
                                          static_cast<uint64_t>(vectorDim));
  }

  void setAll(Value theIndices) { indices = theIndices; }
  Value getAll() const { return indices; }

private:
  LocalBuilder &local;
  Value indices;
  int64_t vectorDim;
  size_t count;
};
} // namespace

/// The indices counted from the device's first, along a split dimension.
static Value shiftToShard(LocalBuilder &local, Value component,
                          const LocalDim &dim) {
  RankedTensorType type = getTensor(component);
  Value start = local.makeShardStart(dim, type.getElementType());
  return core::SubOp::create(local.getBuilder(), local.getLoc(), component,
                             local.broadcast(start, type.getShape()));
}

void localiseGather(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::GatherOp>(self.op);
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  core::IndexingView view = core::getIndexingView(op);
  SmallVector<int64_t> sizes(op.getSliceSizes());
  const LocalValue &operand = self.operands[0];
  IndexVectors vectors(local, op.getIndices(), view.indexVectorDim,
                       view.indexMap.size());
  Value mask;
  for (auto [k, d] : llvm::enumerate(view.indexMap)) {
    LocalDim dim = operand.getDim(d);
    if (!dim.isSplit() || sizes[d] == dim.global)
      continue;
    Value component = clampIndex(local, vectors.get(k), dim.global - 1);
    component = shiftToShard(local, component, dim);
    Value inside = isInShard(local, component, dim.local);
    mask = mask ? core::AndOp::create(builder, op.getLoc(), mask, inside)
                      .getResult()
                : inside;
    vectors.set(k, component);
  }
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size == operand.global.getDimSize(d))
      size = operand.local.getDimSize(d);
  op.setSliceSizes(sizes);
  if (!mask)
    return;
  op.getIndicesMutable().assign(vectors.getAll());
  builder.setInsertionPointAfter(op);
  SmallVector<int64_t> shape;
  for (int64_t d : view.getIndicesDims())
    shape.push_back(view.indices.getDimSize(d));
  auto flat = local.getType(shape, builder.getI1Type());
  if (mask.getType() != flat)
    mask = core::ReshapeOp::create(builder, op.getLoc(), flat, mask);
  auto wide = local.getType(op.getType().getShape(), builder.getI1Type());
  if (mask.getType() != wide || !view.windowDims.empty())
    mask = core::BroadcastOp::create(builder, op.getLoc(), wide, mask,
                                     view.getBatchDims());
  Value result = core::SelectOp::create(
      builder, op.getLoc(), op.getType(), mask, op.getResult(),
      local.makeIdentity(op.getType(), ReductionKind::Sum));
  op.getResult().replaceAllUsesExcept(result, result.getDefiningOp());
}

/// Whether a value is full of what the kind leaves unchanged, zero at least.
static bool isZero(Value value, ReductionKind kind) {
  if (kind != ReductionKind::Sum && kind != ReductionKind::Or &&
      kind != ReductionKind::Xor)
    return false;
  while (auto op = value.getDefiningOp<core::BroadcastOp>())
    value = op.getOperand();
  auto constant = value.getDefiningOp<core::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat)
    return false;
  Attribute number = splat.getSplatValue<Attribute>();
  if (auto real = dyn_cast<FloatAttr>(number))
    return real.getValue().isPosZero();
  auto integer = dyn_cast<IntegerAttr>(number);
  return integer && integer.getValue().isZero();
}

/// Along `axes` only the devices at coordinate 0 keep the value, the others get
/// the kind's identity.
static Value keepOnce(LocalBuilder &local, Value value, ArrayRef<AxisRef> axes,
                      ReductionKind kind) {
  RankedTensorType type = getTensor(value);
  OpBuilder &builder = local.getBuilder();
  auto scalar = local.getType({}, builder.getI32Type());
  Value index = comm::AxisIndexOp::create(builder, local.getLoc(), scalar,
                                          local.getMeshName().getValue(),
                                          local.getAxesAttr(axes));
  Value isFirst =
      local.compare(index, local.makeSplat(scalar, 0), Comparison::Eq);
  return core::SelectOp::create(builder, local.getLoc(), type,
                                local.broadcast(isFirst, type.getShape()),
                                value, local.makeIdentity(type, kind));
}

void localiseScatter(const LocalOp &self, LocalBuilder &local) {
  auto op = cast<core::ScatterOp>(self.op);
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  core::IndexingView view = core::getIndexingView(op);
  const LocalValue &operand = self.operands[0], &indices = self.operands[1];
  const LocalValue &updates = self.operands[2];
  IndexVectors vectors(local, op.getIndices(), view.indexVectorDim,
                       view.indexMap.size());
  SmallVector<int64_t> windows(view.operand.getRank(), 1);
  for (auto [d, to] : llvm::zip(view.getWindowOperandDims(), view.windowDims))
    windows[d] = updates.global.getDimSize(to);
  bool isChanged = false;
  for (auto [k, d] : llvm::enumerate(view.indexMap)) {
    LocalDim dim = operand.getDim(d);
    if (!dim.isSplit() || windows[d] == dim.global)
      continue;
    vectors.set(k, shiftToShard(local, vectors.get(k), dim));
    isChanged = true;
  }
  // Updates in the padding of a split batch dimension go nowhere.
  for (int64_t d : view.getIndicesDims()) {
    LocalDim dim = indices.getDim(d);
    if (!dim.isPadded())
      continue;
    Value all = vectors.getAll();
    vectors.setAll(
        local.maskPadding(all, d, dim, local.makeSplat(getTensor(all), -1)));
    isChanged = true;
  }
  if (isChanged)
    op.getIndicesMutable().assign(vectors.getAll());
  const TensorSharding &out = self.results[0].sharding;
  if (!out.unreduced.empty() && !isZero(op.getOperand(), out.reduction))
    op.getOperandMutable().assign(
        keepOnce(local, op.getOperand(), out.unreduced, out.reduction));
}

} // namespace partita
