//===- CpuExecution.h - Generated code on virtual devices -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_CPUEXECUTION_H
#define PARTITA_DRIVER_CPUEXECUTION_H

#include "driver/Execution.h"

#include "runtime/plan/plan.pb.h"

namespace partita {

/// Loads a plan for the CPU. Errors as of runtime/exec/Program.h: load.
absl::StatusOr<std::unique_ptr<Execution>> makeCpuExecution(plan::Plan plan,
                                                            bool isTraced);

} // namespace partita

#endif // PARTITA_DRIVER_CPUEXECUTION_H
