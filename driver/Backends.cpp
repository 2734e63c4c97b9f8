//===- Backends.cpp - What runs a compiled program ------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Backends.h"

#include "driver/CpuExecution.h"
#include "driver/RefExecution.h"
#include "support/StatusMacros.h"

namespace partita {

Phase getLastPhase(Backend backend) {
  return backend == Backend::Ref ? Phase::Localise : Phase::Codegen;
}

absl::StatusOr<std::unique_ptr<Execution>>
makeExecution(CompileResult &result, Backend backend, bool isTraced) {
  if (backend == Backend::Ref)
    return makeChecked(makeRefExecution(*result.module, result.signature),
                       result.checks);
  PARTITA_ASSIGN_OR_RETURN(std::unique_ptr<Execution> execution,
                           makeCpuExecution(*result.plan, isTraced));
  return makeChecked(std::move(execution), result.checks);
}

} // namespace partita
