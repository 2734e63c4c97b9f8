//===- CollectiveCostTest.cpp - Bytes and seconds ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/CollectiveCost.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(CollectiveCostTest, WireBytes) {
  EXPECT_EQ(getWireBytes(CollectiveKind::AllReduce, 8, 83012), 145271);
  EXPECT_EQ(getWireBytes(CollectiveKind::AllReduce, 3, 83012), 110682);
  EXPECT_EQ(getWireBytes(CollectiveKind::AllGather, 8, 65536), 57344);
  EXPECT_EQ(getWireBytes(CollectiveKind::AllToAll, 4, 256), 192);
  EXPECT_EQ(getWireBytes(CollectiveKind::ReduceScatter, 8, 8192), 57344);
  EXPECT_EQ(getWireBytes(CollectiveKind::Permute, 8, 64), 64);
  EXPECT_EQ(getWireBytes(CollectiveKind::Broadcast, 8, 64), 64);
}

TEST(CollectiveCostTest, AGroupOfOneSendsNothing) {
  Mesh mesh({{"x", 1}});
  std::vector<AxisRef> axes = {mesh.getWholeAxis(0)};
  for (int i = 0; i < kNumCollectiveKinds; ++i) {
    auto kind = static_cast<CollectiveKind>(i);
    EXPECT_EQ(getWireBytes(kind, 1, 64), 0);
    EXPECT_EQ(getSeconds(mesh, {}, kind, axes, 64), 0);
    EXPECT_EQ(parseCollectiveKind(getName(kind)), kind);
  }
}

/// A topology where only bytes on axis 0 cost anything: 1 second each.
Topology getUnitTopology() {
  Topology topology;
  topology.launchSeconds = 0;
  topology.links = {{1.0, 0.0}, {1e30, 0.0}};
  return topology;
}

TEST(CollectiveCostTest, SecondsFollowWireBytesOnOneLink) {
  Mesh mesh({{"x", 4}});
  std::vector<AxisRef> axes = {mesh.getWholeAxis(0)};
  for (int i = 0; i < kNumCollectiveKinds; ++i) {
    auto kind = static_cast<CollectiveKind>(i);
    EXPECT_DOUBLE_EQ(getSeconds(mesh, getUnitTopology(), kind, axes, 64),
                     static_cast<double>(getWireBytes(kind, 4, 64)));
  }
}

TEST(CollectiveCostTest, SlowAxisIsCrossedWhileTheDataIsSmall) {
  Mesh mesh({{"slow", 2}, {"fast", 4}});
  std::vector<AxisRef> axes = {mesh.getWholeAxis(1), mesh.getWholeAxis(0)};
  // A gather of 64 bytes: 8 bytes cross the slow axis, not 32.
  EXPECT_DOUBLE_EQ(
      getSeconds(mesh, getUnitTopology(), CollectiveKind::AllGather, axes, 64),
      8.0);
  EXPECT_DOUBLE_EQ(getSeconds(mesh, getUnitTopology(),
                              CollectiveKind::ReduceScatter, axes, 8),
                   8.0);
  // Of an exchange, half the data has its place on the slow axis's other side.
  EXPECT_DOUBLE_EQ(
      getSeconds(mesh, getUnitTopology(), CollectiveKind::AllToAll, axes, 64),
      32.0);
}

TEST(CollectiveCostTest, LatencyGrowsWithTheGroup) {
  Mesh mesh({{"x", 8}});
  Topology topology;
  topology.launchSeconds = 10;
  topology.links = {{1e30, 1.0}};
  std::vector<AxisRef> axes = {mesh.getWholeAxis(0)};
  EXPECT_DOUBLE_EQ(
      getSeconds(mesh, topology, CollectiveKind::AllGather, axes, 64), 13.0);
  EXPECT_DOUBLE_EQ(
      getSeconds(mesh, topology, CollectiveKind::AllReduce, axes, 64), 16.0);
}

} // namespace
} // namespace partita
