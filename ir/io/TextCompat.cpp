//===- TextCompat.cpp - Text of other versions of MLIR --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/TextCompat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

using llvm::StringRef;

namespace partita {

/// The number of elements, when `rest` starts with `> : tensor<…xi1>`.
static std::optional<uint64_t> getBoolCount(StringRef rest) {
  if (!rest.consume_front("> : tensor<"))
    return std::nullopt;
  uint64_t count = 1, size;
  while (!rest.consumeInteger(10, size)) {
    count *= size;
    if (!rest.consume_front("x"))
      return std::nullopt;
  }
  if (!rest.starts_with("i1>"))
    return std::nullopt;
  return count;
}

/// Packs bytes of 0 and 1 in hexadecimal to bits, the first the lowest; none
/// when there are other bytes.
static std::optional<std::string> packBools(StringRef hex) {
  std::string packed((hex.size() / 2 + 7) / 8, '\0');
  for (size_t i = 0; i < hex.size() / 2; ++i) {
    if (hex[2 * i] != '0' || (hex[2 * i + 1] != '0' && hex[2 * i + 1] != '1'))
      return std::nullopt;
    if (hex[2 * i + 1] == '1')
      packed[i / 8] |= static_cast<char>(1 << (i % 8));
  }
  return llvm::toHex(packed);
}

std::string adaptText(std::string text) {
  static constexpr StringRef kOpening = "dense<\"0x";
  StringRef rest = text;
  std::string adapted;
  size_t at;
  while ((at = rest.find(kOpening)) != StringRef::npos) {
    size_t begin = at + kOpening.size();
    size_t end = rest.find('"', begin);
    if (end == StringRef::npos)
      break;
    StringRef hex = rest.slice(begin, end);
    std::optional<uint64_t> count = getBoolCount(rest.drop_front(end + 1));
    std::optional<std::string> packed;
    if (count && *count > 1 && hex.size() == 2 * *count)
      packed = packBools(hex);
    adapted += rest.take_front(begin);
    adapted += packed ? *packed : hex.str();
    rest = rest.drop_front(end);
  }
  if (adapted.empty())
    return text;
  return adapted + rest.str();
}

} // namespace partita
