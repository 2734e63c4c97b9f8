//===- RefExecution.cpp - The reference interpreter -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RefExecution.h"

#include "codegen/ref/Reference.h"
#include "driver/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace partita {

namespace {

class RefExecution : public Execution {
public:
  RefExecution(ModuleOp theModule, Signature theSignature)
      : module(theModule), signature(std::move(theSignature)) {}

  const Signature &getSignature() const override { return signature; }
  absl::Status setArguments(std::span<const HostTensor> tensors) override {
    arguments.assign(tensors.begin(), tensors.end());
    results.clear();
    return absl::OkStatus();
  }
  absl::Status step() override;
  absl::StatusOr<HostTensor> getResult(int64_t result) override {
    assert(!results.empty() && "no step has run yet");
    return results[static_cast<size_t>(result)];
  }
  Json getCounters() const override { return counters; }

private:
  ModuleOp module;
  Signature signature;
  std::vector<HostTensor> arguments, results;
  Json counters = Json::object();
};

} // namespace

absl::Status RefExecution::step() {
  if (!results.empty())
    for (auto [argument, info] : llvm::zip(arguments, signature.arguments))
      if (info.fedBy)
        argument = results[static_cast<size_t>(*info.fedBy)];
  DiagnosticCollector diagnostics(module.getContext(), "reference run",
                                  llvm::errs());
  FailureOr<ReferenceRun> run = runReference(module, arguments);
  if (failed(run))
    return diagnostics.getStatus(/*isFailure=*/true);
  results.assign(run->results.begin(), run->results.end());
  counters = Json::object();
  for (const auto &[kind, counter] : run->collectives)
    counters[kind] = {{"count", counter.count},
                      {"result_bytes", counter.resultBytes}};
  return absl::OkStatus();
}

std::unique_ptr<Execution> makeRefExecution(ModuleOp module,
                                            Signature signature) {
  return std::make_unique<RefExecution>(module, std::move(signature));
}

} // namespace partita
