//===- EvaluateShape.cpp - Interpreter steps that move elements -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Evaluate.h"
#include "ir/core/Indexing.h"
#include "ir/core/Walk.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;
using namespace partita::core::eval;

using Tensors = ArrayRef<HostTensor>;
using Results = SmallVectorImpl<HostTensor>;

/// Zeros of a value's type.
static HostTensor makeTensor(Value value) {
  return HostTensor(getDTypeOf(value), getShapeOf(value));
}

//===----------------------------------------------------------------------===//
// ShapeOps.td
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::evaluate(Tensors, Results &results) {
  results.push_back(toHostTensor(getValue()));
  return success();
}

LogicalResult IotaOp::evaluate(Tensors, Results &results) {
  HostTensor count(DType::S64, {getType().getDimSize(getDim())});
  for (int64_t i = 0; i < count.getNumElements(); ++i)
    count.dataAs<int64_t>()[i] = i;
  HostTensor from = convert(count, getDTypeOf(getResult()));
  HostTensor to = makeTensor(getResult());
  Walk walk{0, SmallVector<int64_t>(to.getRank(), 0)};
  walk.strides[getDim()] = 1;
  copyElements(to.getShape(), from, walk, to, getRowMajorWalk(to.getShape()));
  results.push_back(to);
  return success();
}

LogicalResult BroadcastOp::evaluate(Tensors operands, Results &results) {
  HostTensor to = makeTensor(getResult());
  Walk source = getRowMajorWalk(operands[0].getShape());
  Walk walk{0, SmallVector<int64_t>(to.getRank(), 0)};
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (operands[0].getShape()[i] != 1)
      walk.strides[dim] = source.strides[i];
  copyElements(to.getShape(), operands[0], walk, to,
               getRowMajorWalk(to.getShape()));
  results.push_back(to);
  return success();
}

LogicalResult ReshapeOp::evaluate(Tensors operands, Results &results) {
  results.push_back(operands[0].reshaped(getShapeOf(getResult())));
  return success();
}

LogicalResult TransposeOp::evaluate(Tensors operands, Results &results) {
  results.push_back(transpose(operands[0], getPermutation()));
  return success();
}

LogicalResult ReverseOp::evaluate(Tensors operands, Results &results) {
  HostTensor to = makeTensor(getResult());
  Walk walk = getRowMajorWalk(to.getShape());
  for (int64_t dim : getDims()) {
    walk.offset += walk.strides[dim] * (to.getShape()[dim] - 1);
    walk.strides[dim] *= -1;
  }
  copyElements(to.getShape(), operands[0], walk, to,
               getRowMajorWalk(to.getShape()));
  results.push_back(to);
  return success();
}

LogicalResult RepackOp::evaluate(Tensors operands, Results &results) {
  results.push_back(reinterpret(operands[0], getDTypeOf(getResult()),
                                getShapeOf(getResult())));
  return success();
}

LogicalResult SliceOp::evaluate(Tensors operands, Results &results) {
  HostTensor to = makeTensor(getResult());
  Walk walk = getRowMajorWalk(operands[0].getShape());
  for (int64_t d = 0; d < to.getRank(); ++d) {
    walk.offset += walk.strides[d] * getStarts()[d];
    walk.strides[d] *= getStrides()[d];
  }
  copyElements(to.getShape(), operands[0], walk, to,
               getRowMajorWalk(to.getShape()));
  results.push_back(to);
  return success();
}

LogicalResult PadOp::evaluate(Tensors operands, Results &results) {
  HostTensor to = makeTensor(getResult());
  Walk target = getRowMajorWalk(to.getShape());
  Walk nowhere{0, SmallVector<int64_t>(to.getRank(), 0)};
  copyElements(to.getShape(), operands[1], nowhere, to, target);
  // Of each dimension, elements first … last of the operand land inside.
  Walk source = getRowMajorWalk(operands[0].getShape());
  Shape kept;
  for (int64_t d = 0; d < to.getRank(); ++d) {
    int64_t step = getInterior()[d] + 1, low = getLow()[d];
    int64_t size = operands[0].getShape()[d], room = to.getShape()[d] - low;
    int64_t first = low < 0 ? (-low + step - 1) / step : 0;
    int64_t end = room <= 0 ? 0 : std::min(size, (room + step - 1) / step);
    kept.push_back(std::max<int64_t>(end - first, 0));
    source.offset += source.strides[d] * first;
    target.offset += target.strides[d] * (low + first * step);
    target.strides[d] *= step;
  }
  copyElements(kept, operands[0], source, to, target);
  results.push_back(to);
  return success();
}

LogicalResult ConcatenateOp::evaluate(Tensors operands, Results &results) {
  HostTensor to = makeTensor(getResult());
  Shape starts(to.getRank(), 0);
  for (const HostTensor &part : operands) {
    writePart(part, to, starts);
    starts[getDim()] += part.getShape()[getDim()];
  }
  results.push_back(to);
  return success();
}

//===----------------------------------------------------------------------===//
// IndexingOps.td
//===----------------------------------------------------------------------===//

/// The place of a part of shape `part` in one of shape `whole`, as close to
/// the scalar indices as it fits.
static Shape getClampedStarts(Tensors indices, const Shape &whole,
                              const Shape &part) {
  Shape starts;
  for (auto [d, index] : llvm::enumerate(indices)) {
    HostTensor wide = convert(index, DType::S64);
    starts.push_back(
        std::clamp<int64_t>(*wide.dataAs<int64_t>(), 0, whole[d] - part[d]));
  }
  return starts;
}

LogicalResult DynamicSliceOp::evaluate(Tensors operands, Results &results) {
  Shape shape = getShapeOf(getResult());
  Shape starts =
      getClampedStarts(operands.drop_front(), operands[0].getShape(), shape);
  results.push_back(copyPart(operands[0], starts, shape));
  return success();
}

LogicalResult DynamicUpdateSliceOp::evaluate(Tensors operands,
                                             Results &results) {
  HostTensor to = operands[0];
  to.detach();
  writePart(operands[1], to,
            getClampedStarts(operands.drop_front(2), to.getShape(),
                             operands[1].getShape()));
  results.push_back(to);
  return success();
}

/// Calls `visit` for each index vector with the operand index at which its
/// window starts (not clamped) and the offset of its window.
static void forEachWindow(
    const IndexingView &view, const HostTensor &indexTensor,
    llvm::function_ref<void(ArrayRef<int64_t> start, int64_t window)> visit) {
  HostTensor wide = convert(indexTensor, DType::S64);
  const auto *indices = wide.dataAs<int64_t>();
  Walk all = getRowMajorWalk(view.indices.getShape());
  Walk window = getRowMajorWalk(view.window.getShape());
  // Walks over the batch dimensions: through the indices, the window, and the
  // coordinate of each batching dimension.
  SmallVector<int64_t> shape, indicesDims = view.getIndicesDims();
  Walk indicesWalk, windowWalk;
  for (auto [from, to] : llvm::zip(indicesDims, view.getBatchDims())) {
    shape.push_back(view.indices.getDimSize(from));
    indicesWalk.strides.push_back(all.strides[from]);
    windowWalk.strides.push_back(window.strides[to]);
  }
  int64_t step = view.indexVectorDim < view.indices.getRank()
                     ? all.strides[view.indexVectorDim]
                     : 0;
  SmallVector<int64_t> start(view.operand.getRank());
  forEachOffset<2>(shape, {indicesWalk, windowWalk}, [&](const auto &at) {
    llvm::fill(start, 0);
    for (auto [k, dim] : llvm::enumerate(view.indexMap))
      start[dim] = indices[at[0] + static_cast<int64_t>(k) * step];
    for (auto [dim, from] :
         llvm::zip(view.operandBatchDims, view.indicesBatchDims))
      start[dim] = at[0] / all.strides[from] % view.indices.getDimSize(from);
    visit(start, at[1]);
  });
}

/// The strides of window dimensions, in the order of getWindowOperandDims().
static Walk getWindowWalk(const IndexingView &view, const Walk &window,
                          int64_t offset) {
  Walk walk{offset, {}};
  for (int64_t dim : view.windowDims)
    walk.strides.push_back(window.strides[dim]);
  return walk;
}

LogicalResult GatherOp::evaluate(Tensors operands, Results &results) {
  IndexingView view = getIndexingView(*this);
  HostTensor to = makeTensor(getResult());
  Walk source = getRowMajorWalk(operands[0].getShape());
  Walk target = getRowMajorWalk(to.getShape());
  Walk from;
  SmallVector<int64_t> shape;
  for (int64_t dim : view.getWindowOperandDims()) {
    shape.push_back(getSliceSizes()[dim]);
    from.strides.push_back(source.strides[dim]);
  }
  forEachWindow(view, operands[1], [&](ArrayRef<int64_t> start, int64_t at) {
    from.offset = 0;
    for (auto [d, index] : llvm::enumerate(start))
      from.offset +=
          source.strides[d] *
          std::clamp<int64_t>(index, 0,
                              operands[0].getShape()[d] - getSliceSizes()[d]);
    copyElements(shape, operands[0], from, to, getWindowWalk(view, target, at));
  });
  results.push_back(to);
  return success();
}

/// Applies one update after the other in domain T.
template <typename T>
static HostTensor scatterIn(ScatterOp op, Tensors operands) {
  IndexingView view = getIndexingView(op);
  Elements<T> old(operands[0]), updates(operands[2]);
  Output<T> output(operands[0].getDType(), operands[0].getShape());
  std::copy_n(old.data(), output.size(), output.data());
  Walk whole = getRowMajorWalk(operands[0].getShape());
  Walk window = getRowMajorWalk(operands[2].getShape());
  SmallVector<int64_t> dims = view.getWindowOperandDims(), shape;
  for (int64_t dim : view.windowDims)
    shape.push_back(view.window.getDimSize(dim));
  std::optional<ReductionAttr> kind = op.getKind();
  Walk position = getRowMajorWalk(shape);
  forEachWindow(view, operands[1], [&](ArrayRef<int64_t> start, int64_t from) {
    Walk walk = getWindowWalk(view, window, from);
    forEachOffset<2>(shape, {walk, position}, [&](const auto &at) {
      SmallVector<int64_t> index(start);
      for (auto [i, dim] : llvm::enumerate(dims))
        index[dim] += at[1] / position.strides[i] % shape[i];
      int64_t to = 0;
      for (auto [d, i] : llvm::enumerate(index)) {
        if (i < 0 || i >= view.operand.getDimSize(d))
          return;
        to += whole.strides[d] * i;
      }
      T update = updates[at[0]];
      output[to] = kind ? combine(kind->getKind(), output[to], update) : update;
    });
  });
  return output.take();
}

LogicalResult ScatterOp::evaluate(Tensors operands, Results &results) {
  visitDomain(All(), operands[0].getDType(), [&](auto tag) {
    results.push_back(scatterIn<decltype(tag)>(*this, operands));
  });
  return success();
}

//===----------------------------------------------------------------------===//
// ControlOps.td
//===----------------------------------------------------------------------===//

LogicalResult ShardingConstraintOp::evaluate(Tensors operands,
                                             Results &results) {
  results.push_back(operands[0]);
  return success();
}

LogicalResult BarrierOp::evaluate(Tensors operands, Results &results) {
  results.append(operands.begin(), operands.end());
  return success();
}
