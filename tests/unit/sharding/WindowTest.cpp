//===- WindowTest.cpp - Which devices exchange what -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Window.h"

#include <gtest/gtest.h>

#include <set>

namespace partita {
namespace {

LocalDim makeDim(int64_t global, int64_t shards) {
  return {global, (global + shards - 1) / shards, {AxisRef{0, 1, shards}}};
}

/// Every element that some window needs arrives once, from its owner, and no
/// device sends or receives twice in a round.
TEST(Window, TransfersCoverWindows) {
  for (int64_t shards : {2, 3, 4})
    for (int64_t global : {5, 8, 12, 13})
      for (int64_t shift = -7; shift <= 7; ++shift)
        for (int64_t size : {1, 3, 4}) {
          LocalDim from = makeDim(global, shards);
          LocalDim to{global, size, from.axes};
          llvm::SmallVector<int64_t> starts = getWindowStarts(to, shift);
          std::multiset<std::pair<int64_t, int64_t>> arrived;
          WindowPlan plan = planWindow(from, starts, size);
          for (size_t i = 0; i < plan.size(); ++i) {
            std::set<int64_t> senders, receivers;
            for (const WindowTransfer &transfer : plan[i]) {
              EXPECT_TRUE(senders.insert(transfer.sender).second);
              EXPECT_TRUE(receivers.insert(transfer.receiver).second);
              EXPECT_EQ(i == 0, transfer.sender == transfer.receiver);
              for (int64_t at = transfer.begin; at < transfer.end; ++at) {
                EXPECT_EQ(at / from.local, transfer.sender);
                arrived.insert({transfer.receiver, at});
              }
            }
          }
          std::multiset<std::pair<int64_t, int64_t>> needed;
          for (int64_t c = 0; c < shards; ++c)
            for (int64_t at = starts[c]; at < starts[c] + size; ++at)
              if (at >= 0 && at < global)
                needed.insert({c, at});
          EXPECT_EQ(arrived, needed);
        }
}

TEST(Window, NeighbourSendsWhatIsMissing) {
  LocalDim dim = makeDim(16, 4);
  WindowPlan plan = planWindow(dim, getWindowStarts(dim, 1), 4);
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_EQ(plan[0].size(), 4u);
  ASSERT_EQ(plan[1].size(), 3u);
  EXPECT_EQ(plan[1][0].sender, 1);
  EXPECT_EQ(plan[1][0].receiver, 0);
  EXPECT_EQ(plan[1][0].begin, 4);
  EXPECT_EQ(plan[1][0].end, 5);
}

} // namespace
} // namespace partita
