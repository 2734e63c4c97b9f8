//===- Backends.cpp - What runs a compiled program ------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Backends.h"

namespace partita {

Phase getLastPhase(Backend backend) {
  return backend == Backend::Ref ? Phase::Localise : Phase::Codegen;
}

absl::StatusOr<std::unique_ptr<Execution>> makeExecution(CompileResult &result,
                                                         Backend backend) {
  return absl::UnimplementedError("no back-end can run a program yet");
}

} // namespace partita
