//===- IndexingOps.cpp - Reads and writes at computed places ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"
#include "ir/core/Indexing.h"
#include "ir/core/Reductions.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

//===----------------------------------------------------------------------===//
// DynamicSliceOp and DynamicUpdateSliceOp
//===----------------------------------------------------------------------===//

/// Whether the indices are one scalar per dimension.
static bool areScalarPerDim(ValueRange indices, int64_t rank) {
  return static_cast<int64_t>(indices.size()) == rank &&
         llvm::all_of(indices, [](Value index) {
           auto type = dyn_cast<RankedTensorType>(index.getType());
           return type && type.getRank() == 0;
         });
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  auto from = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> sizes = adaptor.getSizes();
  if (!from || static_cast<int64_t>(sizes.size()) != from.getRank() ||
      !areScalarPerDim(adaptor.getIndices(), from.getRank()))
    return emitOptionalError(
        location,
        "core.dynamic_slice: needs a size and a scalar index per "
        "dimension of ",
        adaptor.getOperand().getType());
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size < 0 || size > from.getDimSize(d))
      return emitOptionalError(location, "core.dynamic_slice: size ", size,
                               " is not within dimension ", d, " of size ",
                               from.getDimSize(d));
  types.push_back(RankedTensorType::get(sizes, from.getElementType()));
  return success();
}

IndexRule DynamicSliceOp::getIndexRule() {
  IndexRule rule;
  FactorDims from, to;
  for (auto [size, part] :
       llvm::zip(getOperand().getType().getShape(), getSizes())) {
    if (size == part) {
      from.push_back({rule.add(size)});
      to.push_back(from.back());
      continue;
    }
    // A single element lies on one device, the others answer with zeros.
    from.push_back({rule.add(size, part == 1 ? FactorKind::Reduction
                                             : FactorKind::Replicate)});
    to.push_back({rule.add(part, FactorKind::Replicate)});
  }
  rule.operands.assign(getNumOperands(), {});
  rule.operands[0] = from;
  rule.results = {to};
  return rule;
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto whole = getOperand().getType(), part = getUpdate().getType();
  if (!areScalarPerDim(getIndices(), whole.getRank()))
    return emitOpError() << "needs a scalar index per dimension of " << whole;
  bool fits = part.getRank() == whole.getRank() &&
              part.getElementType() == whole.getElementType();
  for (int64_t d = 0; fits && d < whole.getRank(); ++d)
    fits = part.getDimSize(d) <= whole.getDimSize(d);
  if (!fits)
    return emitOpError() << "the update " << part << " does not fit into "
                         << whole;
  return success();
}

IndexRule DynamicUpdateSliceOp::getIndexRule() {
  IndexRule rule;
  FactorDims whole, part;
  for (auto [size, partSize] : llvm::zip(getOperand().getType().getShape(),
                                         getUpdate().getType().getShape())) {
    // Each device replaces what lies in its own range.
    whole.push_back({rule.add(size)});
    part.push_back(whole.back());
    if (size != partSize)
      part.back() = {rule.add(partSize, FactorKind::Replicate)};
  }
  rule.operands.assign(getNumOperands(), {});
  rule.operands[0] = whole;
  rule.operands[1] = part;
  rule.results = {whole};
  return rule;
}

//===----------------------------------------------------------------------===//
// What gather and scatter share
//===----------------------------------------------------------------------===//

SmallVector<int64_t> core::getOtherDims(int64_t rank, ArrayRef<int64_t> a,
                                        ArrayRef<int64_t> b) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(a, d) && !llvm::is_contained(b, d))
      dims.push_back(d);
  return dims;
}

IndexingView core::getIndexingView(GatherOp op) {
  IndexingView view;
  view.operand = op.getOperand().getType();
  view.indices = op.getIndices().getType();
  view.window = op.getType();
  view.windowDims = op.getOffsetDims();
  view.collapsedDims = op.getCollapsedSliceDims();
  view.operandBatchDims = op.getOperandBatchingDims();
  view.indicesBatchDims = op.getStartIndicesBatchingDims();
  view.indexMap = op.getStartIndexMap();
  view.indexVectorDim = static_cast<int64_t>(op.getIndexVectorDim());
  return view;
}

IndexingView core::getIndexingView(ScatterOp op) {
  IndexingView view;
  view.operand = op.getOperand().getType();
  view.indices = op.getIndices().getType();
  view.window = op.getUpdates().getType();
  view.windowDims = op.getUpdateWindowDims();
  view.collapsedDims = op.getInsertedWindowDims();
  view.operandBatchDims = op.getInputBatchingDims();
  view.indicesBatchDims = op.getScatterIndicesBatchingDims();
  view.indexMap = op.getScatterDimsToOperandDims();
  view.indexVectorDim = static_cast<int64_t>(op.getIndexVectorDim());
  return view;
}

SmallVector<int64_t> IndexingView::getWindowOperandDims() const {
  return getOtherDims(operand.getRank(), collapsedDims, operandBatchDims);
}
SmallVector<int64_t> IndexingView::getBatchDims() const {
  return getOtherDims(window ? window.getRank() : 0, windowDims);
}
SmallVector<int64_t> IndexingView::getIndicesDims() const {
  return getOtherDims(indices.getRank(), {indexVectorDim});
}

using EmitFn = llvm::function_ref<LogicalResult(const Twine &)>;

/// Whether `dims` name different dimensions below `rank`.
static bool areDistinct(ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= rank || llvm::is_contained(dims.take_front(i), dim))
      return false;
  return true;
}

/// Checks what does not concern the window's sizes.
static LogicalResult verifyIndexing(const IndexingView &view, EmitFn emit) {
  int64_t rank = view.operand.getRank();
  if (view.indexVectorDim < 0 || view.indexVectorDim > view.indices.getRank())
    return emit("index_vector_dim " + Twine(view.indexVectorDim) +
                " is not in the indices");
  int64_t numComponents = view.indexVectorDim == view.indices.getRank()
                              ? 1
                              : view.indices.getDimSize(view.indexVectorDim);
  if (numComponents != static_cast<int64_t>(view.indexMap.size()))
    return emit("index vectors have " + Twine(numComponents) +
                " components, but the map to operand dimensions has " +
                Twine(view.indexMap.size()));
  SmallVector<int64_t> gone(view.collapsedDims), mapped(view.indexMap);
  llvm::append_range(gone, view.operandBatchDims);
  llvm::append_range(mapped, view.operandBatchDims);
  if (!areDistinct(gone, rank) || !areDistinct(mapped, rank))
    return emit("collapsed, batching and indexed dimensions must be different "
                "dimensions of the operand");
  if (!areDistinct(view.indicesBatchDims, view.indices.getRank()) ||
      llvm::is_contained(view.indicesBatchDims, view.indexVectorDim) ||
      view.indicesBatchDims.size() != view.operandBatchDims.size())
    return emit("batching dimensions of operand and indices must pair up");
  for (auto [a, b] : llvm::zip(view.operandBatchDims, view.indicesBatchDims))
    if (view.operand.getDimSize(a) != view.indices.getDimSize(b))
      return emit(
          "batching dimension " + Twine(a) + " of the operand has size " +
          Twine(view.operand.getDimSize(a)) + ", dimension " + Twine(b) +
          " of the indices has " + Twine(view.indices.getDimSize(b)));
  if (view.windowDims.size() != view.getWindowOperandDims().size())
    return emit(Twine(view.windowDims.size()) + " window dimensions for " +
                Twine(view.getWindowOperandDims().size()) +
                " operand dimensions that are neither collapsed nor batching");
  return success();
}

/// The rule of gather and scatter over factors: fills in the dimensions of
/// operand, indices and window (gather's result, scatter's updates).
namespace {
struct IndexingRule {
  IndexRule rule;
  FactorDims operand, indices, window;

  /// Dimensions of the indices other than the index vector are the window's
  /// batch dimensions; batching ones are the operand's as well.
  void addBatch(const IndexingView &view, FactorKind kind,
                ReductionKind reduction) {
    operand.resize(view.operand.getRank());
    indices.resize(view.indices.getRank());
    window.resize(view.window.getRank());
    for (auto [from, to] :
         llvm::zip(view.getIndicesDims(), view.getBatchDims())) {
      const auto *at = llvm::find(view.indicesBatchDims, from);
      bool isBatching = at != view.indicesBatchDims.end();
      int32_t factor =
          rule.add(view.indices.getDimSize(from),
                   isBatching ? FactorKind::Parallel : kind, reduction);
      indices[from] = window[to] = {factor};
      if (isBatching)
        operand[view.operandBatchDims[at - view.indicesBatchDims.begin()]] = {
            factor};
    }
    if (view.indexVectorDim < view.indices.getRank())
      indices[view.indexVectorDim] = {
          rule.add(view.indexMap.size(), FactorKind::Replicate)};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto emit = [&](const Twine &message) {
    return emitOptionalError(location, "core.gather: ", message);
  };
  IndexingView view;
  view.operand = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  view.indices = dyn_cast<RankedTensorType>(adaptor.getIndices().getType());
  if (!view.operand || !view.indices)
    return emit("operand and indices must be ranked tensors");
  view.windowDims = adaptor.getOffsetDims();
  view.collapsedDims = adaptor.getCollapsedSliceDims();
  view.operandBatchDims = adaptor.getOperandBatchingDims();
  view.indicesBatchDims = adaptor.getStartIndicesBatchingDims();
  view.indexMap = adaptor.getStartIndexMap();
  view.indexVectorDim = static_cast<int64_t>(adaptor.getIndexVectorDim());
  if (failed(verifyIndexing(view, emit)))
    return failure();
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  if (static_cast<int64_t>(sizes.size()) != view.operand.getRank())
    return emit("needs a slice size per dimension of the operand");
  for (auto [d, size] : llvm::enumerate(sizes)) {
    bool isGone = llvm::is_contained(view.collapsedDims, d) ||
                  llvm::is_contained(view.operandBatchDims, d);
    if (size < 0 || size > view.operand.getDimSize(d) || (isGone && size > 1))
      return emit("slice size " + Twine(size) + " does not fit dimension " +
                  Twine(d) + " of size " + Twine(view.operand.getDimSize(d)) +
                  (isGone ? ", which is collapsed or batching" : ""));
  }
  SmallVector<int64_t> indicesDims = view.getIndicesDims();
  auto rank = static_cast<int64_t>(indicesDims.size() + view.windowDims.size());
  if (!areDistinct(view.windowDims, rank))
    return emit("offset_dims must be different dimensions of the result");
  SmallVector<int64_t> shape(rank);
  for (auto [from, to] :
       llvm::zip(indicesDims, getOtherDims(rank, view.windowDims)))
    shape[to] = view.indices.getDimSize(from);
  for (auto [from, to] :
       llvm::zip(view.getWindowOperandDims(), view.windowDims))
    shape[to] = sizes[from];
  types.push_back(RankedTensorType::get(shape, view.operand.getElementType()));
  return success();
}

IndexRule GatherOp::getIndexRule() {
  IndexingView view = getIndexingView(*this);
  IndexingRule build;
  build.addBatch(view, FactorKind::Parallel, ReductionKind::Sum);
  IndexRule &rule = build.rule;
  for (int64_t d : view.collapsedDims)
    build.operand[d] = {rule.add(view.operand.getDimSize(d),
                                 llvm::is_contained(view.indexMap, d)
                                     ? FactorKind::Reduction
                                     : FactorKind::Replicate)};
  for (auto [d, to] : llvm::zip(view.getWindowOperandDims(), view.windowDims)) {
    int64_t size = view.operand.getDimSize(d), part = getSliceSizes()[d];
    if (size == part) {
      build.operand[d] = build.window[to] = {rule.add(size)};
      continue;
    }
    bool isOne = part == 1 && llvm::is_contained(view.indexMap, d);
    build.operand[d] = {
        rule.add(size, isOne ? FactorKind::Reduction : FactorKind::Replicate)};
    build.window[to] = {rule.add(part, FactorKind::Replicate)};
  }
  rule.operands = {build.operand, build.indices};
  rule.results = {build.window};
  return rule;
}

//===----------------------------------------------------------------------===//
// ScatterOp
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::verify() {
  auto emit = [&](const Twine &message) -> LogicalResult {
    return emitOpError() << message;
  };
  IndexingView view = getIndexingView(*this);
  if (view.window.getElementType() != view.operand.getElementType())
    return emitOpError() << "updates " << view.window
                         << " must have the element type of " << view.operand;
  if (ReductionAttr kind = getKindAttr()) {
    StringRef fault =
        getReductionFault(kind.getKind(), view.operand.getElementType());
    if (!fault.empty())
      return emitOpError() << "with "
                           << StringRef(partita::getName(kind.getKind()))
                           << " cannot combine "
                           << view.operand.getElementType() << ": " << fault;
  }
  if (failed(verifyIndexing(view, emit)))
    return failure();
  SmallVector<int64_t> indicesDims = view.getIndicesDims();
  if (!areDistinct(view.windowDims, view.window.getRank()) ||
      view.windowDims.size() + indicesDims.size() !=
          static_cast<size_t>(view.window.getRank()))
    return emitOpError() << "the dimensions of the updates " << view.window
                         << " must be update_window_dims and the "
                         << indicesDims.size() << " of the indices";
  for (auto [from, to] : llvm::zip(indicesDims, view.getBatchDims()))
    if (view.indices.getDimSize(from) != view.window.getDimSize(to))
      return emitOpError() << "dimension " << to << " of the updates has size "
                           << view.window.getDimSize(to) << ", dimension "
                           << from << " of the indices has "
                           << view.indices.getDimSize(from);
  for (auto [d, to] : llvm::zip(view.getWindowOperandDims(), view.windowDims))
    if (view.window.getDimSize(to) > view.operand.getDimSize(d))
      return emitOpError() << "dimension " << to << " of the updates has size "
                           << view.window.getDimSize(to) << ", more than "
                           << view.operand.getDimSize(d)
                           << " of the operand's dimension " << d;
  return success();
}

IndexRule ScatterOp::getIndexRule() {
  IndexingView view = getIndexingView(*this);
  IndexingRule build;
  build.addBatch(view,
                 getKind() ? FactorKind::Reduction : FactorKind::Replicate,
                 getKind() ? getKind()->getKind() : ReductionKind::Sum);
  IndexRule &rule = build.rule;
  for (int64_t d : view.collapsedDims)
    build.operand[d] = {rule.add(view.operand.getDimSize(d),
                                 llvm::is_contained(view.indexMap, d)
                                     ? FactorKind::Parallel
                                     : FactorKind::Replicate)};
  for (auto [d, to] : llvm::zip(view.getWindowOperandDims(), view.windowDims)) {
    int64_t size = view.operand.getDimSize(d),
            part = view.window.getDimSize(to);
    if (size == part) {
      build.operand[d] = build.window[to] = {rule.add(size)};
      continue;
    }
    // A window of one element lies on one device; a larger one may straddle.
    bool isOne = part == 1 && llvm::is_contained(view.indexMap, d);
    build.operand[d] = {
        rule.add(size, isOne ? FactorKind::Parallel : FactorKind::Replicate)};
    build.window[to] = {rule.add(part, FactorKind::Replicate)};
  }
  rule.operands = {build.operand, build.indices, build.window};
  rule.results = {build.operand};
  return rule;
}
