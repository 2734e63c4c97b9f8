//===- Distribution.cpp - StableHLO: collectives and hosts ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Distribution.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Distribution.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addDistributionOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Distribution.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Whether a table of ids has rows, of `width` ids where that is given.
static LogicalResult verifyTable(Operation *op, StringRef name,
                                 std::optional<int64_t> width = std::nullopt) {
  auto table = op->getAttrOfType<DenseIntElementsAttr>(name);
  if (!table)
    return success(); // Groups may be given as axes of a mesh, too.
  ArrayRef<int64_t> shape = table.getType().getShape();
  if (shape.size() == 2 && (!width || shape[1] == *width))
    return success();
  auto error = op->emitOpError("has ")
               << name << " of type " << table.getType();
  return width ? error << ", expected rows of " << *width << " ids"
               : error << ", expected a row of ids for each group";
}

static LogicalResult verifyDim(Operation *op, StringRef name, uint64_t dim) {
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType());
        type && dim >= static_cast<uint64_t>(type.getRank()))
      return op->emitOpError("has ")
             << name << " = " << dim << ", which is no dimension of " << type;
  return success();
}

static LogicalResult verifyReducer(Operation *op) {
  Region &region = op->getRegion(0);
  if (region.hasOneBlock() && region.getNumArguments() == 2 &&
      !region.front().empty() && region.front().back().getNumOperands() == 1)
    return success();
  return op->emitOpError("needs a reducer of two scalars that returns one");
}

/// One result for each operand; for all but the last where that is the root.
static LogicalResult verifyCounts(Operation *op, bool hasRoot = false) {
  unsigned count = op->getNumResults();
  if (op->getNumOperands() != count + hasRoot || count == 0)
    return op->emitOpError("has ")
           << op->getNumOperands() << " operands and " << count
           << " results; each result needs an operand"
           << (hasRoot ? ", and the roots are one more" : "");
  if (!hasRoot)
    return success();
  auto roots = dyn_cast<RankedTensorType>(op->getOperands().back().getType());
  if (roots && roots.getRank() == 1 && roots.getDimSize(0) == count &&
      isa<IntegerType>(roots.getElementType()) &&
      !roots.getElementType().isInteger(1))
    return success();
  return op->emitOpError("has roots of type ")
         << op->getOperands().back().getType() << ", expected " << count
         << " integers, one for each result";
}

LogicalResult AllGatherOp::verify() {
  if (failed(verifyTable(*this, "replica_groups")) ||
      failed(verifyDim(*this, "all_gather_dim", getAllGatherDim())))
    return failure();
  return verifyCounts(*this);
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifyTable(*this, "replica_groups")) ||
      failed(verifyReducer(*this)))
    return failure();
  return verifyCounts(*this);
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifyTable(*this, "replica_groups")) ||
      failed(verifyReducer(*this)))
    return failure();
  return verifyDim(*this, "scatter_dimension", getScatterDimension());
}

LogicalResult AllToAllOp::verify() {
  if (failed(verifyTable(*this, "replica_groups")) ||
      failed(verifyDim(*this, "split_dimension", getSplitDimension())) ||
      failed(verifyDim(*this, "concat_dimension", getConcatDimension())))
    return failure();
  auto groups = (*this)->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  auto count = static_cast<int64_t>(getSplitCount());
  if (groups && groups.getNumElements() > 0 &&
      groups.getType().getDimSize(1) != count)
    return emitOpError("has split_count = ")
           << count << ", but groups of " << groups.getType().getDimSize(1)
           << " devices";
  return verifyCounts(*this);
}

LogicalResult CollectiveBroadcastOp::verify() {
  if (failed(verifyTable(*this, "replica_groups")))
    return failure();
  return verifyCounts(*this, getHasDynamicRoot());
}

LogicalResult CollectiveReduceOp::verify() {
  if (failed(verifyTable(*this, "replica_groups")) ||
      failed(verifyReducer(*this)))
    return failure();
  return verifyCounts(*this, getHasDynamicRoot());
}

LogicalResult CollectivePermuteOp::verify() {
  return verifyTable(*this, "source_target_pairs", 2);
}

} // namespace partita::stablehlo
