//===- Options.cpp - Options of a command ---------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Options.h"

#include "support/StatusMacros.h"

#include "llvm/ADT/StringRef.h"

#include <cmath>

namespace partita {

static absl::Status getError(const std::string &message) {
  return absl::InvalidArgumentError(message);
}

Option makeText(std::string name, std::string value, std::string help,
                std::string &target) {
  return {std::move(name), std::move(value), std::move(help),
          [&target](std::string_view text) {
            target = text;
            return absl::OkStatus();
          }};
}

Option makeList(std::string name, std::string value, std::string help,
                std::vector<std::string> &target) {
  return {std::move(name), std::move(value), std::move(help),
          [&target](std::string_view text) {
            llvm::SmallVector<llvm::StringRef> parts;
            llvm::StringRef(text).split(parts, ',');
            for (llvm::StringRef part : parts)
              target.push_back(part.str());
            return absl::OkStatus();
          }};
}

Option makeFlag(std::string name, std::string help, bool &target) {
  return {std::move(name), "", std::move(help), [&target](std::string_view) {
            target = true;
            return absl::OkStatus();
          }};
}

Option makeNumber(std::string name, std::string value, std::string help,
                  int64_t least, int64_t &target) {
  return {name, std::move(value), std::move(help),
          [&target, name, least](std::string_view text) {
            if (llvm::StringRef(text).getAsInteger(10, target) ||
                target < least)
              return getError(name + " needs a number of at least " +
                              std::to_string(least) + ", not '" +
                              std::string(text) + "'");
            return absl::OkStatus();
          }};
}

absl::StatusOr<int64_t> parseBytes(std::string_view text) {
  static constexpr std::pair<llvm::StringLiteral, double> kUnits[] = {
      {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
      {"kB", 1e3},     {"KB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
      {"TB", 1e12},    {"B", 1}};
  llvm::StringRef number(text);
  double factor = 1;
  for (auto [unit, size] : kUnits)
    if (number.consume_back(unit)) {
      factor = size;
      break;
    }
  double value = 0;
  if (number.trim().getAsDouble(value) || !(value >= 0) ||
      value * factor > 0x1p62)
    return getError("'" + std::string(text) +
                    "' is no number of bytes; write 4096, 512KiB or 16GiB");
  return static_cast<int64_t>(std::llround(value * factor));
}

Option makeBytes(std::string name, std::string value, std::string help,
                 std::optional<int64_t> &target) {
  return {std::move(name), std::move(value), std::move(help),
          [&target](std::string_view text) -> absl::Status {
            PARTITA_ASSIGN_OR_RETURN(target, parseBytes(text));
            return absl::OkStatus();
          }};
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static absl::Status getUnknownOption(const std::vector<Option> &options,
                                     const std::string &name) {
  const Option *nearest = nullptr;
  unsigned best = 4; // farther ones are no help
  for (const Option &option : options) {
    unsigned distance = llvm::StringRef(name).edit_distance(option.name);
    if (distance < best) {
      best = distance;
      nearest = &option;
    }
  }
  return getError("unknown option " + name +
                  (nearest ? "; did you mean " + nearest->name + "?" : ""));
}

absl::StatusOr<ParsedArguments>
parseArguments(const std::vector<Option> &options,
               const std::vector<std::string> &arguments) {
  ParsedArguments parsed;
  bool hasEnded = false; // after "--"
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (hasEnded || argument == "-" || !argument.starts_with('-')) {
      parsed.positional.push_back(argument);
      continue;
    }
    if (argument == "--") {
      hasEnded = true;
      continue;
    }
    if (argument == "--help" || argument == "-h") {
      parsed.wantsHelp = true;
      continue;
    }
    if (llvm::StringRef(argument).ltrim('-').starts_with("mlir-")) {
      parsed.mlirOptions.push_back(argument);
      continue;
    }
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    auto option = std::find_if(options.begin(), options.end(),
                               [&](const Option &o) { return o.name == name; });
    if (option == options.end())
      return getUnknownOption(options, name);
    std::string value;
    if (equals != std::string::npos) {
      if (option->value.empty())
        return getError(name + " takes no value");
      value = argument.substr(equals + 1);
    } else if (!option->value.empty()) {
      if (++i == arguments.size())
        return getError(name + " needs a value, " + option->value);
      value = arguments[i];
    }
    PARTITA_RETURN_IF_ERROR(option->set(value));
  }
  return parsed;
}

std::string formatOptions(const std::vector<Option> &options) {
  static constexpr size_t kColumn = 28;
  std::string text;
  for (const Option &option : options) {
    std::string left = "  " + option.name;
    if (!option.value.empty())
      left += " " + option.value;
    if (left.size() + 1 < kColumn)
      left.resize(kColumn, ' ');
    else
      left += "\n" + std::string(kColumn, ' ');
    text += left + option.help + "\n";
  }
  return text;
}

} // namespace partita
