//===- Execution.h - A program that is ready to run -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_EXECUTION_H
#define PARTITA_DRIVER_EXECUTION_H

#include "driver/Signature.h"
#include "support/Json.h"

#include "absl/status/statusor.h"

#include <span>

namespace partita {

/// A compiled program with its state on the devices, whatever runs it.
class Execution {
public:
  virtual ~Execution() = default;

  virtual const Signature &getSignature() const = 0;
  /// Gives the first step its arguments, whole arrays in order.
  virtual absl::Status setArguments(std::span<const HostTensor> arguments) = 0;
  /// Runs one step. From the second step on, results feed the arguments that
  /// they alias.
  virtual absl::Status step() = 0;
  /// A result of the last step as a whole array.
  virtual absl::StatusOr<HostTensor> getResult(int64_t result) = 0;

  /// What the last step did, by kind of collective on one device:
  /// {"all-reduce": {"count": 12, "result_bytes": 49152}}. Null where the
  /// back-end does not count.
  virtual Json getCounters() const { return nullptr; }
  /// The high-water mark of each device's memory; empty where not measured.
  virtual std::vector<int64_t> getMeasuredPeakBytes() const { return {}; }
  /// Events for Chrome or Perfetto; null where the back-end does not trace.
  virtual Json getTrace() const { return nullptr; }
};

} // namespace partita

#endif // PARTITA_DRIVER_EXECUTION_H
