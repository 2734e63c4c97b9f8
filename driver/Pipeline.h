//===- Pipeline.h - The passes of each phase --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_PIPELINE_H
#define PARTITA_DRIVER_PIPELINE_H

#include "driver/Compile.h"

#include "mlir/Pass/PassManager.h"

namespace partita {

/// Adds the passes of a phase.
void addPhase(Phase phase, mlir::PassManager &passes,
              const CompileOptions &options);

} // namespace partita

#endif // PARTITA_DRIVER_PIPELINE_H
