//===- Options.h - Options of a command -------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_OPTIONS_H
#define PARTITA_TOOLS_PARTITA_OPTIONS_H

#include "absl/status/statusor.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

/// One option of a command.
struct Option {
  /// With its dashes: "--mesh", "-o".
  std::string name;
  /// What its value is called in the help; empty for an option without value.
  std::string value;
  std::string help;
  /// Takes the value (empty for an option without).
  std::function<absl::Status(std::string_view)> set;
};

/// Options that keep a text, a list of texts, a flag, or a number of at least
/// `least`.
Option makeText(std::string name, std::string value, std::string help,
                std::string &target);
Option makeList(std::string name, std::string value, std::string help,
                std::vector<std::string> &target);
Option makeFlag(std::string name, std::string help, bool &target);
Option makeNumber(std::string name, std::string value, std::string help,
                  int64_t least, int64_t &target);
/// A number of bytes: "4096", "512KiB", "16GiB", "1.5GB".
Option makeBytes(std::string name, std::string value, std::string help,
                 std::optional<int64_t> &target);

absl::StatusOr<int64_t> parseBytes(std::string_view text);

struct ParsedArguments {
  /// What is no option, in order.
  std::vector<std::string> positional;
  /// MLIR's own options, --mlir-….
  std::vector<std::string> mlirOptions;
  bool wantsHelp = false;
};

/// Takes `--name value`, `--name=value`, flags, and `--` before what is no
/// option. InvalidArgument for an unknown option (with the nearest known one),
/// a missing or bad value.
absl::StatusOr<ParsedArguments>
parseArguments(const std::vector<Option> &options,
               const std::vector<std::string> &arguments);

/// The options with their help, a paragraph of the command's help.
std::string formatOptions(const std::vector<Option> &options);

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_OPTIONS_H
