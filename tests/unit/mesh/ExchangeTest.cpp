//===- ExchangeTest.cpp - Boxes that devices send one another -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Exchange.h"

#include <gtest/gtest.h>

#include <set>

namespace partita {
namespace {

TensorSharding makeSharding(std::vector<std::vector<AxisRef>> dims) {
  TensorSharding sharding;
  for (std::vector<AxisRef> &axes : dims)
    sharding.dims.push_back({std::move(axes)});
  return sharding;
}

/// Checks that each device gets each element that it wants once, from one that
/// has it, and that a round is a permute.
void check(const Mesh &mesh, const std::vector<int64_t> &shape,
           const TensorSharding &from, const TensorSharding &to,
           const ExchangePlan &plan) {
  std::vector<int64_t> got(mesh.getNumDevices(), 0);
  auto visit = [&](const BoxTransfer &transfer) {
    EXPECT_EQ(intersect(getShardBox(mesh, shape, from, transfer.sender),
                        transfer.box),
              transfer.box);
    EXPECT_EQ(intersect(getShardBox(mesh, shape, to, transfer.receiver),
                        transfer.box),
              transfer.box);
    got[transfer.receiver] += transfer.box.getNumElements();
  };
  for (const BoxTransfer &transfer : plan.own)
    visit(transfer);
  for (const auto &round : plan.rounds) {
    std::set<int64_t> senders, receivers;
    for (const BoxTransfer &transfer : round) {
      EXPECT_TRUE(senders.insert(transfer.sender).second);
      EXPECT_TRUE(receivers.insert(transfer.receiver).second);
      visit(transfer);
    }
  }
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device)
    EXPECT_EQ(got[device],
              getShardBox(mesh, shape, to, device).getNumElements());
}

// Tiles of 4 x 2 become tiles of 2 x 4: two halves of a tile move.
TEST(Exchange, RegroupedTiles) {
  Mesh mesh({{"x", 4}, {"y", 2}});
  TensorSharding from = makeSharding({{{0, 1, 4}}, {{1, 1, 2}}});
  TensorSharding to = makeSharding({{{0, 1, 2}}, {{0, 2, 2}, {1, 1, 2}}});
  std::vector<int64_t> shape = {16, 16};
  auto plan = planExchange(mesh, shape, from, to);
  ASSERT_TRUE(plan);
  check(mesh, shape, from, to, *plan);
  EXPECT_EQ(plan->rounds.size(), 2U);
  EXPECT_EQ(getNumElements(*plan), 2 * 4 * 4);
}

// Shards of 3, 3, 3, 1 become shards of 5: no one gathers all ten.
TEST(Exchange, UnevenShards) {
  Mesh mesh({{"x", 4}, {"y", 2}});
  TensorSharding from = makeSharding({{{0, 1, 4}}});
  TensorSharding to = makeSharding({{{1, 1, 2}}});
  std::vector<int64_t> shape = {10};
  auto plan = planExchange(mesh, shape, from, to);
  ASSERT_TRUE(plan);
  check(mesh, shape, from, to, *plan);
  EXPECT_LT(getNumElements(*plan), 10);
}

TEST(Exchange, CopiesShareTheWork) {
  Mesh mesh({{"x", 2}, {"y", 4}});
  TensorSharding from = makeSharding({{{0, 1, 2}}});
  TensorSharding to = makeSharding({{}});
  std::vector<int64_t> shape = {8};
  auto plan = planExchange(mesh, shape, from, to);
  ASSERT_TRUE(plan);
  check(mesh, shape, from, to, *plan);
  EXPECT_EQ(plan->rounds.size(), 1U);
}

TEST(Exchange, PartialValuesStay) {
  Mesh mesh({{"x", 2}, {"y", 2}});
  TensorSharding from = makeSharding({{{0, 1, 2}}, {}});
  TensorSharding to = makeSharding({{}, {{0, 1, 2}}});
  from.unreduced = to.unreduced = {{1, 1, 2}};
  std::vector<int64_t> shape = {4, 4};
  auto plan = planExchange(mesh, shape, from, to);
  ASSERT_TRUE(plan);
  check(mesh, shape, from, to, *plan);
  for (const auto &round : plan->rounds)
    for (const BoxTransfer &transfer : round)
      EXPECT_EQ(transfer.sender % 2, transfer.receiver % 2);
  to.unreduced.clear();
  EXPECT_FALSE(planExchange(mesh, shape, from, to));
}

} // namespace
} // namespace partita
