//===- Json.h - JSON values -------------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_JSON_H
#define PARTITA_SUPPORT_JSON_H

#include "absl/status/statusor.h"
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace partita {

/// A JSON value whose objects keep the order in which their keys were added.
using Json = nlohmann::ordered_json;

/// Parses a document; `name` stands for it in errors, which tell the place.
absl::StatusOr<Json> parseJson(std::string_view text, const std::string &name);

/// The text of a value: one line, or indented by two spaces with a newline at
/// the end. Not-a-number and infinities become null, malformed UTF-8 is
/// replaced.
std::string toText(const Json &value, bool isIndented = true);

} // namespace partita

#endif // PARTITA_SUPPORT_JSON_H
