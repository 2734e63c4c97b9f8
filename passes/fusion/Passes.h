//===- Passes.h - Cutting a program into kernels ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_FUSION_PASSES_H
#define PARTITA_PASSES_FUSION_PASSES_H

#include "ir/core/Core.h"
#include "ir/plan/Plan.h"
#include "mlir/Pass/Pass.h"

namespace partita {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/fusion/Passes.h.inc"

} // namespace partita

#endif // PARTITA_PASSES_FUSION_PASSES_H
