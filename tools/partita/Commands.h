//===- Commands.h - The commands of partita ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_COMMANDS_H
#define PARTITA_TOOLS_PARTITA_COMMANDS_H

#include "tools/partita/Options.h"
#include "tools/partita/Progress.h"

#include "driver/Compile.h"
#include "driver/Run.h"
#include "support/Json.h"

namespace partita {

/// A command: its options (which refer to its fields), its help, and what it
/// does with its one input.
class Command {
public:
  virtual ~Command() = default;

  virtual std::string_view getName() const = 0;
  virtual std::string_view getSummary() const = 0;
  /// Whole lines, "  partita run step.mlir --steps 5".
  virtual std::string_view getExamples() const = 0;
  virtual std::vector<Option> getOptions() = 0;
  /// Checks options against one another: wrong usage.
  virtual absl::Status check() { return absl::OkStatus(); }
  virtual absl::Status execute(const std::string &input) = 0;

  /// Set when the tool registered MLIR's options.
  bool useMlirOptions = false;

protected:
  /// Shows on the progress line which phase and step runs.
  void follow(CompileOptions &options);
  void follow(RunOptions &options);

  Progress progress;
};

std::unique_ptr<Command> makeCompileCommand();
std::unique_ptr<Command> makeRunCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makeBenchCommand();
std::unique_ptr<Command> makePlanCommand();

/// What several commands take.
Option makeMeshOption(std::optional<MeshOption> &target);
/// The options that refuse a program: --memory-limit and others.
void addLimitOptions(std::vector<Option> &options, CompileOptions &target);
Option makeTargetOption(std::string &target);

/// Writes the report where `path` is not empty.
absl::Status writeReport(const Json &report, const std::string &path);

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_COMMANDS_H
