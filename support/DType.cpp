//===- DType.cpp - Element types --------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/DType.h"

namespace partita {
namespace {
struct Entry {
  std::string_view name;
  int bits;
  int bytes;
};
constexpr Entry kEntries[kNumDTypes] = {
    {"i1", 1, 1},
    {"i2", 2, 1},
    {"i4", 4, 1},
    {"i8", 8, 1},
    {"i16", 16, 2},
    {"i32", 32, 4},
    {"i64", 64, 8},
    {"ui2", 2, 1},
    {"ui4", 4, 1},
    {"ui8", 8, 1},
    {"ui16", 16, 2},
    {"ui32", 32, 4},
    {"ui64", 64, 8},
    {"f8E4M3FN", 8, 1},
    {"f8E5M2", 8, 1},
    {"f8E4M3", 8, 1},
    {"f8E3M4", 8, 1},
    {"f8E4M3B11FNUZ", 8, 1},
    {"f8E4M3FNUZ", 8, 1},
    {"f8E5M2FNUZ", 8, 1},
    {"f8E8M0FNU", 8, 1},
    {"f4E2M1FN", 4, 1},
    {"f6E2M3FN", 6, 1},
    {"f6E3M2FN", 6, 1},
    {"bf16", 16, 2},
    {"f16", 16, 2},
    {"f32", 32, 4},
    {"f64", 64, 8},
    {"complex<f32>", 64, 8},
    {"complex<f64>", 128, 16},
};
const Entry &entry(DType type) { return kEntries[static_cast<int>(type)]; }
} // namespace

int64_t getByteWidth(DType type) { return entry(type).bytes; }
int getBitWidth(DType type) { return entry(type).bits; }
std::string_view getName(DType type) { return entry(type).name; }

std::optional<DType> parseDType(std::string_view name) {
  for (int i = 0; i < kNumDTypes; ++i)
    if (kEntries[i].name == name)
      return static_cast<DType>(i);
  return std::nullopt;
}

bool isFloat(DType type) {
  return type >= DType::F8E4M3FN && type <= DType::F64;
}
bool isComplex(DType type) { return type >= DType::C64; }
bool isSignedInt(DType type) { return type >= DType::S2 && type <= DType::S64; }
bool isUnsignedInt(DType type) {
  return type >= DType::U2 && type <= DType::U64;
}

} // namespace partita
