//===- CheapProducers.h - Values that each use may compute anew -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PROPAGATE_CHEAPPRODUCERS_H
#define PARTITA_SHARDING_PROPAGATE_CHEAPPRODUCERS_H

#include "mlir/IR/Operation.h"

namespace partita {

/// Gives each use of a constant, an iota, a broadcast scalar or a few
/// elementwise ops on such its own copy, so that the value does not link
/// tensors that have nothing to do with one another. Equal copies are merged
/// again once all have shardings (common subexpressions).
void splitCheapProducers(mlir::Operation *root);

} // namespace partita

#endif // PARTITA_SHARDING_PROPAGATE_CHEAPPRODUCERS_H
