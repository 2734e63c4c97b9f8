//===- IndexRule.h - Which dimensions of an op share a factor ---*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index rule describes an op as an einsum over *factors*. Each dimension of
// each operand and result is a list of factors, major to minor; a matrix
// product is (m k), (k n) -> (m n). The rule is the single source of truth for
// propagation, partitioning, cost and fuzzing:
//
//   * splitting a Parallel factor splits every dimension that carries it, and
//     the op needs no communication;
//   * splitting a Reduction factor leaves each device with a partial result,
//     to be combined by the factor's reduction kind;
//   * a Replicate factor must not be split where the op executes;
//   * a Window factor may be split if neighbours exchange a halo.
//
// A dimension that carries no factor (an empty list) is of no interest to
// sharding: it must not be split.
//
// The idea of factors is Shardy's (docs/propagation.md there).
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_INTERFACES_INDEXRULE_H
#define PARTITA_IR_INTERFACES_INDEXRULE_H

#include "mesh/Mesh.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace partita {

enum class FactorKind : uint8_t {
  Parallel,
  Reduction,
  Replicate,
  Window,
};

struct Factor {
  int64_t size = 1;
  FactorKind kind = FactorKind::Parallel;
  /// Of a Reduction factor: how partial results combine.
  ReductionKind reduction = ReductionKind::Sum;
  /// Of a Window factor: elements needed from the lower and upper neighbour.
  int64_t haloLow = 0, haloHigh = 0;
  /// Propagation does not carry shardings along this factor, but a factor that
  /// is split on both sides anyway may stay so.
  bool isBlocked = false;
};

/// The factors of each dimension of one tensor: dims[d] lists them, major to
/// minor. The product of their sizes is the size of the dimension.
using FactorDims = llvm::SmallVector<llvm::SmallVector<int32_t, 1>, 4>;

struct IndexRule {
  llvm::SmallVector<Factor> factors;
  llvm::SmallVector<FactorDims> operands;
  llvm::SmallVector<FactorDims> results;

  /// Adds a factor and returns its number.
  int32_t add(int64_t size, FactorKind kind = FactorKind::Parallel,
              ReductionKind reduction = ReductionKind::Sum);

  /// Reads an index notation such as "mk,kn->mn" for `op`. "..." stands for
  /// the leading dimensions that all terms share. A letter that no result has
  /// is a Reduction factor of the given kind.
  static IndexRule parse(llvm::StringRef notation, mlir::Operation *op,
                         ReductionKind reduction = ReductionKind::Sum);
  /// The rule of an op all of whose operands and results have one shape.
  static IndexRule makePointwise(mlir::Operation *op);
  /// No dimension carries a factor: everything is replicated.
  static IndexRule makeReplicated(mlir::Operation *op);

  /// "([i, k], [k, j])->([i, j]) {i=4, j=8, k=16} reduction={k}".
  std::string toString() const;
};

/// Matches the dimensions of two shapes of equal element count by greatest
/// common factorisation, as a reshape does, and adds the factors to `rule`.
/// [6, 8] and [2, 24] give factors 2, 3, 8: (2 3) (8) and (2) (3 8).
void addReshapeFactors(IndexRule &rule, llvm::ArrayRef<int64_t> from,
                       llvm::ArrayRef<int64_t> to, FactorDims &fromDims,
                       FactorDims &toDims);

} // namespace partita

#endif // PARTITA_IR_INTERFACES_INDEXRULE_H
