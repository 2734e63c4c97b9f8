//===- JsonTest.cpp - JSON values -------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using namespace partita;

namespace {

TEST(JsonTest, KeepsTheOrderOfKeys) {
  auto value = parseJson(R"({"b": 1, "a": [1.5, null]})", "'x'");
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(toText(*value, false), R"({"b":1,"a":[1.5,null]})");
  EXPECT_EQ(toText(Json::array({1})), "[\n  1\n]\n");
}

TEST(JsonTest, NamesTheDocumentThatIsMalformed) {
  auto value = parseJson("{\"a\": ", "'meta.json'");
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(value.status().message()),
              testing::StartsWith("cannot read 'meta.json' as JSON"));
}

TEST(JsonTest, PrintsWhatJsonLacks) {
  Json value = {{"nan", std::numeric_limits<double>::quiet_NaN()},
                {"text", "\xff"}};
  EXPECT_EQ(toText(value, false), "{\"nan\":null,\"text\":\"\xef\xbf\xbd\"}");
}

} // namespace
