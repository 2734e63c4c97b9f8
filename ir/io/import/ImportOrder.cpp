//===- ImportOrder.cpp - Import of sort and top_k -------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorting is counting: an element's place is the number of elements of its row
// that come before it, which each element finds out by itself. That takes n²
// comparisons a row, but no op of its own, and rows stay where they are.
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

/// Rows of more elements take too long this way.
static constexpr int64_t kMaxRow = 1 << 13;

/// Whether elements of the first list come before those of the second, i1.
using Before = llvm::function_ref<FailureOr<Value>(ValueRange, ValueRange)>;

/// Each element's place along `dim`, i32; equal elements keep their order.
static FailureOr<Value> countBefore(ImportBuilder &builder, ValueRange inputs,
                                    int64_t dim, Before before) {
  auto type = cast<RankedTensorType>(inputs[0].getType());
  int64_t size = type.getDimSize(dim), rank = type.getRank();
  // [.., i, ..] becomes [.., i, j, ..]: the element itself, and the others.
  SmallVector<int64_t> shape(type.getShape()), ofSelf, ofOther;
  shape.insert(shape.begin() + dim, size);
  for (int64_t d = 0; d < rank; ++d) {
    ofSelf.push_back(d <= dim ? d : d + 1);
    ofOther.push_back(d < dim ? d : d + 1);
  }
  SmallVector<Value> selves, others;
  for (Value input : inputs) {
    Type wide = cast<RankedTensorType>(input.getType()).clone(shape);
    selves.push_back(builder.broadcast(input, wide, ofSelf));
    others.push_back(builder.broadcast(input, wide, ofOther));
  }
  FailureOr<Value> comes = before(others, selves);
  FailureOr<Value> goes = before(selves, others);
  if (failed(comes) || failed(goes))
    return failure();
  Type i32 = builder.getI32Type();
  auto indices = RankedTensorType::get(shape, i32);
  Value isEarlier =
      builder.compare(Comparison::Lt, builder.iota(indices, dim + 1),
                      builder.iota(indices, dim));
  Value isTied = builder.make("and", {builder.make("not", *goes), isEarlier});
  Value counts = builder.convert(builder.make("or", {*comes, isTied}), i32);
  return builder.barrier(
      builder.reduce(ReductionKind::Sum, counts, dim + 1))[0];
}

/// Puts the elements of a row at their places; those beyond `count` are lost.
static Value arrange(ImportBuilder &builder, Value value, Value places,
                     int64_t dim, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape()), batch, none;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim)
      batch.push_back(d);
  SmallVector<int64_t> indexShape(shape);
  indexShape.push_back(1);
  shape[dim] = count;
  Type result = type.clone(shape);
  return builder.make(
      "scatter", result,
      {builder.splat(result, 0), builder.reshape(places, indexShape), value},
      {builder.dims("update_window_dims", none),
       builder.dims("inserted_window_dims", dim),
       builder.dims("input_batching_dims", batch),
       builder.dims("scatter_indices_batching_dims", batch),
       builder.dims("scatter_dims_to_operand_dims", dim),
       builder.number("index_vector_dim", type.getRank()),
       builder.getNamedAttr("unique_indices", builder.getUnitAttr())});
}

static Imported importSort(Importer &importer, Operation *op,
                           ImportBuilder &builder) {
  auto sort = cast<stablehlo::SortOp>(op);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t dim = static_cast<int64_t>(sort.getDimension());
  if (dim < 0)
    dim += type.getRank();
  if (type.getDimSize(dim) > kMaxRow)
    return importer.reportUnsupported(op, " of more than 8192 elements a row");
  if (type.getNumElements() == 0)
    return SmallVector<Value>(op->getOperands());
  auto before = [&](ValueRange a, ValueRange b) -> FailureOr<Value> {
    SmallVector<Value> pairs;
    for (auto [x, y] : llvm::zip(a, b))
      pairs.append({x, y});
    Imported result =
        applyRegion(importer, op, builder, sort.getComparator(), pairs);
    if (failed(result))
      return failure();
    return (*result)[0];
  };
  FailureOr<Value> places =
      countBefore(builder, op->getOperands(), dim, before);
  if (failed(places))
    return failure();
  SmallVector<Value> results;
  for (Value input : op->getOperands())
    results.push_back(
        arrange(builder, input, *places, dim, type.getDimSize(dim)));
  return results;
}

/// Descending, floats in the order of IEEE 754's totalOrder.
static Imported importTopK(Importer &importer, Operation *op,
                           ImportBuilder &builder) {
  Value input = op->getOperand(0);
  auto type = cast<RankedTensorType>(input.getType());
  int64_t dim = type.getRank() - 1, size = type.getShape().back();
  int64_t count =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape().back();
  if (size > kMaxRow)
    return importer.reportUnsupported(op, " of more than 8192 elements a row");
  auto before = [&](ValueRange a, ValueRange b) -> FailureOr<Value> {
    Value result = builder.compare(Comparison::Gt, a[0], b[0]);
    if (isa<FloatType>(type.getElementType()))
      result.getDefiningOp()->setAttr("total", builder.getUnitAttr());
    return result;
  };
  FailureOr<Value> places = countBefore(builder, input, dim, before);
  if (failed(places))
    return failure();
  Value indices = builder.iota(type.clone(builder.getI32Type()), dim);
  indices = arrange(builder, indices, *places, dim, count);
  return SmallVector<Value>{arrange(builder, input, *places, dim, count),
                            indices};
}

void addOrderImports(ImportTable &table) {
  table.functions["stablehlo.sort"] = importSort;
  table.functions["chlo.top_k"] = importTopK;
}

} // namespace partita::io
