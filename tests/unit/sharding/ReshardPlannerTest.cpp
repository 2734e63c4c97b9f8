//===- ReshardPlannerTest.cpp - Plans that must come out --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshardSimulator.h"

#include "sharding/reshard/LowerBound.h"

#include <gmock/gmock.h>

namespace partita {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Axes = std::vector<AxisRef>;

TensorSharding getSplit(std::vector<Axes> dims, Axes unreduced = {}) {
  TensorSharding sharding;
  for (Axes &axes : dims)
    sharding.dims.push_back({std::move(axes)});
  sharding.unreduced = std::move(unreduced);
  return sharding;
}

class ReshardPlannerTest : public testing::Test {
protected:
  /// The steps as text, after executing them.
  std::vector<std::string> plan(const ReshardRequest &request) {
    auto plan = planner.plan(request);
    if (!plan.ok())
      return {std::string(plan.status().message())};
    EXPECT_EQ(ReshardSimulator(mesh, request).run(**plan), "");
    wireBytes = (*plan)->wireBytes;
    std::vector<std::string> steps;
    for (const ReshardStep &step : (*plan)->steps)
      steps.push_back(toString(mesh, step));
    return steps;
  }

  Mesh mesh{{{"x", 2}, {"y", 2}, {"z", 3}}};
  AxisRef x = mesh.getWholeAxis(0), y = mesh.getWholeAxis(1),
          z = mesh.getWholeAxis(2);
  ReshardPlanner planner{mesh};
  int64_t wireBytes = 0;
};

TEST_F(ReshardPlannerTest, NothingToDo) {
  TensorSharding open = getSplit({{x}, {}});
  open.dims[1].isOpen = true;
  EXPECT_THAT(plan({{8, 8}, 4, getSplit({{x}, {}}), open}), ElementsAre());
}

TEST_F(ReshardPlannerTest, UnreducedToShardedIsAReduceScatter) {
  EXPECT_THAT(plan({{8, 8}, 4, getSplit({{}, {}}, {x}), getSplit({{x}, {}})}),
              ElementsAre("reduce-scatter dim 0 {\"x\"} -> [{\"x\"}, {}]"));
  EXPECT_EQ(wireBytes, 128);
}

TEST_F(ReshardPlannerTest, ScatterBeforeReducingTheShard) {
  EXPECT_THAT(
      plan({{8, 8}, 4, getSplit({{}, {}}, {x, y}), getSplit({{y}, {}})}),
      ElementsAre(
          "reduce-scatter dim 0 {\"y\"} -> [{\"y\"}, {}], unreduced={\"x\"}",
          "all-reduce {\"x\"} -> [{\"y\"}, {}]"));
  EXPECT_EQ(wireBytes, 256);
}

TEST_F(ReshardPlannerTest, OneReductionOverTwoAxes) {
  EXPECT_THAT(plan({{8}, 4, getSplit({{}}, {x, y}), getSplit({{}})}),
              ElementsAre("all-reduce {\"x\", \"y\"} -> [{}]"));
}

TEST_F(ReshardPlannerTest, ReductionKindIsKept) {
  ReshardRequest request{{8}, 4, getSplit({{}}, {x, y}), getSplit({{y}})};
  request.from.reduction = ReductionKind::Max;
  EXPECT_THAT(plan(request),
              ElementsAre("reduce-scatter dim 0 {\"y\"} -> [{\"y\"}], "
                          "unreduced=max{\"x\"}",
                          "all-reduce {\"x\"} -> [{\"y\"}]"));
}

TEST_F(ReshardPlannerTest, SomeAxesMayStayUnreduced) {
  EXPECT_THAT(plan({{8}, 4, getSplit({{}}, {x, y}), getSplit({{}}, {x})}),
              ElementsAre("all-reduce {\"y\"} -> [{}], unreduced={\"x\"}"));
}

TEST_F(ReshardPlannerTest, SliceBeforeGather) {
  EXPECT_THAT(plan({{8, 8}, 4, getSplit({{x}, {}}), getSplit({{}, {z}})}),
              ElementsAre("slice dim 1 {\"z\"} -> [{\"x\"}, {\"z\"}]",
                          "all-gather dim 0 {\"x\"} -> [{}, {\"z\"}]"));
}

TEST_F(ReshardPlannerTest, ReorderWithinADimensionIsAPermute) {
  EXPECT_THAT(plan({{8, 8}, 4, getSplit({{x, y}, {}}), getSplit({{y, x}, {}})}),
              ElementsAre("permute {\"x\", \"y\"} -> [{\"y\", \"x\"}, {}]"));
}

TEST_F(ReshardPlannerTest, MoveBetweenDimensionsIsAnAllToAll) {
  EXPECT_THAT(plan({{6, 6}, 4, getSplit({{z}, {}}), getSplit({{}, {z}})}),
              ElementsAre("all-to-all dim 1 from dim 0 {\"z\"} -> "
                          "[{}, {\"z\"}]"));
  EXPECT_EQ(wireBytes, 32);
}

TEST_F(ReshardPlannerTest, GatherOfTheMinorAxisOnly) {
  EXPECT_THAT(plan({{8}, 4, getSplit({{x, y}}), getSplit({{x}})}),
              ElementsAre("all-gather dim 0 {\"y\"} -> [{\"x\"}]"));
}

TEST_F(ReshardPlannerTest, UnevenShardsThatDoNotNest) {
  // Shards of 3 with four, of 5 with two: no gather in pairs.
  EXPECT_FALSE(shardsNest(9, 2, 2));
  EXPECT_THAT(plan({{9}, 4, getSplit({{x, y}}), getSplit({{x}})}),
              ElementsAre("exchange {\"x\", \"y\"} -> [{\"x\"}]"));
  // Less than to gather four shards of 3.
  EXPECT_LT(wireBytes, 36);
}

TEST_F(ReshardPlannerTest, EmptyTensor) {
  EXPECT_THAT(plan({{0, 4}, 4, getSplit({{x}, {}}), getSplit({{}, {x}})}),
              testing::SizeIs(1));
}

TEST_F(ReshardPlannerTest, SubAxes) {
  Mesh large({{"x", 8}});
  ReshardPlanner largePlanner(large);
  AxisRef major{0, 1, 2}, minor{0, 2, 4};
  ReshardRequest request{
      {16, 16}, 4, getSplit({{{0, 1, 8}}, {}}), getSplit({{major}, {minor}})};
  auto plan = largePlanner.plan(request);
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ((*plan)->steps.size(), 1u);
  EXPECT_EQ(toString(large, (*plan)->steps[0]),
            "all-to-all dim 1 from dim 0 {\"x\":(2)4} -> "
            "[{\"x\":(1)2}, {\"x\":(2)4}]");
}

TEST_F(ReshardPlannerTest, SubAxesThatDoNotDivide) {
  Mesh six({{"x", 6}});
  ReshardPlanner sixPlanner(six);
  ReshardRequest request{
      {12}, 4, getSplit({{{0, 1, 2}}}), getSplit({{{0, 1, 3}}})};
  auto plan = sixPlanner.plan(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(ReshardSimulator(six, request).run(**plan), "");
}

TEST_F(ReshardPlannerTest, SlowLinksAreSpared) {
  // Gathering along the slow axis comes first, while shards are small; with
  // the fast one first it would carry twice the bytes.
  Topology topology;
  topology.links = {{1e6, 0}, {1e9, 0}, {1e9, 0}};
  ReshardPlanner slow(mesh, topology);
  auto plan = slow.plan({{8, 8}, 4, getSplit({{x}, {y}}), getSplit({{}, {}})});
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT((*plan)->steps[0].axes, ElementsAre(x));
}

TEST_F(ReshardPlannerTest, Errors) {
  EXPECT_THAT(plan({{8, 8}, 4, getSplit({{x}}), getSplit({{}, {}})}),
              ElementsAre(HasSubstr("cannot reshard a tensor of rank 2 from "
                                    "[{\"x\"}] to [{}, {}]: ranks differ")));
  EXPECT_THAT(plan({{8}, 4, getSplit({{x}}), getSplit({{}}, {x})}),
              ElementsAre(HasSubstr(": the result would be unreduced where "
                                    "the operand is not")));
  EXPECT_THAT(plan({{8, 8}, 4, getSplit({{x}, {x}}), getSplit({{}, {}})}),
              ElementsAre(HasSubstr("an axis is used twice in "
                                    "[{\"x\"}, {\"x\"}]")));
  EXPECT_THAT(plan({{8}, 4, getSplit({{{2, 1, 2}}}), getSplit({{}})}),
              ElementsAre(HasSubstr("axis 'z' do not divide one another")));
}

TEST_F(ReshardPlannerTest, PlansAreRemembered) {
  ReshardRequest request{{8, 8}, 4, getSplit({{x}, {}}), getSplit({{}, {x}})};
  auto first = planner.plan(request), second = planner.plan(request);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
}

TEST_F(ReshardPlannerTest, ManyAxesEndInTime) {
  // 12 axes on 4 dimensions, all reversed: too many states to visit.
  std::vector<MeshAxis> axes;
  axes.reserve(12);
  for (int i = 0; i < 12; ++i)
    axes.push_back({"a" + std::to_string(i), 2});
  Mesh cube(axes);
  TensorSharding from = getReplicated(4), to = getReplicated(4);
  for (int i = 0; i < 12; ++i) {
    from.dims[i % 4].axes.push_back(cube.getWholeAxis(i));
    to.dims[(i + 1 + i / 4) % 4].axes.push_back(cube.getWholeAxis(11 - i));
  }
  ReshardPlanner cubePlanner(cube);
  auto plan = cubePlanner.plan({{8, 8, 8, 8}, 4, from, to});
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(isSamePlacement((*plan)->steps.back().result, to));
}

TEST(LowerBoundTest, Values) {
  Mesh mesh({{"x", 4}});
  AxisRef x = mesh.getWholeAxis(0);
  auto bound = [&](std::vector<int64_t> shape, TensorSharding from,
                   TensorSharding to) {
    return getLowerBound(mesh, {std::move(shape), 4, from, to});
  };
  EXPECT_EQ(bound({8, 8}, getSplit({{x}, {}}), getSplit({{}, {x}})), 48);
  EXPECT_EQ(bound({8, 8}, getSplit({{x}, {}}), getSplit({{}, {}})), 192);
  // Shards of 3, 3, 3 and 0: the last device lacks all 9.
  EXPECT_EQ(bound({9}, getSplit({{x}}), getSplit({{}})), 36);
  EXPECT_EQ(bound({8}, getSplit({{}}, {x}), getSplit({{}})), 48);
  EXPECT_EQ(bound({8}, getSplit({{}}, {x}), getSplit({{x}})), 24);
}

} // namespace
} // namespace partita
