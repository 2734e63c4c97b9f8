//===- Plan.cpp - partita plan --------------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"

namespace partita {

namespace {

class PlanCommand : public Command {
public:
  std::string_view getName() const override { return "plan"; }
  std::string_view getSummary() const override {
    return "finds a sharding for a program without annotations";
  }
  std::string_view getExamples() const override {
    return "  partita plan step.mlir --devices 8 -o annotated.mlir\n";
  }
  std::vector<Option> getOptions() override {
    return {
        makeNumber("--devices", "N", "how many devices there are", 1, devices),
        makeText("--topology", "F", "links between the devices", topology),
        makeText("-o", "OUT", "write the annotated program", output)};
  }
  absl::Status execute(const std::string &) override {
    return absl::UnimplementedError(
        "automatic sharding is not there yet; annotate arguments with "
        "sdy.sharding and see `partita explain`");
  }

private:
  int64_t devices = 1;
  std::string topology, output;
};

} // namespace

std::unique_ptr<Command> makePlanCommand() {
  return std::make_unique<PlanCommand>();
}

} // namespace partita
