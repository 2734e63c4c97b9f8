//===- MeshTest.cpp - Meshes, axes and groups -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Mesh.h"

#include <gmock/gmock.h>

namespace partita {
namespace {

using testing::ElementsAre;

TEST(MeshTest, CoordinatesAreRowMajor) {
  Mesh mesh({{"x", 2}, {"y", 3}});
  EXPECT_EQ(mesh.getNumDevices(), 6);
  EXPECT_EQ(mesh.getCoordinate(5, mesh.getWholeAxis(0)), 1);
  EXPECT_EQ(mesh.getCoordinate(5, mesh.getWholeAxis(1)), 2);
  EXPECT_EQ(mesh.getCoordinate(4, mesh.getWholeAxis(1)), 1);
}

TEST(MeshTest, CoordinatesAlongSubAxes) {
  Mesh mesh({{"x", 8}});
  // Position 6 is 110 in binary: major bit 1, middle 1, minor 0.
  EXPECT_EQ(mesh.getCoordinate(6, AxisRef{0, 1, 2}), 1);
  EXPECT_EQ(mesh.getCoordinate(6, AxisRef{0, 2, 2}), 1);
  EXPECT_EQ(mesh.getCoordinate(6, AxisRef{0, 4, 2}), 0);
  EXPECT_EQ(mesh.getCoordinate(6, AxisRef{0, 2, 4}), 2);
  // Minor bit first: 0, then the two major bits 11.
  std::vector<AxisRef> refs = {{0, 4, 2}, {0, 1, 4}};
  EXPECT_EQ(mesh.getCoordinate(6, refs), 3);
}

TEST(MeshTest, DeviceOrder) {
  Mesh mesh({{"x", 2}, {"y", 2}}, {3, 1, 0, 2});
  EXPECT_EQ(mesh.getCoordinate(3, mesh.getWholeAxis(0)), 0);
  EXPECT_EQ(mesh.getCoordinate(1, mesh.getWholeAxis(1)), 1);
  std::vector<AxisRef> y = {mesh.getWholeAxis(1)};
  EXPECT_THAT(mesh.getGroups(y),
              ElementsAre(ElementsAre(3, 1), ElementsAre(0, 2)));
}

TEST(MeshTest, Groups) {
  Mesh mesh({{"x", 2}, {"y", 4}});
  std::vector<AxisRef> x = {mesh.getWholeAxis(0)};
  EXPECT_THAT(mesh.getGroups(x),
              ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5),
                          ElementsAre(2, 6), ElementsAre(3, 7)));
  std::vector<AxisRef> minorY = {{1, 2, 2}};
  EXPECT_THAT(mesh.getGroups(minorY),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                          ElementsAre(4, 5), ElementsAre(6, 7)));
  std::vector<AxisRef> yThenX = {mesh.getWholeAxis(1), mesh.getWholeAxis(0)};
  EXPECT_THAT(mesh.getGroups(yThenX),
              ElementsAre(ElementsAre(0, 4, 1, 5, 2, 6, 3, 7)));
  EXPECT_EQ(mesh.getGroups({}).size(), 8u);
}

TEST(MeshTest, EmptyMeshHasOneDevice) {
  Mesh mesh;
  EXPECT_EQ(mesh.getNumDevices(), 1);
  EXPECT_EQ(mesh.getGroups({}).size(), 1u);
}

TEST(AxisRefTest, Overlap) {
  AxisRef whole{0, 1, 8}, major{0, 1, 2}, minor{0, 2, 4};
  EXPECT_TRUE(whole.overlaps(major));
  EXPECT_TRUE(whole.overlaps(minor));
  EXPECT_FALSE(major.overlaps(minor));
  EXPECT_FALSE(major.overlaps(AxisRef{1, 1, 2}));
}

TEST(AxisRefTest, NormalizeMergesNeighbours) {
  std::vector<AxisRef> split = {{0, 1, 2}, {0, 2, 4}, {1, 1, 1}};
  EXPECT_THAT(normalize(split), ElementsAre(AxisRef{0, 1, 8}));
  std::vector<AxisRef> swapped = {{0, 2, 4}, {0, 1, 2}};
  EXPECT_EQ(normalize(swapped), swapped);
}

TEST(AxisRefTest, Text) {
  Mesh mesh({{"x", 8}});
  EXPECT_EQ(mesh.toString(AxisRef{0, 1, 8}), "\"x\"");
  EXPECT_EQ(mesh.toString(AxisRef{0, 2, 4}), "\"x\":(2)4");
}

TEST(ReductionKindTest, NamesRoundTrip) {
  for (int i = 0; i < kNumReductionKinds; ++i) {
    auto kind = static_cast<ReductionKind>(i);
    EXPECT_EQ(parseReductionKind(getName(kind)), kind);
  }
  EXPECT_EQ(parseReductionKind("mean"), std::nullopt);
}

} // namespace
} // namespace partita
