//===- ImportShape.cpp - Import of shape ops and contractions -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

static RankedTensorType getResultType(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}

static Imported importConstant(Importer &importer, Operation *op,
                               ImportBuilder &builder) {
  auto value = op->getAttrOfType<ElementsAttr>("value");
  if (value.getType() != getResultType(op))
    return importer.reportUnsupported(op, " of another type than its value");
  return SmallVector<Value>{builder.make("constant", getResultType(op), {},
                                         builder.getNamedAttr("value", value))};
}

static Imported importIota(Importer &, Operation *op, ImportBuilder &builder) {
  auto iota = cast<stablehlo::IotaOp>(op);
  return SmallVector<Value>{
      builder.make("iota", getResultType(op), {},
                   builder.number("dim", iota.getIotaDimension()))};
}

static Imported importBroadcastInDim(Importer &, Operation *op,
                                     ImportBuilder &builder) {
  auto broadcast = cast<stablehlo::BroadcastInDimOp>(op);
  return SmallVector<Value>{
      builder.make("broadcast", getResultType(op), broadcast.getOperand(),
                   builder.dims("dims", broadcast.getBroadcastDimensions()))};
}

/// `broadcast` puts new dimensions in front.
static Imported importBroadcast(Importer &, Operation *op,
                                ImportBuilder &builder) {
  auto broadcast = cast<stablehlo::BroadcastOp>(op);
  int64_t rank = broadcast.getOperand().getType().getRank();
  int64_t first = broadcast.getBroadcastSizes().size();
  auto dims = llvm::to_vector(llvm::seq<int64_t>(first, first + rank));
  return SmallVector<Value>{builder.make("broadcast", getResultType(op),
                                         broadcast.getOperand(),
                                         builder.dims("dims", dims))};
}

static Imported importTranspose(Importer &, Operation *op,
                                ImportBuilder &builder) {
  auto transpose = cast<stablehlo::TransposeOp>(op);
  return SmallVector<Value>{
      builder.make("transpose", getResultType(op), transpose.getOperand(),
                   builder.dims("permutation", transpose.getPermutation()))};
}

static Imported importReverse(Importer &, Operation *op,
                              ImportBuilder &builder) {
  auto reverse = cast<stablehlo::ReverseOp>(op);
  return SmallVector<Value>{
      builder.make("reverse", getResultType(op), reverse.getOperand(),
                   builder.dims("dims", reverse.getDimensions()))};
}

static Imported importSlice(Importer &, Operation *op, ImportBuilder &builder) {
  auto slice = cast<stablehlo::SliceOp>(op);
  return SmallVector<Value>{
      builder.make("slice", getResultType(op), slice.getOperand(),
                   {builder.dims("starts", slice.getStartIndices()),
                    builder.dims("limits", slice.getLimitIndices()),
                    builder.dims("strides", slice.getStrides())})};
}

static Imported importPad(Importer &, Operation *op, ImportBuilder &builder) {
  auto pad = cast<stablehlo::PadOp>(op);
  return SmallVector<Value>{
      builder.make("pad", getResultType(op), op->getOperands(),
                   {builder.dims("low", pad.getEdgePaddingLow()),
                    builder.dims("high", pad.getEdgePaddingHigh()),
                    builder.dims("interior", pad.getInteriorPadding())})};
}

static Imported importConcatenate(Importer &, Operation *op,
                                  ImportBuilder &builder) {
  auto concatenate = cast<stablehlo::ConcatenateOp>(op);
  return SmallVector<Value>{
      builder.make("concatenate", getResultType(op), op->getOperands(),
                   builder.number("dim", concatenate.getDimension()))};
}

/// Between elements of one width, `bitcast`; else the last dimension holds the
/// parts of the wider elements.
static Imported importBitcast(Importer &, Operation *op,
                              ImportBuilder &builder) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  StringRef target =
      from.getRank() == getResultType(op).getRank() ? "bitcast" : "repack";
  return SmallVector<Value>{
      builder.make(target, getResultType(op), op->getOperands())};
}

static Imported importDimensionSize(Importer &, Operation *op,
                                    ImportBuilder &builder) {
  auto get = cast<stablehlo::GetDimensionSizeOp>(op);
  int64_t size = get.getOperand().getType().getDimSize(get.getDimension());
  return SmallVector<Value>{builder.splat(getResultType(op), size)};
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static Value makeDot(ImportBuilder &builder, Type type, Value lhs, Value rhs,
                     ArrayRef<int64_t> lhsBatch, ArrayRef<int64_t> rhsBatch,
                     ArrayRef<int64_t> lhsContract,
                     ArrayRef<int64_t> rhsContract) {
  return builder.make("dot", type, {lhs, rhs},
                      {builder.dims("lhs_batch", lhsBatch),
                       builder.dims("rhs_batch", rhsBatch),
                       builder.dims("lhs_contract", lhsContract),
                       builder.dims("rhs_contract", rhsContract)});
}

static Imported importDotGeneral(Importer &, Operation *op,
                                 ImportBuilder &builder) {
  auto dot = cast<stablehlo::DotGeneralOp>(op);
  auto dims = dot.getDotDimensionNumbers();
  return SmallVector<Value>{
      makeDot(builder, getResultType(op), dot.getLhs(), dot.getRhs(),
              dims.getLhsBatch(), dims.getRhsBatch(), dims.getLhsContracting(),
              dims.getRhsContracting())};
}

/// `dot` of vectors and matrices contracts the last dimension of the left with
/// the first of the right.
static Imported importDot(Importer &, Operation *op, ImportBuilder &builder) {
  auto dot = cast<stablehlo::DotOp>(op);
  return SmallVector<Value>{
      makeDot(builder, getResultType(op), dot.getLhs(), dot.getRhs(), {}, {},
              {dot.getLhs().getType().getRank() - 1}, {0})};
}

/// `einsum "ab,bc->ac"`: letters of both operands that the result lacks are
/// contracted; a transposition brings the result in order.
static Imported importEinsum(Importer &importer, Operation *op,
                             ImportBuilder &builder) {
  auto einsum = cast<stablehlo::EinsumOp>(op);
  auto [operands, result] = einsum.getEinsumConfig().split("->");
  auto [lhs, rhs] = operands.split(',');
  std::string order; // of the letters in the dot's result
  SmallVector<int64_t> lists[4];
  for (auto [dim, letter] : llvm::enumerate(lhs)) {
    size_t other = rhs.find(letter);
    if (other == StringRef::npos)
      continue;
    bool isBatch = result.contains(letter);
    lists[isBatch ? 0 : 2].push_back(dim);
    lists[isBatch ? 1 : 3].push_back(other);
    if (isBatch)
      order += letter;
  }
  for (StringRef side : {lhs, rhs})
    for (char letter : side)
      if (!(lhs.contains(letter) && rhs.contains(letter)))
        order += letter;
  auto type = getResultType(op);
  if (order.size() != result.size() || result.size() != type.getShape().size())
    return importer.reportUnsupported(op,
                                      " \"" + einsum.getEinsumConfig() + "\"");
  SmallVector<int64_t> permutation, shape(order.size());
  for (auto [dim, letter] : llvm::enumerate(result)) {
    size_t at = order.find(letter);
    if (at == std::string::npos)
      return importer.reportUnsupported(op, " \"" + einsum.getEinsumConfig() +
                                                "\"");
    permutation.push_back(at);
    shape[at] = type.getDimSize(dim);
  }
  Value dot = makeDot(builder, type.clone(shape), einsum.getLhs(),
                      einsum.getRhs(), lists[0], lists[1], lists[2], lists[3]);
  if (llvm::is_sorted(permutation))
    return SmallVector<Value>{dot};
  return SmallVector<Value>{builder.make(
      "transpose", type, dot, builder.dims("permutation", permutation))};
}

void addShapeImports(ImportTable &table) {
  table.functions["stablehlo.constant"] = importConstant;
  table.functions["stablehlo.iota"] = importIota;
  table.functions["stablehlo.broadcast_in_dim"] = importBroadcastInDim;
  table.functions["stablehlo.broadcast"] = importBroadcast;
  table.functions["stablehlo.transpose"] = importTranspose;
  table.functions["stablehlo.reverse"] = importReverse;
  table.functions["stablehlo.slice"] = importSlice;
  table.functions["stablehlo.pad"] = importPad;
  table.functions["stablehlo.concatenate"] = importConcatenate;
  table.functions["stablehlo.bitcast_convert"] = importBitcast;
  table.functions["stablehlo.get_dimension_size"] = importDimensionSize;
  table.functions["stablehlo.dot_general"] = importDotGeneral;
  table.functions["stablehlo.dot"] = importDot;
  table.functions["stablehlo.einsum"] = importEinsum;
}

} // namespace partita::io
