//===- ScannedDims.h - Dimensions that loops run along ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that takes a slice of a value in each iteration, or writes one, runs
// along a dimension of it. Where that is split, each iteration communicates. So
// a reshape that makes such a dimension of another (a batch into micro-batches)
// had better leave the axes to the dimensions beside it: what moves then moves
// once, outside of the loop.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PROPAGATE_SCANNEDDIMS_H
#define PARTITA_SHARDING_PROPAGATE_SCANNEDDIMS_H

#include "ir/core/Core.h"
#include "llvm/ADT/BitVector.h"

namespace partita {

class ScannedDims {
public:
  explicit ScannedDims(mlir::Operation *root);

  /// Takes the factors of scanned dimensions out of the dimensions that these
  /// are made of, or become, in the reshape, whose rule is given.
  void separate(core::ReshapeOp op, IndexRule &rule) const;

private:
  void markRead(mlir::Value value, const llvm::BitVector &dims);
  void markWritten(mlir::Value value, const llvm::BitVector &dims);
  bool add(mlir::Value value, const llvm::BitVector &dims);

  llvm::DenseMap<mlir::Value, llvm::BitVector> scanned;
};

} // namespace partita

#endif // PARTITA_SHARDING_PROPAGATE_SCANNEDDIMS_H
