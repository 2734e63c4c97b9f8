//===- ReshardSweepTest.cpp - All pairs of shardings ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans every pair of shardings of small tensors on small meshes, executes the
// plans on virtual devices, and compares the bytes with the lower bound.
//
//===----------------------------------------------------------------------===//

#include "ReshardSimulator.h"

#include "sharding/reshard/LowerBound.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace partita {
namespace {

struct SweepCase {
  std::string name;
  Mesh mesh;
  std::vector<int64_t> shape;
  /// The most that the plans may send over what they must, all pairs together.
  double mostRatio;
  /// Every so many pairs are taken.
  int64_t stride = 1;
};

std::ostream &operator<<(std::ostream &os, const SweepCase &sweep) {
  return os << sweep.name;
}

/// Puts each axis from `at` on at every place: a dimension (before or behind
/// the axes that are there), unreduced, or nowhere.
void addShardings(const Mesh &mesh, size_t at, bool withUnreduced,
                  TensorSharding &made, std::vector<TensorSharding> &all) {
  if (at == mesh.getAxes().size()) {
    all.push_back(made);
    return;
  }
  AxisRef axis = mesh.getWholeAxis(static_cast<int32_t>(at));
  addShardings(mesh, at + 1, withUnreduced, made, all);
  for (size_t dim = 0; dim < made.dims.size(); ++dim)
    for (size_t place = 0; place <= made.dims[dim].axes.size(); ++place) {
      auto &axes = made.dims[dim].axes;
      axes.insert(axes.begin() + place, axis);
      addShardings(mesh, at + 1, withUnreduced, made, all);
      made.dims[dim].axes.erase(made.dims[dim].axes.begin() + place);
    }
  if (!withUnreduced)
    return;
  made.unreduced.push_back(axis);
  addShardings(mesh, at + 1, withUnreduced, made, all);
  made.unreduced.pop_back();
}

class ReshardSweepTest : public testing::TestWithParam<SweepCase> {
protected:
  void sweep(bool withUnreduced, double mostRatio);
};

void ReshardSweepTest::sweep(bool withUnreduced, double mostRatio) {
  const SweepCase &param = GetParam();
  const Mesh &mesh = param.mesh;
  ReshardPlanner planner(mesh);
  TensorSharding none = getReplicated(param.shape.size());
  std::vector<TensorSharding> sources, targets;
  addShardings(mesh, 0, withUnreduced, none, sources);
  addShardings(mesh, 0, false, none, targets);
  int64_t seen = 0, pairs = 0, atBound = 0, bytes = 0, least = 0, launches = 0;
  double worst = 1;
  std::string worstText;
  for (const TensorSharding &from : sources) {
    if (withUnreduced == from.unreduced.empty())
      continue;
    for (const TensorSharding &to : targets) {
      if (++seen % param.stride)
        continue;
      ReshardRequest request{param.shape, 4, from, to};
      auto plan = planner.plan(request);
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      ASSERT_EQ(ReshardSimulator(mesh, request).run(**plan), "")
          << toString(mesh, from) << " -> " << toString(mesh, to);
      int64_t bound = getLowerBound(mesh, request);
      ASSERT_GE((*plan)->wireBytes, withUnreduced ? 0 : bound / 2);
      ++pairs;
      atBound += (*plan)->wireBytes <= bound;
      bytes += (*plan)->wireBytes;
      least += bound;
      launches += (*plan)->launches;
      double ratio = bound ? static_cast<double>((*plan)->wireBytes) /
                                 static_cast<double>(bound)
                           : 1;
      if (ratio <= worst)
        continue;
      worst = ratio;
      worstText = toString(mesh, from) + " -> " + toString(mesh, to);
    }
  }
  double total = static_cast<double>(bytes) / static_cast<double>(least);
  std::printf("%-24s %6ld pairs, %5.1f%% at the bound, bytes / bound %.3f, "
              "worst %.2f (%s), %.2f launches\n",
              (param.name + (withUnreduced ? " unreduced" : "")).c_str(), pairs,
              100.0 * static_cast<double>(atBound) / static_cast<double>(pairs),
              total, worst, worstText.c_str(),
              static_cast<double>(launches) / static_cast<double>(pairs));
  EXPECT_LE(total, mostRatio);
}

TEST_P(ReshardSweepTest, AllPairs) { sweep(false, GetParam().mostRatio); }
TEST_P(ReshardSweepTest, FromUnreduced) { sweep(true, 2); }

INSTANTIATE_TEST_SUITE_P(
    Meshes, ReshardSweepTest,
    testing::Values(
        SweepCase{"Mesh4", Mesh({{"x", 4}}), {8, 8, 8}, 1.0},
        SweepCase{"Mesh4Uneven", Mesh({{"x", 4}}), {9, 6, 7}, 2.0},
        SweepCase{"Mesh2x2", Mesh({{"x", 2}, {"y", 2}}), {8, 8, 8}, 1.2},
        SweepCase{"Mesh2x2Uneven", Mesh({{"x", 2}, {"y", 2}}), {9, 6, 7}, 2.0},
        SweepCase{"Mesh4x2", Mesh({{"x", 4}, {"y", 2}}), {8, 8, 8}, 1.3},
        SweepCase{"Mesh4x2Uneven", Mesh({{"x", 4}, {"y", 2}}), {9, 10}, 3.0},
        SweepCase{"Mesh2x3", Mesh({{"x", 2}, {"y", 3}}), {12, 6, 12}, 1.4},
        SweepCase{"Mesh2x3Uneven", Mesh({{"x", 2}, {"y", 3}}), {7, 5, 8}, 2.5},
        SweepCase{"Mesh2x2x2",
                  Mesh({{"x", 2}, {"y", 2}, {"z", 2}}),
                  {8, 8, 8},
                  1.3,
                  7}),
    [](const auto &info) { return info.param.name; });

} // namespace
} // namespace partita
