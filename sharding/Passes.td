//===- Passes.td - Passes that shard a program -------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PASSES_TD
#define PARTITA_SHARDING_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagatePass : Pass<"partita-propagate", "::mlir::ModuleOp"> {
  let summary = "Gives every value a sharding, from the user's annotations";
  let description = [{
    Carries the shardings of arguments, results and constraints along the index
    rules of ops to a fixpoint. Afterwards every value has a closed sharding
    (`core.shardings`, `core.sharding`), and `core.origins` says for each axis
    which annotation it comes from and which op brought it.

    User priorities come first (p0, then p1, …). Within one, elementwise ops and
    reshapes propagate before ops with factors that not all tensors have, those
    before reductions, and those before broadcasts to more dimensions. Where two
    tensors of an op want an axis for different factors, the one of more bytes
    wins: the other will have to move.
  }];
  let dependentDialects = ["::partita::core::CoreDialect"];
}

#endif // PARTITA_SHARDING_PASSES_TD
