//===- Report.h - What a compilation says about itself ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_REPORT_H
#define PARTITA_DRIVER_REPORT_H

#include "driver/Compile.h"
#include "passes/collectives/CollectiveReport.h"
#include "support/Json.h"

namespace partita {

/// The compile report: program, target, mesh, devices, phases, collectives and
/// memory (see docs/interface.md). A run adds its steps and counters.
Json makeReport(const CompileResult &result);

/// The list "collectives" of the report.
Json makeCollectiveList(llvm::ArrayRef<CollectiveEntry> collectives);

/// What a device does in a step, in order: stretches of computation between
/// the module's collectives. Its computation must not be in kernels yet.
Json makeTimeline(mlir::ModuleOp module,
                  llvm::ArrayRef<CollectiveEntry> collectives);

} // namespace partita

#endif // PARTITA_DRIVER_REPORT_H
