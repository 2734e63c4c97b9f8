//===- FactorShardingTest.cpp - Shardings of an op's factors --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/rules/FactorSharding.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

const AxisRef kX{0, 1, 8}, kY{1, 1, 2};
const AxisRef kFrontOfX{0, 1, 4}, kBackOfX{0, 4, 2};

TEST(FactorSharding, PrefixesKnowSubAxes) {
  EXPECT_TRUE(isPrefix({kFrontOfX}, {kX}));
  EXPECT_TRUE(isPrefix({}, {kX}));
  EXPECT_FALSE(isPrefix({kX}, {kFrontOfX}));
  EXPECT_FALSE(isPrefix({kBackOfX}, {kX}));
  EXPECT_EQ(dropPrefix({kX, kY}, {kFrontOfX}), (Axes{kBackOfX, kY}));
  EXPECT_EQ(getCommonPrefix({kX, kY}, {kFrontOfX, kY}), Axes{kFrontOfX});
}

TEST(FactorSharding, TruncationStopsAtTheFirstUsedAxis) {
  EXPECT_EQ(truncateBefore({kY, kX}, {kX}), Axes{kY});
  EXPECT_EQ(truncateBefore({kX, kY}, {kBackOfX}), Axes{kFrontOfX});
  EXPECT_EQ(truncateBefore({kX, kY}, {kFrontOfX}), Axes{});
}

/// [24] -> [4, 6]: the dimension of 24 is made of the two factors.
IndexRule makeReshapeRule() {
  IndexRule rule;
  addReshapeFactors(rule, {24}, {4, 6}, rule.operands.emplace_back(),
                    rule.results.emplace_back());
  return rule;
}

TEST(FactorSharding, AxisIsCutAtFactors) {
  IndexRule rule = makeReshapeRule();
  TensorSharding flat = getReplicated(1);
  flat.dims[0].axes = {kX};
  FactorAxes factors;
  EXPECT_TRUE(projectToFactors(rule, rule.operands[0], flat, factors));
  EXPECT_EQ(factors[0], Axes{kFrontOfX});
  EXPECT_EQ(factors[1], Axes{kBackOfX});
  EXPECT_EQ(makeTensorSharding(rule, rule.operands[0], factors).dims[0].axes,
            Axes{kX});
}

TEST(FactorSharding, MinorFactorNeedsTheMajorOneSplitWhole) {
  IndexRule rule = makeReshapeRule();
  FactorAxes factors = {{}, {kY}};
  legalizeFactors(rule, factors);
  EXPECT_TRUE(factors[1].empty());
}

TEST(FactorSharding, UnevenMajorFactorCannotBeSplit) {
  IndexRule rule = makeReshapeRule();
  TensorSharding flat = getReplicated(1);
  flat.dims[0].axes = {AxisRef{0, 1, 3}};
  FactorAxes factors;
  EXPECT_FALSE(projectToFactors(rule, rule.operands[0], flat, factors));
}

} // namespace
} // namespace partita
