//===- ArenaLayoutTest.cpp - Offsets in an arena --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memory/ArenaLayout.h"

#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace partita;

namespace {

ArenaItem makeItem(int64_t bytes, int64_t begin, int64_t end) {
  return {bytes, {{begin, end}}};
}

/// Whether no two items that live together overlap, all lie within the arena.
void expectSound(const std::vector<ArenaItem> &items, const ArenaLayout &layout,
                 int64_t alignment) {
  ASSERT_EQ(layout.offsets.size(), items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(layout.offsets[i] % alignment, 0);
    EXPECT_LE(layout.offsets[i] + items[i].bytes, layout.bytes);
    for (size_t j = 0; j < i; ++j) {
      if (!isLiveTogether(items[i], items[j]))
        continue;
      bool isApart = layout.offsets[i] + items[i].bytes <= layout.offsets[j] ||
                     layout.offsets[j] + items[j].bytes <= layout.offsets[i];
      EXPECT_TRUE(isApart) << "items " << i << " and " << j;
    }
  }
}

TEST(ArenaLayoutTest, NothingNeedsNothing) {
  EXPECT_EQ(layOut({}, 64).bytes, 0);
}

TEST(ArenaLayoutTest, ReusesMemoryOfTheDead) {
  std::vector<ArenaItem> items = {makeItem(100, 0, 1), makeItem(100, 2, 3)};
  EXPECT_EQ(layOut(items, 64).bytes, 100);
}

TEST(ArenaLayoutTest, KeepsTheLivingApart) {
  std::vector<ArenaItem> items = {makeItem(100, 0, 2), makeItem(100, 2, 3)};
  EXPECT_EQ(layOut(items, 64).bytes, 128 + 100);
}

TEST(ArenaLayoutTest, UsesHolesInALife) {
  ArenaItem item = {64, {{0, 1}, {4, 5}}};
  std::vector<ArenaItem> items = {item, makeItem(64, 2, 3)};
  EXPECT_EQ(layOut(items, 64).bytes, 64);
}

TEST(ArenaLayoutTest, LargestLiveBytes) {
  std::vector<ArenaItem> items = {makeItem(64, 0, 2), makeItem(64, 2, 3),
                                  makeItem(1, 3, 4)};
  EXPECT_EQ(getLargestLiveBytes(items, 64), 128);
}

/// Lives as in a training step: what is made early is used late.
std::vector<ArenaItem> makeRandomItems(std::mt19937 &random) {
  std::uniform_int_distribution<int64_t> point(0, 60), bytes(0, 3000);
  std::uniform_int_distribution<int> count(1, 60), ranges(1, 3);
  std::vector<ArenaItem> items(count(random));
  for (ArenaItem &item : items) {
    item.bytes = bytes(random);
    for (int i = ranges(random); i > 0; --i) {
      int64_t a = point(random), b = point(random);
      item.ranges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  return items;
}

TEST(ArenaLayoutTest, RandomItemsNeverOverlap) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<ArenaItem> items = makeRandomItems(random);
    expectSound(items, layOut(items, 64), 64);
  }
}

TEST(ArenaLayoutTest, StacksAreTight) {
  // Nested lives: the sum of all is the least, and is reached.
  std::vector<ArenaItem> items;
  items.reserve(20);
  for (int64_t i = 0; i < 20; ++i)
    items.push_back(makeItem(64 * (i + 1), i, 40 - i));
  EXPECT_EQ(layOut(items, 64).bytes, getLargestLiveBytes(items, 64));
}

} // namespace
