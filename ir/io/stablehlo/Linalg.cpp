//===- Linalg.cpp - StableHLO: contraction, convolution, linear algebra ---===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Linalg.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Linalg.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addLinalgOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Linalg.cpp.inc"
      >();
}

static LogicalResult verifyPairs(Operation *op, StringRef what,
                                 RankedTensorType lhs, RankedTensorType rhs,
                                 ArrayRef<int64_t> lhsDims,
                                 ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return op->emitOpError() << "has " << lhsDims.size() << ' ' << what
                             << " dimensions on the left, but "
                             << rhsDims.size() << " on the right";
  for (auto [l, r] : llvm::zip_equal(lhsDims, rhsDims)) {
    int64_t lhsSize = lhs.getDimSize(l), rhsSize = rhs.getDimSize(r);
    if (lhsSize != rhsSize && !ShapedType::isDynamic(lhsSize) &&
        !ShapedType::isDynamic(rhsSize))
      return op->emitOpError()
             << what << " dimensions " << l << " and " << r
             << " differ in size: " << lhsSize << " and " << rhsSize;
  }
  return success();
}

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  SmallVector<int64_t> lhsUsed(dims.getLhsBatch()), rhsUsed(dims.getRhsBatch());
  llvm::append_range(lhsUsed, dims.getLhsContracting());
  llvm::append_range(rhsUsed, dims.getRhsContracting());
  if (failed(
          io::verifyDims(*this, "the left operand", lhsUsed, lhs.getRank())) ||
      failed(
          io::verifyDims(*this, "the right operand", rhsUsed, rhs.getRank())) ||
      failed(verifyPairs(*this, "batching", lhs, rhs, dims.getLhsBatch(),
                         dims.getRhsBatch())) ||
      failed(verifyPairs(*this, "contracting", lhs, rhs,
                         dims.getLhsContracting(), dims.getRhsContracting())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : dims.getLhsBatch())
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
    if (!llvm::is_contained(lhsUsed, dim))
      shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
    if (!llvm::is_contained(rhsUsed, dim))
      shape.push_back(rhs.getDimSize(dim));
  return io::verifyResultShape(*this, shape);
}

LogicalResult ConvolutionOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(),
                   result = getResult().getType();
  ConvDimensionNumbersAttr dims = getDimensionNumbers();
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank || result.getRank() != rank)
    return emitOpError() << "requires the same rank of at least 2 everywhere, "
                         << "got " << lhs << ", " << rhs << " and " << result;
  auto verifyLayout = [&](StringRef what, int64_t first, int64_t second,
                          ArrayRef<int64_t> spatial) -> LogicalResult {
    SmallVector<int64_t> all(spatial);
    all.append({first, second});
    if (failed(io::verifyCount(*this, what, all.size(), rank)))
      return failure();
    return io::verifyDims(*this, what, all, rank);
  };
  if (failed(verifyLayout("the input's dim_numbers", dims.getInputBatch(),
                          dims.getInputFeature(), dims.getInputSpatial())) ||
      failed(verifyLayout(
          "the kernel's dim_numbers", dims.getKernelInputFeature(),
          dims.getKernelOutputFeature(), dims.getKernelSpatial())) ||
      failed(verifyLayout("the output's dim_numbers", dims.getOutputBatch(),
                          dims.getOutputFeature(), dims.getOutputSpatial())))
    return failure();
  int64_t spatialRank = rank - 2;
  for (auto list : {getWindowStrides(), getLhsDilation(), getRhsDilation()})
    if (list &&
        failed(io::verifyCount(*this, "the window", list->size(), spatialRank)))
      return failure();
  if (auto padding = getPadding())
    return io::verifyCount(*this, "the window's padding",
                           padding->getNumElements(), 2 * spatialRank);
  return success();
}

} // namespace partita::stablehlo
