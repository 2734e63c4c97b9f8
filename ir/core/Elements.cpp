//===- Elements.cpp - Typed access to the elements of a tensor ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Elements.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace partita::core::eval {

static const llvm::fltSemantics &getSemantics(DType type) {
  using F = llvm::APFloat;
  switch (type) {
  case DType::F8E4M3FN:
    return F::Float8E4M3FN();
  case DType::F8E5M2:
    return F::Float8E5M2();
  case DType::F8E4M3:
    return F::Float8E4M3();
  case DType::F8E3M4:
    return F::Float8E3M4();
  case DType::F8E4M3B11FNUZ:
    return F::Float8E4M3B11FNUZ();
  case DType::F8E4M3FNUZ:
    return F::Float8E4M3FNUZ();
  case DType::F8E5M2FNUZ:
    return F::Float8E5M2FNUZ();
  case DType::F8E8M0FNU:
    return F::Float8E8M0FNU();
  case DType::F4E2M1FN:
    return F::Float4E2M1FN();
  case DType::F6E2M3FN:
    return F::Float6E2M3FN();
  case DType::F6E3M2FN:
    return F::Float6E3M2FN();
  case DType::BF16:
    return F::BFloat();
  case DType::F16:
    return F::IEEEhalf();
  default:
    return F::IEEEsingle();
  }
}

static float widenFloat(DType type, uint64_t bits) {
  if (type == DType::BF16)
    return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  llvm::APFloat value(getSemantics(type),
                      llvm::APInt(getBitWidth(type), bits, false, true));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToFloat();
}

static uint16_t narrowToBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<uint16_t>(bits >> 16);
}

static uint64_t narrowFloat(DType type, float value) {
  if (type == DType::BF16)
    return narrowToBf16(value);
  llvm::APFloat wide(value);
  bool losesInfo;
  wide.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
               &losesInfo);
  return wide.bitcastToAPInt().getZExtValue();
}

float getUpperBound(DType type) {
  if (type == DType::F64)
    return INFINITY;
  const llvm::fltSemantics &semantics = getSemantics(type);
  llvm::APFloat bound = llvm::APFloat::semanticsHasInf(semantics)
                            ? llvm::APFloat::getInf(semantics)
                            : llvm::APFloat::getLargest(semantics);
  bool losesInfo;
  bound.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmTowardZero,
                &losesInfo);
  return bound.convertToFloat();
}

/// The element's bits, from `width` bytes.
static uint64_t loadBits(const std::byte *from, int64_t width) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, width);
  return bits;
}

template <typename T>
void readElements(DType type, const std::byte *from, int64_t count, T *to) {
  int64_t width = getByteWidth(type);
  int bits = getBitWidth(type);
  if constexpr (std::is_same_v<T, float>) {
    // Floats of 8 bits and fewer have few values: make each once.
    std::array<float, 256> table;
    if (width == 1)
      for (int i = 0; i < 256; ++i)
        table[i] = widenFloat(type, i & ((1 << bits) - 1));
    for (int64_t i = 0; i < count; ++i)
      to[i] = width == 1 ? table[static_cast<uint8_t>(from[i])]
                         : widenFloat(type, loadBits(from + i * width, width));
  } else if constexpr (std::is_same_v<T, int64_t>) {
    for (int64_t i = 0; i < count; ++i) {
      uint64_t raw = loadBits(from + i * width, width) << (64 - bits);
      to[i] = static_cast<int64_t>(raw) >> (64 - bits);
    }
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = loadBits(from + i * width, width) << (64 - bits) >> (64 - bits);
  } else {
    std::memcpy(to, from, count * width);
  }
}

template <typename T>
void writeElements(DType type, const T *from, int64_t count, std::byte *to) {
  int64_t width = getByteWidth(type);
  int bits = getBitWidth(type);
  if constexpr (std::is_same_v<T, float> || std::is_integral_v<T>) {
    for (int64_t i = 0; i < count; ++i) {
      uint64_t raw;
      if constexpr (std::is_same_v<T, float>)
        raw = narrowFloat(type, from[i]);
      else
        raw = static_cast<uint64_t>(from[i]) << (64 - bits) >> (64 - bits);
      std::memcpy(to + i * width, &raw, width);
    }
  } else {
    std::memcpy(to, from, count * width);
  }
}

#define PARTITA_ELEMENTS_OF(T)                                                 \
  template void readElements<T>(DType, const std::byte *, int64_t, T *);       \
  template void writeElements<T>(DType, const T *, int64_t, std::byte *);
PARTITA_ELEMENTS_OF(bool)
PARTITA_ELEMENTS_OF(int64_t)
PARTITA_ELEMENTS_OF(uint64_t)
PARTITA_ELEMENTS_OF(float)
PARTITA_ELEMENTS_OF(double)
PARTITA_ELEMENTS_OF(std::complex<float>)
PARTITA_ELEMENTS_OF(std::complex<double>)
#undef PARTITA_ELEMENTS_OF

} // namespace partita::core::eval
