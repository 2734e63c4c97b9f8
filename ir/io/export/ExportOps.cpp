//===- ExportOps.cpp - Export of core ops ---------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/export/Exporter.h"

using namespace mlir;

namespace partita::io {

static RankedTensorType getResultType(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}

/// An op of another name with the same operands and the given attributes.
static Exported makeLike(Operation *op, ExportBuilder &builder, StringRef name,
                         ArrayRef<NamedAttribute> attributes = {}) {
  return SmallVector<Value>{
      builder.make(name, getResultType(op), op->getOperands(), attributes)};
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static stablehlo::ComparisonDirection getDirection(Comparison direction) {
  switch (direction) {
  case Comparison::Eq:
    return stablehlo::ComparisonDirection::EQ;
  case Comparison::Ne:
    return stablehlo::ComparisonDirection::NE;
  case Comparison::Lt:
    return stablehlo::ComparisonDirection::LT;
  case Comparison::Le:
    return stablehlo::ComparisonDirection::LE;
  case Comparison::Gt:
    return stablehlo::ComparisonDirection::GT;
  case Comparison::Ge:
    return stablehlo::ComparisonDirection::GE;
  }
  return stablehlo::ComparisonDirection::EQ;
}

static stablehlo::ComparisonType getCompareType(Type element, bool isTotal) {
  if (isTotal)
    return stablehlo::ComparisonType::TOTALORDER;
  if (isa<FloatType, ComplexType>(element))
    return stablehlo::ComparisonType::FLOAT;
  if (element.isInteger(1) || element.isUnsignedInteger())
    return stablehlo::ComparisonType::UNSIGNED;
  return stablehlo::ComparisonType::SIGNED;
}

static Exported exportCompare(Exporter &, Operation *op,
                              ExportBuilder &builder) {
  auto compare = cast<core::CompareOp>(op);
  MLIRContext *context = builder.getContext();
  auto direction = stablehlo::ComparisonDirectionAttr::get(
      context, getDirection(compare.getDirection()));
  auto type = stablehlo::ComparisonTypeAttr::get(
      context, getCompareType(getElementTypeOrSelf(compare.getLhs().getType()),
                              compare.getTotal()));
  return makeLike(op, builder, "stablehlo.compare",
                  {builder.getNamedAttr("comparison_direction", direction),
                   builder.getNamedAttr("compare_type", type)});
}

template <const char *Name>
static Exported exportAs(Exporter &, Operation *op, ExportBuilder &builder) {
  return makeLike(op, builder, Name);
}

static Exported exportReducePrecision(Exporter &, Operation *op,
                                      ExportBuilder &builder) {
  auto reduce = cast<core::ReducePrecisionOp>(op);
  return makeLike(
      op, builder, "stablehlo.reduce_precision",
      {builder.getNamedAttr("exponent_bits", builder.getI32IntegerAttr(
                                                 reduce.getExponentBits())),
       builder.getNamedAttr("mantissa_bits", builder.getI32IntegerAttr(
                                                 reduce.getMantissaBits()))});
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static Exported exportConstant(Exporter &, Operation *op,
                               ExportBuilder &builder) {
  return SmallVector<Value>{
      builder.constant(cast<core::ConstantOp>(op).getValue())};
}

static Exported exportIota(Exporter &, Operation *op, ExportBuilder &builder) {
  return makeLike(
      op, builder, "stablehlo.iota",
      builder.number("iota_dimension", cast<core::IotaOp>(op).getDim()));
}

static Exported exportBroadcast(Exporter &, Operation *op,
                                ExportBuilder &builder) {
  return makeLike(op, builder, "stablehlo.broadcast_in_dim",
                  builder.dims("broadcast_dimensions",
                               cast<core::BroadcastOp>(op).getDims()));
}

static Exported exportTranspose(Exporter &, Operation *op,
                                ExportBuilder &builder) {
  return makeLike(op, builder, "stablehlo.transpose",
                  builder.dims("permutation",
                               cast<core::TransposeOp>(op).getPermutation()));
}

static Exported exportReverse(Exporter &, Operation *op,
                              ExportBuilder &builder) {
  return makeLike(
      op, builder, "stablehlo.reverse",
      builder.dims("dimensions", cast<core::ReverseOp>(op).getDims()));
}

static Exported exportSlice(Exporter &, Operation *op, ExportBuilder &builder) {
  auto slice = cast<core::SliceOp>(op);
  return makeLike(op, builder, "stablehlo.slice",
                  {builder.dims("start_indices", slice.getStarts()),
                   builder.dims("limit_indices", slice.getLimits()),
                   builder.dims("strides", slice.getStrides())});
}

static Exported exportPad(Exporter &, Operation *op, ExportBuilder &builder) {
  auto pad = cast<core::PadOp>(op);
  return makeLike(op, builder, "stablehlo.pad",
                  {builder.dims("edge_padding_low", pad.getLow()),
                   builder.dims("edge_padding_high", pad.getHigh()),
                   builder.dims("interior_padding", pad.getInterior())});
}

static Exported exportConcatenate(Exporter &, Operation *op,
                                  ExportBuilder &builder) {
  return makeLike(
      op, builder, "stablehlo.concatenate",
      builder.number("dimension", cast<core::ConcatenateOp>(op).getDim()));
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

static Exported exportDot(Exporter &, Operation *op, ExportBuilder &builder) {
  auto dot = cast<core::DotOp>(op);
  auto dims = stablehlo::DotDimensionNumbersAttr::get(
      builder.getContext(), dot.getLhsBatch(), dot.getRhsBatch(),
      dot.getLhsContract(), dot.getRhsContract());
  return makeLike(op, builder, "stablehlo.dot_general",
                  builder.getNamedAttr("dot_dimension_numbers", dims));
}

static Exported exportReduce(Exporter &, Operation *op,
                             ExportBuilder &builder) {
  auto reduce = cast<core::ReduceOp>(op);
  ReductionKind kind = reduce.getKind().getKind();
  Type element = getResultType(op).getElementType();
  Operation *result = builder.makeOp(
      "stablehlo.reduce", getResultType(op),
      {reduce.getOperand(), builder.identity(element, kind)},
      builder.dims("dimensions", reduce.getDims()), /*numRegions=*/1);
  builder.makeReducer(result->getRegion(0), element, kind);
  return SmallVector<Value>{result->getResult(0)};
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

static Exported exportDynamicSlice(Exporter &, Operation *op,
                                   ExportBuilder &builder) {
  return makeLike(
      op, builder, "stablehlo.dynamic_slice",
      builder.dims("slice_sizes", cast<core::DynamicSliceOp>(op).getSizes()));
}

static Exported exportGather(Exporter &, Operation *op,
                             ExportBuilder &builder) {
  auto gather = cast<core::GatherOp>(op);
  auto dims = stablehlo::GatherDimensionNumbersAttr::get(
      builder.getContext(), gather.getOffsetDims(),
      gather.getCollapsedSliceDims(), gather.getOperandBatchingDims(),
      gather.getStartIndicesBatchingDims(), gather.getStartIndexMap(),
      gather.getIndexVectorDim());
  return makeLike(op, builder, "stablehlo.gather",
                  {builder.getNamedAttr("dimension_numbers", dims),
                   builder.dims("slice_sizes", gather.getSliceSizes()),
                   builder.getNamedAttr(
                       "indices_are_sorted",
                       builder.getBoolAttr(gather.getIndicesAreSorted()))});
}

static Exported exportScatter(Exporter &, Operation *op,
                              ExportBuilder &builder) {
  auto scatter = cast<core::ScatterOp>(op);
  auto dims = stablehlo::ScatterDimensionNumbersAttr::get(
      builder.getContext(), scatter.getUpdateWindowDims(),
      scatter.getInsertedWindowDims(), scatter.getInputBatchingDims(),
      scatter.getScatterIndicesBatchingDims(),
      scatter.getScatterDimsToOperandDims(), scatter.getIndexVectorDim());
  Operation *result = builder.makeOp(
      "stablehlo.scatter", getResultType(op), op->getOperands(),
      {builder.getNamedAttr("scatter_dimension_numbers", dims),
       builder.getNamedAttr("indices_are_sorted",
                            builder.getBoolAttr(scatter.getIndicesAreSorted())),
       builder.getNamedAttr("unique_indices",
                            builder.getBoolAttr(scatter.getUniqueIndices()))},
      /*numRegions=*/1);
  Type element = getResultType(op).getElementType();
  if (auto kind = scatter.getKindAttr())
    builder.makeReducer(result->getRegion(0), element, kind.getKind());
  else
    builder.makeReplacer(result->getRegion(0), element);
  return SmallVector<Value>{result->getResult(0)};
}

static constexpr char kBitcast[] = "stablehlo.bitcast_convert";
static constexpr char kClamp[] = "stablehlo.clamp";
static constexpr char kSelect[] = "stablehlo.select";

void addOpExports(ExportTable &table) {
  table.functions["core.compare"] = exportCompare;
  table.functions["core.select"] = exportAs<kSelect>;
  table.functions["core.clamp"] = exportAs<kClamp>;
  table.functions["core.bitcast"] = exportAs<kBitcast>;
  table.functions["core.repack"] = exportAs<kBitcast>;
  table.functions["core.reduce_precision"] = exportReducePrecision;
  table.functions["core.constant"] = exportConstant;
  table.functions["core.iota"] = exportIota;
  table.functions["core.broadcast"] = exportBroadcast;
  table.functions["core.transpose"] = exportTranspose;
  table.functions["core.reverse"] = exportReverse;
  table.functions["core.slice"] = exportSlice;
  table.functions["core.pad"] = exportPad;
  table.functions["core.concatenate"] = exportConcatenate;
  table.functions["core.dot"] = exportDot;
  table.functions["core.reduce"] = exportReduce;
  table.functions["core.dynamic_slice"] = exportDynamicSlice;
  table.functions["core.gather"] = exportGather;
  table.functions["core.scatter"] = exportScatter;
}

} // namespace partita::io
