//===- SmallFloat.cpp - Floats narrower than 32 bits ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/SmallFloat.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace partita {
namespace {

enum class Special {
  Ieee,      // the highest exponent holds infinity and NaN
  Fn,        // one NaN a sign, all ones; no infinity
  FnUz,      // one NaN, in the place of negative zero; no infinity
  FiniteOnly // neither
};

struct Format {
  int exponentBits;
  int mantissaBits;
  int bias;
  Special special;
  bool isSigned;
};

Format getFormat(DType type) {
  switch (type) {
  case DType::F8E4M3FN:
    return {4, 3, 7, Special::Fn, true};
  case DType::F8E5M2:
    return {5, 2, 15, Special::Ieee, true};
  case DType::F8E4M3:
    return {4, 3, 7, Special::Ieee, true};
  case DType::F8E3M4:
    return {3, 4, 3, Special::Ieee, true};
  case DType::F8E4M3B11FNUZ:
    return {4, 3, 11, Special::FnUz, true};
  case DType::F8E4M3FNUZ:
    return {4, 3, 8, Special::FnUz, true};
  case DType::F8E5M2FNUZ:
    return {5, 2, 16, Special::FnUz, true};
  case DType::F8E8M0FNU:
    return {8, 0, 127, Special::Fn, false};
  case DType::F4E2M1FN:
    return {2, 1, 1, Special::FiniteOnly, true};
  case DType::F6E2M3FN:
    return {2, 3, 1, Special::FiniteOnly, true};
  default:
    assert(type == DType::F6E3M2FN && "not a small float type");
    return {3, 2, 3, Special::FiniteOnly, true};
  }
}

/// Elements without sign, in ascending order of their bits and values.
struct Table {
  explicit Table(DType type);
  float getNan() const { return std::numeric_limits<float>::quiet_NaN(); }

  Format format;
  int signBit;   // its place value; 0 without sign
  int numFinite; // elements 0 … numFinite-1 are numbers
  /// Value of each element; one more than is finite, as if it went on.
  std::array<float, 257> values;
};

Table::Table(DType type) : format(getFormat(type)) {
  int width = format.exponentBits + format.mantissaBits;
  int count = 1 << width;
  signBit = format.isSigned ? count : 0;
  switch (format.special) {
  case Special::Ieee:
    numFinite = count - (1 << format.mantissaBits);
    break;
  case Special::Fn:
    numFinite = count - 1;
    break;
  default:
    numFinite = count;
  }
  int scale = 1 << format.mantissaBits;
  for (int bits = 0; bits <= count; ++bits) {
    int exponent = bits / scale, mantissa = bits % scale;
    bool isNormal = exponent > 0 || format.mantissaBits == 0;
    values[bits] = std::ldexp(
        static_cast<float>(mantissa + (isNormal ? scale : 0)),
        (isNormal ? exponent : 1) - format.bias - format.mantissaBits);
  }
}

const Table &getTable(DType type) {
  static const auto tables = [] {
    std::array<const Table *, kNumDTypes> all{};
    for (int i = static_cast<int>(DType::F8E4M3FN);
         i <= static_cast<int>(DType::F6E3M2FN); ++i)
      all[i] = new Table(static_cast<DType>(i));
    return all;
  }();
  return *tables[static_cast<int>(type)];
}
} // namespace

float decodeSmallFloat(DType type, uint8_t bits) {
  const Table &table = getTable(type);
  bool isNegative = (bits & table.signBit) != 0;
  int magnitude = table.signBit ? bits & (table.signBit - 1) : bits;
  if (table.format.special == Special::FnUz && isNegative && magnitude == 0)
    return table.getNan();
  float value = table.values[magnitude];
  if (magnitude >= table.numFinite)
    value =
        table.format.special == Special::Ieee && magnitude == table.numFinite
            ? std::numeric_limits<float>::infinity()
            : table.getNan();
  return isNegative ? -value : value;
}

uint8_t encodeSmallFloat(DType type, float value) {
  const Table &table = getTable(type);
  Special special = table.format.special;
  int nan = 0;
  if (special == Special::Ieee)
    nan = table.numFinite + (1 << table.format.mantissaBits) / 2;
  else if (special == Special::Fn)
    nan = table.numFinite;
  else if (special == Special::FnUz)
    nan = table.signBit;
  bool isUnsigned = table.signBit == 0;
  if (std::isnan(value) || (isUnsigned && !(value > 0)))
    return static_cast<uint8_t>(nan);
  int sign = std::signbit(value) ? table.signBit : 0;
  float magnitude = std::fabs(value);
  const float *begin = table.values.data();
  const float *end = begin + table.numFinite + 1;
  auto above =
      static_cast<int>(std::lower_bound(begin, end, magnitude) - begin);
  int bits = above;
  if (above > table.numFinite) {
    bits = table.numFinite;
  } else if (above > 0 && begin[above] != magnitude) {
    double low = begin[above - 1], high = begin[above],
           middle = (low + high) / 2;
    bool isLow = magnitude < middle || (magnitude == middle && above % 2);
    bits = isLow ? above - 1 : above;
  }
  if (bits == table.numFinite) {
    if (special == Special::FiniteOnly)
      bits = table.numFinite - 1;
    else
      return static_cast<uint8_t>(special == Special::Ieee ? sign | bits
                                  : special == Special::Fn ? sign | nan
                                                           : nan);
  }
  if (special == Special::FnUz && bits == 0)
    sign = 0;
  return static_cast<uint8_t>(sign | bits);
}

} // namespace partita
