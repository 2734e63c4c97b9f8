//===- Backends.h - What runs a compiled program ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_BACKENDS_H
#define PARTITA_DRIVER_BACKENDS_H

#include "driver/Compile.h"
#include "driver/Execution.h"

namespace partita {

enum class Backend {
  Cpu, ///< The generated code on virtual devices.
  Ref, ///< The reference interpreter on virtual devices.
};

/// The last phase that a back-end needs.
Phase getLastPhase(Backend backend);

/// A program after `getLastPhase(backend)`, ready to run. The result must
/// outlive the execution.
absl::StatusOr<std::unique_ptr<Execution>>
makeExecution(CompileResult &result, Backend backend, bool isTraced);

} // namespace partita

#endif // PARTITA_DRIVER_BACKENDS_H
