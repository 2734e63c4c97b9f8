//===- RefExecution.h - The reference interpreter ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_REFEXECUTION_H
#define PARTITA_DRIVER_REFEXECUTION_H

#include "driver/Execution.h"

namespace partita {

/// Runs a module after the localise phase by interpretation. The module must
/// outlive the execution.
std::unique_ptr<Execution> makeRefExecution(mlir::ModuleOp module,
                                            Signature signature);

} // namespace partita

#endif // PARTITA_DRIVER_REFEXECUTION_H
