//===- ShardingTest.cpp - Placement of tensors ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Sharding.h"
#include "mesh/Permutation.h"

#include <gmock/gmock.h>

namespace partita {
namespace {

using testing::ElementsAre;

TensorSharding getSplit(std::vector<std::vector<AxisRef>> dims,
                        std::vector<AxisRef> unreduced = {}) {
  TensorSharding sharding;
  for (std::vector<AxisRef> &axes : dims)
    sharding.dims.push_back({std::move(axes)});
  sharding.unreduced = std::move(unreduced);
  return sharding;
}

TEST(ShardingTest, UnevenShardsAreShortOrEmpty) {
  Mesh mesh({{"x", 4}});
  TensorSharding sharding = getSplit({{mesh.getWholeAxis(0)}});
  std::vector<int64_t> shape = {5};
  EXPECT_THAT(getLocalShape(shape, sharding), ElementsAre(2));
  EXPECT_EQ(getShardBox(mesh, shape, sharding, 1), (Box{{2}, {4}}));
  EXPECT_EQ(getShardBox(mesh, shape, sharding, 2), (Box{{4}, {5}}));
  EXPECT_TRUE(getShardBox(mesh, shape, sharding, 3).isEmpty());
}

TEST(ShardingTest, BoxesOfTwoAxesOnOneDimension) {
  Mesh mesh({{"x", 2}, {"y", 2}});
  AxisRef x = mesh.getWholeAxis(0), y = mesh.getWholeAxis(1);
  std::vector<int64_t> shape = {8, 4};
  TensorSharding sharding = getSplit({{y, x}, {}});
  EXPECT_EQ(getShardBox(mesh, shape, sharding, 1), (Box{{4, 0}, {6, 4}}));
  EXPECT_EQ(getShardBox(mesh, shape, sharding, 2), (Box{{2, 0}, {4, 4}}));
}

TEST(ShardingTest, SamePlacementLooksThroughNotation) {
  TensorSharding whole = getSplit({{{0, 1, 4}}, {}});
  TensorSharding halves = getSplit({{{0, 1, 2}, {0, 2, 2}}, {}});
  halves.dims[1].isOpen = true;
  EXPECT_TRUE(isSamePlacement(whole, halves));
  TensorSharding partial = getSplit({{{0, 1, 4}}, {}}, {{1, 1, 2}});
  EXPECT_FALSE(isSamePlacement(whole, partial));
  TensorSharding maxima = partial;
  maxima.reduction = ReductionKind::Max;
  EXPECT_FALSE(isSamePlacement(partial, maxima));
}

TEST(ShardingTest, Uses) {
  TensorSharding sharding = getSplit({{{0, 1, 2}}, {}}, {{1, 1, 2}});
  EXPECT_TRUE(sharding.uses({0, 1, 8}));
  EXPECT_FALSE(sharding.uses({0, 2, 4}));
  EXPECT_TRUE(sharding.uses({1, 1, 2}));
  EXPECT_FALSE(sharding.isFullyReplicated());
  EXPECT_TRUE(getReplicated(3).isFullyReplicated());
}

TEST(ShardingTest, Text) {
  Mesh mesh({{"x", 4}, {"y", 2}});
  TensorSharding sharding = getSplit({{{0, 1, 2}}, {}}, {mesh.getWholeAxis(1)});
  sharding.dims[1].isOpen = true;
  sharding.reduction = ReductionKind::Max;
  EXPECT_EQ(toString(mesh, sharding),
            "[{\"x\":(1)2}, {?}], unreduced=max{\"y\"}");
}

TEST(BoxTest, IntersectionOfDisjointBoxesIsEmpty) {
  Box a{{0, 0}, {4, 4}}, b{{2, 4}, {6, 8}};
  EXPECT_TRUE(intersect(a, b).isEmpty());
  EXPECT_EQ(intersect(a, b).getNumElements(), 0);
  EXPECT_EQ(intersect(a, Box{{1, 1}, {9, 3}}), (Box{{1, 1}, {4, 3}}));
}

TEST(PermutationTest, SwapOfTwoDimensions) {
  Mesh mesh({{"x", 2}, {"y", 2}});
  AxisRef x = mesh.getWholeAxis(0), y = mesh.getWholeAxis(1);
  auto permutation =
      getPermutation(mesh, getSplit({{x}, {y}}), getSplit({{y}, {x}}));
  ASSERT_TRUE(permutation);
  EXPECT_THAT(*permutation, ElementsAre(0, 2, 1, 3));
}

TEST(PermutationTest, CopiesStayWhereTheyCan) {
  Mesh mesh({{"x", 2}, {"y", 2}});
  AxisRef x = mesh.getWholeAxis(0), y = mesh.getWholeAxis(1);
  auto permutation = getPermutation(mesh, getSplit({{x}}), getSplit({{y}}));
  ASSERT_TRUE(permutation);
  EXPECT_THAT(*permutation, ElementsAre(0, 2, 1, 3));
}

TEST(PermutationTest, PartialValuesKeepTheirNumber) {
  Mesh mesh({{"x", 2}, {"y", 2}});
  AxisRef x = mesh.getWholeAxis(0), y = mesh.getWholeAxis(1);
  auto permutation =
      getPermutation(mesh, getSplit({{x}}, {y}), getSplit({{y}}, {x}));
  ASSERT_TRUE(permutation);
  EXPECT_THAT(*permutation, ElementsAre(0, 2, 1, 3));
}

TEST(PermutationTest, OtherGridsAreNone) {
  Mesh mesh({{"x", 2}, {"y", 3}});
  AxisRef x = mesh.getWholeAxis(0), y = mesh.getWholeAxis(1);
  EXPECT_FALSE(getPermutation(mesh, getSplit({{x}}), getSplit({{y}})));
  EXPECT_FALSE(getPermutation(mesh, getSplit({{x}}), getSplit({{x}}, {y})));
  EXPECT_FALSE(getPermutation(mesh, getSplit({{x}}), getSplit({{x}, {}})));
}

} // namespace
} // namespace partita
