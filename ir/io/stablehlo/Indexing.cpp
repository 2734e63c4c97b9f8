//===- Indexing.cpp - StableHLO: gather, scatter, dynamic slices, sort ----===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Indexing.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Indexing.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Indexing.cpp.inc"
      >();
}

LogicalResult DynamicSliceOp::verify() {
  RankedTensorType from = getOperand().getType();
  int64_t rank = from.getRank();
  if (failed(io::verifyCount(*this, "start indices", getStartIndices().size(),
                             rank)) ||
      failed(io::verifyCount(*this, "sizes", getSliceSizes().size(), rank)))
    return failure();
  for (auto [dim, size] : llvm::enumerate(getSliceSizes()))
    if (size < 0 || (!from.isDynamicDim(dim) && size > from.getDimSize(dim)))
      return emitOpError() << "cannot take " << size << " of dimension " << dim
                           << " of size " << from.getDimSize(dim);
  return io::verifyResultShape(*this, getSliceSizes());
}

LogicalResult DynamicUpdateSliceOp::verify() {
  RankedTensorType into = getOperand().getType(), from = getUpdate().getType();
  if (failed(io::verifyCount(*this, "start indices", getStartIndices().size(),
                             into.getRank())) ||
      failed(io::verifyCount(*this, "update", from.getRank(), into.getRank())))
    return failure();
  for (int64_t dim = 0; dim < into.getRank(); ++dim)
    if (!into.isDynamicDim(dim) && !from.isDynamicDim(dim) &&
        from.getDimSize(dim) > into.getDimSize(dim))
      return emitOpError() << "cannot put " << from << " into " << into
                           << ": dimension " << dim << " is too large";
  return io::verifyResultShape(*this, into.getShape());
}

LogicalResult GatherOp::verify() {
  RankedTensorType operand = getOperand().getType(),
                   indices = getStartIndices().getType();
  GatherDimensionNumbersAttr dims = getDimensionNumbers();
  int64_t rank = operand.getRank();
  if (failed(
          io::verifyCount(*this, "slice_sizes", getSliceSizes().size(), rank)))
    return failure();
  SmallVector<int64_t> dropped(dims.getCollapsedSliceDims());
  llvm::append_range(dropped, dims.getOperandBatchingDims());
  if (failed(io::verifyDims(*this, "collapsed and batching dims", dropped,
                            rank)) ||
      failed(io::verifyDims(*this, "start_index_map", dims.getStartIndexMap(),
                            rank)) ||
      failed(io::verifyDims(*this, "start_indices_batching_dims",
                            dims.getStartIndicesBatchingDims(),
                            indices.getRank())))
    return failure();
  int64_t vectorDim = dims.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return emitOpError() << "has index_vector_dim " << vectorDim
                         << " for indices of rank " << indices.getRank();
  int64_t width =
      vectorDim == indices.getRank() ? 1 : indices.getDimSize(vectorDim);
  if (!ShapedType::isDynamic(width) &&
      width != static_cast<int64_t>(dims.getStartIndexMap().size()))
    return emitOpError() << "has " << width
                         << " numbers per index, but start_index_map has "
                         << dims.getStartIndexMap().size();
  int64_t batchRank =
      indices.getRank() - (vectorDim < indices.getRank() ? 1 : 0);
  int64_t resultRank = batchRank + dims.getOffsetDims().size();
  if (failed(io::verifyDims(*this, "offset_dims", dims.getOffsetDims(),
                            resultRank)))
    return failure();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (getSliceSizes()[dim] < 0 ||
        (!operand.isDynamicDim(dim) &&
         getSliceSizes()[dim] > operand.getDimSize(dim)))
      return emitOpError() << "cannot take " << getSliceSizes()[dim]
                           << " of dimension " << dim << " of size "
                           << operand.getDimSize(dim);
  if (static_cast<int64_t>(dims.getOffsetDims().size() + dropped.size()) !=
      rank)
    return emitOpError() << "has " << dims.getOffsetDims().size()
                         << " offset and " << dropped.size()
                         << " collapsed or batching dimensions for an operand "
                         << "of rank " << rank;

  SmallVector<int64_t> shape(resultRank, 0), batch, offset;
  for (int64_t dim = 0; dim < indices.getRank(); ++dim)
    if (dim != vectorDim)
      batch.push_back(indices.getDimSize(dim));
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dropped, dim))
      offset.push_back(getSliceSizes()[dim]);
  auto nextBatch = batch.begin(), nextOffset = offset.begin();
  for (int64_t dim = 0; dim < resultRank; ++dim)
    shape[dim] = llvm::is_contained(dims.getOffsetDims(), dim) ? *nextOffset++
                                                               : *nextBatch++;
  return io::verifyResultShape(*this, shape);
}

LogicalResult ScatterOp::verify() {
  unsigned count = getInputs().size();
  if (count == 0)
    return emitOpError() << "has no input";
  if (getNumResults() != count)
    return emitOpError() << "has " << count << " inputs but " << getNumResults()
                         << " results";
  auto input = cast<RankedTensorType>(getInputs()[0].getType());
  auto update = cast<RankedTensorType>(getUpdates()[0].getType());
  RankedTensorType indices = getScatterIndices().getType();
  ScatterDimensionNumbersAttr dims = getScatterDimensionNumbers();
  SmallVector<int64_t> dropped(dims.getInsertedWindowDims());
  llvm::append_range(dropped, dims.getInputBatchingDims());
  if (failed(io::verifyDims(*this, "inserted and batching dims", dropped,
                            input.getRank())) ||
      failed(io::verifyDims(*this, "scatter_dims_to_operand_dims",
                            dims.getScatterDimsToOperandDims(),
                            input.getRank())) ||
      failed(io::verifyDims(*this, "update_window_dims",
                            dims.getUpdateWindowDims(), update.getRank())))
    return failure();
  int64_t vectorDim = dims.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return emitOpError() << "has index_vector_dim " << vectorDim
                         << " for indices of rank " << indices.getRank();
  if (static_cast<int64_t>(dims.getUpdateWindowDims().size() +
                           dropped.size()) != input.getRank())
    return emitOpError() << "has " << dims.getUpdateWindowDims().size()
                         << " window and " << dropped.size()
                         << " inserted or batching dimensions for an input of "
                         << "rank " << input.getRank();
  for (auto [from, result] : llvm::zip_equal(getInputs(), getResults()))
    if (!io::areTypesCompatible(from.getType(), result.getType()))
      return emitOpError() << "has result type " << result.getType()
                           << " for input type " << from.getType();
  return io::verifyRegion(*this, "the update computation",
                          getUpdateComputation(), 2 * count, count);
}

LogicalResult SortOp::verify() {
  unsigned count = getInputs().size();
  if (count == 0)
    return emitOpError() << "has no input";
  if (getNumResults() != count)
    return emitOpError() << "has " << count << " inputs but " << getNumResults()
                         << " results";
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  int64_t rank = first.getRank(), dim = getDimension();
  if (dim < -rank || dim >= rank)
    return emitOpError() << "sorts along dimension " << dim
                         << ", outside of rank " << rank;
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!io::areShapesCompatible(type.getShape(), first.getShape()) ||
        !io::areTypesCompatible(type, result.getType()))
      return emitOpError() << "requires the same shape everywhere, got "
                           << first << ", " << type << " and "
                           << result.getType();
  }
  return io::verifyRegion(*this, "the comparator", getComparator(), 2 * count,
                          1);
}

} // namespace partita::stablehlo
