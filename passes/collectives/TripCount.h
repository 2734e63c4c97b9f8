//===- TripCount.h - How often a loop runs ----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_TRIPCOUNT_H
#define PARTITA_PASSES_COLLECTIVES_TRIPCOUNT_H

#include "ir/core/Core.h"

namespace partita {

/// How often the loop's body runs, where that follows from integer scalars
/// that start as constants; found by running the loop on them alone. Nothing
/// where it depends on data, or beyond 100,000 iterations.
std::optional<int64_t> getTripCount(core::WhileOp loop);

/// How often an op runs in one call of its function: the product of the trip
/// counts around it. A loop of unknown count counts once, as does a branch.
int64_t getExecutionCount(mlir::Operation *op);
/// Whether that is exact: no loop of unknown count around it, and no branch.
bool isExecutionCountExact(mlir::Operation *op);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_TRIPCOUNT_H
