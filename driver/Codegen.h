//===- Codegen.h - From kernels and places to a plan ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_CODEGEN_H
#define PARTITA_DRIVER_CODEGEN_H

#include "driver/Signature.h"

#include "runtime/plan/plan.pb.h"

namespace partita {

/// Compiles the kernels of a module after the memory phase for the machine that
/// this process runs on, and writes the plan. Fails after reporting.
/// `llvmText`, where not null, takes the LLVM IR of the kernels.
mlir::FailureOr<plan::Plan> generateCpuPlan(mlir::ModuleOp module,
                                            const std::string &program,
                                            const Signature &signature,
                                            std::string *llvmText);

} // namespace partita

#endif // PARTITA_DRIVER_CODEGEN_H
