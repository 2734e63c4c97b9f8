//===- Bench.cpp - partita bench ------------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"

namespace partita {

namespace {

class BenchCommand : public Command {
public:
  std::string_view getName() const override { return "bench"; }
  std::string_view getSummary() const override {
    return "measures compile and step time, also beside XLA's";
  }
  std::string_view getExamples() const override {
    return "  partita bench step.mlir --steps 20 --against jax\n";
  }
  std::vector<Option> getOptions() override {
    return {makeNumber("--steps", "N", "steps to run", 1, steps)};
  }
  absl::Status execute(const std::string &) override {
    return absl::UnimplementedError("bench is not there yet");
  }

private:
  int64_t steps = 10;
};

} // namespace

std::unique_ptr<Command> makeBenchCommand() {
  return std::make_unique<BenchCommand>();
}

} // namespace partita
