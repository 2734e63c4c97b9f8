//===- Run.cpp - Runs steps of a program and reports on them --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Run.h"

#include "driver/Inputs.h"
#include "support/Npz.h"
#include "support/StatusMacros.h"

#include <bit>
#include <chrono>
#include <cstring>

namespace partita {

template <typename T> static T readAs(const HostTensor &tensor) {
  T value;
  std::memcpy(&value, tensor.data(), sizeof value);
  return value;
}

/// A scalar as a number; null for kinds that JSON and C++ have none for.
static Json getScalar(const HostTensor &tensor) {
  switch (tensor.getDType()) {
  case DType::F32:
    return readAs<float>(tensor);
  case DType::F64:
    return readAs<double>(tensor);
  case DType::BF16:
    return std::bit_cast<float>(static_cast<uint32_t>(readAs<uint16_t>(tensor))
                                << 16);
  case DType::F16:
    return static_cast<float>(readAs<_Float16>(tensor));
  case DType::Pred:
    return readAs<uint8_t>(tensor) != 0;
  case DType::S8:
    return readAs<int8_t>(tensor);
  case DType::S16:
    return readAs<int16_t>(tensor);
  case DType::S32:
    return readAs<int32_t>(tensor);
  case DType::S64:
    return readAs<int64_t>(tensor);
  case DType::U8:
    return readAs<uint8_t>(tensor);
  case DType::U16:
    return readAs<uint16_t>(tensor);
  case DType::U32:
    return readAs<uint32_t>(tensor);
  case DType::U64:
    return readAs<uint64_t>(tensor);
  default:
    return nullptr;
  }
}

/// Every rank-0 result by position.
static absl::StatusOr<Json> getScalars(Execution &execution) {
  Json scalars = Json::object();
  const Signature &signature = execution.getSignature();
  for (size_t i = 0; i < signature.results.size(); ++i) {
    if (!signature.results[i].shape.empty())
      continue;
    PARTITA_ASSIGN_OR_RETURN(HostTensor value, execution.getResult(i));
    scalars[std::to_string(i)] = getScalar(value);
  }
  return scalars;
}

/// Every result under its name in an archive.
static absl::StatusOr<std::vector<NamedTensor>>
getResults(Execution &execution) {
  std::vector<NamedTensor> results;
  for (size_t i = 0; i < execution.getSignature().results.size(); ++i) {
    PARTITA_ASSIGN_OR_RETURN(HostTensor value, execution.getResult(i));
    results.push_back({"r" + std::to_string(i), std::move(value)});
  }
  return results;
}

absl::Status run(Execution &execution, const RunOptions &options,
                 Json &report) {
  const Signature &signature = execution.getSignature();
  std::vector<HostTensor> inputs;
  if (options.inputs.empty()) {
    inputs = makeRandomInputs(signature, options.seed);
  } else {
    PARTITA_ASSIGN_OR_RETURN(inputs, readInputs(options.inputs, signature));
  }
  PARTITA_RETURN_IF_ERROR(execution.setArguments(inputs));
  Json steps = Json::array();
  std::vector<NamedTensor> first; // written when no step can fail any more
  for (int64_t i = 0; i < options.steps; ++i) {
    if (options.onStep)
      options.onStep(i);
    auto start = std::chrono::steady_clock::now();
    PARTITA_RETURN_IF_ERROR(execution.step());
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    PARTITA_ASSIGN_OR_RETURN(Json scalars, getScalars(execution));
    steps.push_back({{"seconds", taken.count()}, {"scalars", scalars}});
    if (i == 0 && !options.out.empty()) {
      PARTITA_ASSIGN_OR_RETURN(first, getResults(execution));
    }
  }
  if (!options.out.empty())
    PARTITA_RETURN_IF_ERROR(writeNpz(options.out, first));
  report["steps"] = std::move(steps);
  if (Json counters = execution.getCounters(); !counters.is_null())
    report["counters"] = std::move(counters);
  if (std::vector<int64_t> peaks = execution.getMeasuredPeakBytes();
      !peaks.empty())
    report["memory"]["measured_peak_bytes"] = peaks;
  return absl::OkStatus();
}

} // namespace partita
