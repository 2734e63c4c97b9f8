//===- Passes.h - Memory planning -------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_MEMORY_PASSES_H
#define PARTITA_PASSES_MEMORY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace partita {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/memory/Passes.h.inc"

} // namespace partita

#endif // PARTITA_PASSES_MEMORY_PASSES_H
