//===- TransitionTest.cpp - Changes of sharding, step by step -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Transition.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

const Mesh kMesh({{"x", 4}, {"y", 2}});
const AxisRef kX = {0, 1, 4}, kXMajor = {0, 1, 2}, kXMinor = {0, 2, 2},
              kY = {1, 1, 2};

TensorSharding make(std::vector<AxisRef> dim0, std::vector<AxisRef> dim1,
                    std::vector<AxisRef> unreduced = {}) {
  TensorSharding sharding;
  sharding.dims = {{std::move(dim0)}, {std::move(dim1)}};
  sharding.unreduced = std::move(unreduced);
  return sharding;
}

std::string text(const std::optional<TensorSharding> &sharding) {
  return sharding ? toString(kMesh, *sharding) : "none";
}

using Axes = std::vector<AxisRef>;

TEST(Transition, AllGatherTakesTheMinorMostAxes) {
  EXPECT_EQ(text(afterAllGather(make({kX, kY}, {}), 0, Axes{kY})),
            "[{\"x\"}, {}]");
  EXPECT_EQ(text(afterAllGather(make({kX, kY}, {}), 0, Axes{kXMinor, kY})),
            "[{\"x\":(1)2}, {}]");
  EXPECT_EQ(text(afterAllGather(make({kX, kY}, {}), 0, Axes{kX})), "none");
  EXPECT_EQ(text(afterAllGather(make({kX}, {}), 0, Axes{kXMajor})), "none");
  EXPECT_EQ(text(afterAllGather(make({kX}, {}), 1, Axes{kX})), "none");
  EXPECT_EQ(text(afterAllGather(make({kX}, {}), 2, Axes{kX})), "none");
}

TEST(Transition, SliceAppendsUnusedAxes) {
  EXPECT_EQ(text(afterSlice(make({kXMajor}, {}), 0, Axes{kXMinor})),
            "[{\"x\"}, {}]");
  EXPECT_EQ(text(afterSlice(make({kX}, {}), 1, Axes{kXMinor})), "none");
  EXPECT_EQ(text(afterSlice(make({}, {}, {kY}), 1, Axes{kY})), "none");
}

TEST(Transition, AllReduceNeedsTheSameKindAndUnreducedAxes) {
  EXPECT_EQ(text(afterAllReduce(make({}, {}, {kX, kY}), ReductionKind::Sum,
                                Axes{kY})),
            "[{}, {}], unreduced={\"x\"}");
  EXPECT_EQ(text(afterAllReduce(make({}, {}, {kX}), ReductionKind::Sum,
                                Axes{kXMinor})),
            "[{}, {}], unreduced={\"x\":(1)2}");
  EXPECT_EQ(
      text(afterAllReduce(make({}, {}, {kX}), ReductionKind::Max, Axes{kX})),
      "none");
  EXPECT_EQ(
      text(afterAllReduce(make({}, {}, {kX}), ReductionKind::Sum, Axes{kY})),
      "none");
}

TEST(Transition, ReduceScatterIsAllReduceThenSlice) {
  EXPECT_EQ(text(afterReduceScatter(make({}, {kY}, {kX}), 1, ReductionKind::Sum,
                                    Axes{kX})),
            "[{}, {\"y\", \"x\"}]");
}

TEST(Transition, AllToAllMovesAxesBetweenDimensions) {
  EXPECT_EQ(text(afterAllToAll(make({kX, kY}, {}), 1, 0, Axes{kY})),
            "[{\"x\"}, {\"y\"}]");
  EXPECT_EQ(text(afterAllToAll(make({kX, kY}, {}), 0, 0, Axes{kY})), "none");
  EXPECT_EQ(text(afterAllToAll(make({kX, kY}, {}), 1, 0, Axes{kX})), "none");
}

} // namespace
} // namespace partita
