//===- Passes.h - Passes on reshards and collectives ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_PASSES_H
#define PARTITA_PASSES_COLLECTIVES_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace partita {

#define GEN_PASS_DECL
#include "passes/collectives/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/collectives/Passes.h.inc"

/// From comm.reshard ops to few, cheap collectives on global shapes: all passes
/// here in their order.
void addCollectivePasses(mlir::OpPassManager &manager);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_PASSES_H
