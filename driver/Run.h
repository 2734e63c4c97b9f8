//===- Run.h - Runs steps of a program and reports on them ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_RUN_H
#define PARTITA_DRIVER_RUN_H

#include "driver/Execution.h"

#include <functional>

namespace partita {

struct RunOptions {
  /// One .npz, or .npy files; random arguments when empty.
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  int64_t steps = 1;
  /// The results of the first step are written here as r0, r1, …; nowhere when
  /// empty.
  std::string out;
  /// Told of each step, counted from 0, as it begins.
  std::function<void(int64_t)> onStep;
};

/// Runs the steps and adds "steps", "counters" and the measured memory to the
/// report, which is the compilation's.
absl::Status run(Execution &execution, const RunOptions &options, Json &report);

} // namespace partita

#endif // PARTITA_DRIVER_RUN_H
