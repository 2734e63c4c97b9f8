//===- Backends.cpp - What runs a compiled program ------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Backends.h"

#include "driver/CpuExecution.h"
#include "driver/RefExecution.h"

namespace partita {

Phase getLastPhase(Backend backend) {
  return backend == Backend::Ref ? Phase::Localise : Phase::Codegen;
}

absl::StatusOr<std::unique_ptr<Execution>>
makeExecution(CompileResult &result, Backend backend, bool isTraced) {
  if (backend == Backend::Ref)
    return makeRefExecution(*result.module, result.signature);
  return makeCpuExecution(*result.plan, isTraced);
}

} // namespace partita
