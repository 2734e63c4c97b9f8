//===- SmallFloatTest.cpp - Floats narrower than 32 bits --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/SmallFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace partita;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Limits {
  DType type;
  float largest;
  float smallest;
  /// What becomes of 1e6.
  float overflow;
};

const Limits kLimits[] = {
    {DType::F8E4M3FN, 448, 0x1p-9f, NAN},
    {DType::F8E5M2, 57344, 0x1p-16f, kInfinity},
    {DType::F8E4M3, 240, 0x1p-9f, kInfinity},
    {DType::F8E3M4, 15.5, 0x1p-6f, kInfinity},
    {DType::F8E4M3B11FNUZ, 30, 0x1p-13f, NAN},
    {DType::F8E4M3FNUZ, 240, 0x1p-10f, NAN},
    {DType::F8E5M2FNUZ, 57344, 0x1p-17f, NAN},
    {DType::F8E8M0FNU, 0x1p127f, 0x1p-127f, 0x1p20f},
    {DType::F4E2M1FN, 6, 0.5, 6},
    {DType::F6E2M3FN, 7.5, 0.125, 7.5},
    {DType::F6E3M2FN, 28, 0.0625, 28},
};

void expectSame(float a, float b) {
  EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
}

TEST(SmallFloatTest, RoundTripsEveryElement) {
  for (const Limits &limits : kLimits) {
    float largest = 0, smallest = kInfinity;
    for (int bits = 0; bits < 1 << getBitWidth(limits.type); ++bits) {
      float value = decodeSmallFloat(limits.type, static_cast<uint8_t>(bits));
      uint8_t again = encodeSmallFloat(limits.type, value);
      expectSame(decodeSmallFloat(limits.type, again), value);
      if (std::isfinite(value)) {
        EXPECT_EQ(again, bits);
        largest = std::max(largest, value);
        if (value > 0)
          smallest = std::min(smallest, value);
      }
    }
    EXPECT_EQ(largest, limits.largest) << getName(limits.type);
    EXPECT_EQ(smallest, limits.smallest) << getName(limits.type);
  }
}

TEST(SmallFloatTest, RoundsToTheNearestAndTiesToEven) {
  for (const Limits &limits : kLimits)
    for (int bits = 0; bits < 1 << (getBitWidth(limits.type) - 1); ++bits) {
      float low = decodeSmallFloat(limits.type, static_cast<uint8_t>(bits));
      float high =
          decodeSmallFloat(limits.type, static_cast<uint8_t>(bits + 1));
      if (!std::isfinite(low) || !std::isfinite(high) || high < low)
        continue;
      float middle = low + (high - low) / 2;
      auto round = [&](float value) {
        return encodeSmallFloat(limits.type, value);
      };
      EXPECT_EQ(round(middle), bits % 2 ? bits + 1 : bits);
      EXPECT_EQ(round(std::nextafter(middle, low)), bits);
      EXPECT_EQ(round(std::nextafter(middle, high)), bits + 1);
    }
}

TEST(SmallFloatTest, HandlesWhatDoesNotFit) {
  for (const Limits &limits : kLimits) {
    auto round = [&](float value) {
      return decodeSmallFloat(limits.type,
                              encodeSmallFloat(limits.type, value));
    };
    expectSame(round(1e6f), limits.overflow);
    if (limits.type != DType::F8E8M0FNU)
      expectSame(round(-1e6f), -limits.overflow);
    EXPECT_TRUE(getBitWidth(limits.type) < 8 || std::isnan(round(NAN)));
  }
  EXPECT_EQ(encodeSmallFloat(DType::F8E4M3FN, 464), 0x7e);
  EXPECT_EQ(encodeSmallFloat(DType::F8E4M3FN, 464.01f), 0x7f);
  EXPECT_EQ(encodeSmallFloat(DType::F8E5M2, 61440), 0x7c);
  EXPECT_EQ(encodeSmallFloat(DType::F8E4M3FNUZ, -0.0f), 0);
  EXPECT_EQ(encodeSmallFloat(DType::F8E8M0FNU, -2), 0xff);
}

} // namespace
