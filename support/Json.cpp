//===- Json.cpp - JSON values -----------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Json.h"

namespace partita {

absl::StatusOr<Json> parseJson(std::string_view text, const std::string &name) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error &error) {
    return absl::InvalidArgumentError("cannot read " + name +
                                      " as JSON: " + error.what());
  }
}

std::string toText(const Json &value, bool isIndented) {
  std::string text = value.dump(isIndented ? 2 : -1, ' ', false,
                                Json::error_handler_t::replace);
  return isIndented ? text + '\n' : text;
}

} // namespace partita
