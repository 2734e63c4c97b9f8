//===- Propagation.h - Carries shardings along index rules ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PROPAGATE_PROPAGATION_H
#define PARTITA_SHARDING_PROPAGATE_PROPAGATION_H

#include "sharding/propagate/PropagationGraph.h"

namespace partita {

/// Extends the shardings of the graph's nodes to a fixpoint. Shardings only
/// grow, so there is one; the result depends on nothing but the graph.
void propagate(PropagationGraph &graph);

} // namespace partita

#endif // PARTITA_SHARDING_PROPAGATE_PROPAGATION_H
