//===- ImportIndexing.cpp - Import of gather, scatter, dynamic slices -----===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

static Imported importDynamicSlice(Importer &, Operation *op,
                                   ImportBuilder &builder) {
  auto slice = cast<stablehlo::DynamicSliceOp>(op);
  return SmallVector<Value>{builder.make(
      "dynamic_slice", op->getResult(0).getType(), op->getOperands(),
      builder.dims("sizes", slice.getSliceSizes()))};
}

static Imported importGather(Importer &, Operation *op,
                             ImportBuilder &builder) {
  auto gather = cast<stablehlo::GatherOp>(op);
  auto dims = gather.getDimensionNumbers();
  SmallVector<NamedAttribute> attributes{
      builder.dims("offset_dims", dims.getOffsetDims()),
      builder.dims("collapsed_slice_dims", dims.getCollapsedSliceDims()),
      builder.dims("operand_batching_dims", dims.getOperandBatchingDims()),
      builder.dims("start_indices_batching_dims",
                   dims.getStartIndicesBatchingDims()),
      builder.dims("start_index_map", dims.getStartIndexMap()),
      builder.number("index_vector_dim", dims.getIndexVectorDim()),
      builder.dims("slice_sizes", gather.getSliceSizes())};
  if (gather.getIndicesAreSorted())
    attributes.push_back(
        builder.getNamedAttr("indices_are_sorted", builder.getUnitAttr()));
  return SmallVector<Value>{builder.make("gather", op->getResult(0).getType(),
                                         op->getOperands(), attributes)};
}

/// Whether the region returns its second argument: `(old, update) -> update`.
static bool isReplacement(Region &region) {
  Block &block = region.front();
  return llvm::hasSingleElement(block) && block.getNumArguments() == 2 &&
         block.back().getOperand(0) == block.getArgument(1);
}

static Imported importScatter(Importer &importer, Operation *op,
                              ImportBuilder &builder) {
  auto scatter = cast<stablehlo::ScatterOp>(op);
  if (scatter.getInputs().size() != 1)
    return importer.reportUnsupported(op, " of several inputs");
  auto dims = scatter.getScatterDimensionNumbers();
  SmallVector<NamedAttribute> attributes{
      builder.dims("update_window_dims", dims.getUpdateWindowDims()),
      builder.dims("inserted_window_dims", dims.getInsertedWindowDims()),
      builder.dims("input_batching_dims", dims.getInputBatchingDims()),
      builder.dims("scatter_indices_batching_dims",
                   dims.getScatterIndicesBatchingDims()),
      builder.dims("scatter_dims_to_operand_dims",
                   dims.getScatterDimsToOperandDims()),
      builder.number("index_vector_dim", dims.getIndexVectorDim())};
  Region &computation = scatter.getUpdateComputation();
  if (!isReplacement(computation)) {
    std::optional<ReductionKind> kind = matchReduction(computation);
    if (!kind)
      return importer.reportUnsupported(
          op, " with a computation other than a single add, multiply, minimum, "
              "maximum, and, or, xor");
    attributes.push_back(builder.getNamedAttr(
        "kind", core::ReductionAttr::get(builder.getContext(), *kind)));
  }
  if (scatter.getIndicesAreSorted())
    attributes.push_back(
        builder.getNamedAttr("indices_are_sorted", builder.getUnitAttr()));
  if (scatter.getUniqueIndices())
    attributes.push_back(
        builder.getNamedAttr("unique_indices", builder.getUnitAttr()));
  return SmallVector<Value>{builder.make("scatter", op->getResult(0).getType(),
                                         op->getOperands(), attributes)};
}

void addIndexingImports(ImportTable &table) {
  table.functions["stablehlo.dynamic_slice"] = importDynamicSlice;
  table.functions["stablehlo.gather"] = importGather;
  table.functions["stablehlo.scatter"] = importScatter;
}

} // namespace partita::io
