//===- Passes.h - Cleaning a program up -------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_SIMPLIFY_PASSES_H
#define PARTITA_PASSES_SIMPLIFY_PASSES_H

#include "ir/comm/Comm.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace partita {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/simplify/Passes.h.inc"

/// The simplify phase: a single function @main of core ops without duplicates,
/// dead code and arithmetic on constants.
void addSimplifyPasses(mlir::OpPassManager &passes);

} // namespace partita

#endif // PARTITA_PASSES_SIMPLIFY_PASSES_H
