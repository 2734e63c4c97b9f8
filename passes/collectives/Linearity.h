//===- Linearity.h - What partial values may pass through -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_LINEARITY_H
#define PARTITA_PASSES_COLLECTIVES_LINEARITY_H

#include "ir/core/Core.h"

namespace partita {

/// Whether op(combine(a, b)) == combine(op(a), op(b)), where the operand of
/// that number is combined by `kind` and the others are whole: neg and a sum,
/// transpose and anything, a product with a whole value and a sum.
bool isLinear(mlir::Operation *op, unsigned operand, ReductionKind kind);

/// Whether the op itself combines its operands by `kind`, so that it may be
/// done on partial values of all of them: add (or sub) and a sum, maximum and
/// a maximum.
bool isCombiner(mlir::Operation *op, ReductionKind kind);

/// The sharding that the op's only result has when the operand of that number
/// has this one, by the op's index rule; partial values stay partial. Nothing
/// where a split dimension is one that the op cannot work on in parts.
std::optional<TensorSharding>
inferResultSharding(mlir::Operation *op, unsigned operand,
                    const TensorSharding &sharding);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_LINEARITY_H
