//===- Indexing.h - Gather and scatter as one view --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_INDEXING_H
#define PARTITA_IR_CORE_INDEXING_H

#include "ir/core/Core.h"

namespace partita::core {

/// Gather and scatter are one relation between an operand, index vectors and a
/// tensor of windows: gather's result, scatter's updates. The arrays are those
/// of the op's attributes.
struct IndexingView {
  mlir::RankedTensorType operand, indices, window;
  /// Dimensions of `window` that run over the window, in order of the operand
  /// dimensions getWindowOperandDims().
  llvm::ArrayRef<int64_t> windowDims;
  /// Operand dimensions of window size 1 that `window` lacks.
  llvm::ArrayRef<int64_t> collapsedDims;
  llvm::ArrayRef<int64_t> operandBatchDims, indicesBatchDims;
  /// Component k of an index vector indexes operand dimension indexMap[k].
  llvm::ArrayRef<int64_t> indexMap;
  /// Dimension of the indices; their rank where it is implied.
  int64_t indexVectorDim = 0;

  /// Operand dimensions that are neither collapsed nor batching.
  llvm::SmallVector<int64_t> getWindowOperandDims() const;
  /// Dimensions of `window` that run over index vectors, in order of
  /// getIndicesDims().
  llvm::SmallVector<int64_t> getBatchDims() const;
  /// Dimensions of the indices other than the index vector.
  llvm::SmallVector<int64_t> getIndicesDims() const;
};

IndexingView getIndexingView(GatherOp op);
IndexingView getIndexingView(ScatterOp op);

/// The dimensions below `rank` that are in neither list, in order.
llvm::SmallVector<int64_t> getOtherDims(int64_t rank, llvm::ArrayRef<int64_t> a,
                                        llvm::ArrayRef<int64_t> b = {});

} // namespace partita::core

#endif // PARTITA_IR_CORE_INDEXING_H
