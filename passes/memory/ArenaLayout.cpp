//===- ArenaLayout.cpp - Offsets in an arena ------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memory/ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <functional>
#include <limits>
#include <map>

namespace partita {

bool isLiveTogether(const ArenaItem &a, const ArenaItem &b) {
  return llvm::any_of(a.ranges, [&](const LiveRange &range) {
    return llvm::any_of(b.ranges, [&](const LiveRange &other) {
      return range.overlaps(other);
    });
  });
}

static int64_t getDuration(const ArenaItem &item) {
  int64_t sum = 0;
  for (const LiveRange &range : item.ranges)
    sum += range.end - range.begin + 1;
  return sum;
}

static int64_t getBegin(const ArenaItem &item) {
  int64_t begin = std::numeric_limits<int64_t>::max();
  for (const LiveRange &range : item.ranges)
    begin = std::min(begin, range.begin);
  return begin;
}

namespace {

struct Slot {
  int64_t begin, end;
};

} // namespace

/// The offset of the smallest gap between `taken` that holds `bytes`; behind
/// all where none does.
static int64_t findBestGap(llvm::SmallVectorImpl<Slot> &taken, int64_t bytes) {
  llvm::sort(taken,
             [](const Slot &a, const Slot &b) { return a.begin < b.begin; });
  int64_t end = 0, best = -1;
  int64_t bestSize = std::numeric_limits<int64_t>::max();
  for (const Slot &slot : taken) {
    int64_t gap = slot.begin - end;
    if (gap >= bytes && gap < bestSize) {
      best = end;
      bestSize = gap;
    }
    end = std::max(end, slot.end);
  }
  return best >= 0 ? best : end;
}

static ArenaLayout layOutInOrder(llvm::ArrayRef<ArenaItem> items,
                                 llvm::ArrayRef<size_t> order,
                                 int64_t alignment) {
  ArenaLayout layout;
  layout.offsets.assign(items.size(), 0);
  llvm::SmallVector<size_t> placed;
  for (size_t i : order) {
    llvm::SmallVector<Slot> taken;
    for (size_t other : placed)
      if (isLiveTogether(items[i], items[other]))
        taken.push_back(
            {layout.offsets[other],
             layout.offsets[other] + static_cast<int64_t>(llvm::alignTo(
                                         items[other].bytes, alignment))});
    int64_t bytes =
        static_cast<int64_t>(llvm::alignTo(items[i].bytes, alignment));
    layout.offsets[i] = findBestGap(taken, bytes);
    layout.bytes = std::max(layout.bytes, layout.offsets[i] + items[i].bytes);
    placed.push_back(i);
  }
  return layout;
}

ArenaLayout layOut(llvm::ArrayRef<ArenaItem> items, int64_t alignment) {
  using Key = std::function<double(const ArenaItem &)>;
  const Key keys[] = {
      [](const ArenaItem &item) { return double(item.bytes); },
      [](const ArenaItem &item) {
        return double(item.bytes) * double(getDuration(item));
      },
      [](const ArenaItem &item) { return double(getDuration(item)); },
      [](const ArenaItem &item) { return -double(getBegin(item)); }};
  ArenaLayout best;
  int64_t least = getLargestLiveBytes(items, alignment);
  for (const Key &key : keys) {
    std::vector<std::pair<double, size_t>> ranked;
    ranked.reserve(items.size());
    for (size_t i = 0; i < items.size(); ++i)
      ranked.push_back({-key(items[i]), i});
    llvm::sort(ranked);
    std::vector<size_t> order;
    order.reserve(items.size());
    for (const auto &[rank, i] : ranked)
      order.push_back(i);
    ArenaLayout layout = layOutInOrder(items, order, alignment);
    if (best.offsets.empty() || layout.bytes < best.bytes)
      best = std::move(layout);
    if (best.bytes <= least)
      break;
  }
  return best;
}

int64_t getLargestLiveBytes(llvm::ArrayRef<ArenaItem> items,
                            int64_t alignment) {
  std::map<int64_t, int64_t> changes;
  for (const ArenaItem &item : items)
    for (const LiveRange &range : item.ranges) {
      int64_t bytes =
          static_cast<int64_t>(llvm::alignTo(item.bytes, alignment));
      changes[range.begin] += bytes;
      changes[range.end + 1] -= bytes;
    }
  int64_t live = 0, largest = 0;
  for (const auto &[point, change] : changes)
    largest = std::max(largest, live += change);
  return largest;
}

} // namespace partita
