//===- TextCompatTest.cpp - Text of other versions of MLIR ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/TextCompat.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(TextCompatTest, PacksBytesOfBoolsToBits) {
  // Elements 0, 3 and 9 of ten are true.
  EXPECT_EQ(adaptText("dense<\"0x01000001000000000001\"> : tensor<10xi1>"),
            "dense<\"0x0902\"> : tensor<10xi1>");
  EXPECT_EQ(adaptText("a dense<\"0x0100010000000000\"> : tensor<2x4xi1> b"),
            "a dense<\"0x05\"> : tensor<2x4xi1> b");
}

TEST(TextCompatTest, LeavesOtherTextAsItIs) {
  for (const char *text :
       {"", "stablehlo.add %a, %b : tensor<4xf32>",
        "dense<\"0x0902\"> : tensor<10xi1>",             // a bit an element
        "dense<\"0x0100010000000000\"> : tensor<2xf32>", // not of bools
        "dense<\"0x0200010000000000\"> : tensor<8xi1>",  // not 0 or 1
        "dense<\"0x01"})                                 // cut off
    EXPECT_EQ(adaptText(text), text);
}

} // namespace
} // namespace partita
