//===- ArenaLayout.h - Offsets in an arena ----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places items of known size and lifetime in one arena so that items that live
// at the same time do not overlap, and the arena is small. Each item goes to
// the smallest gap that holds it among the items placed before it ("best fit");
// several orders are tried and the smallest arena is kept.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_MEMORY_ARENALAYOUT_H
#define PARTITA_PASSES_MEMORY_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace partita {

/// Program points from `begin` to `end`, both included.
struct LiveRange {
  int64_t begin = 0;
  int64_t end = 0;
  bool overlaps(const LiveRange &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Something that needs `bytes` of memory at the points of `ranges`.
struct ArenaItem {
  int64_t bytes = 0;
  llvm::SmallVector<LiveRange, 2> ranges;
};

bool isLiveTogether(const ArenaItem &a, const ArenaItem &b);

struct ArenaLayout {
  std::vector<int64_t> offsets; ///< By item; multiples of the alignment.
  /// The arena's size: where the last item ends.
  int64_t bytes = 0;
};

/// Places every item. The result is the same for the same items.
ArenaLayout layOut(llvm::ArrayRef<ArenaItem> items, int64_t alignment);

/// The largest sum of bytes that live at one point, each rounded up to the
/// alignment: no layout that ends at a multiple of it is smaller.
int64_t getLargestLiveBytes(llvm::ArrayRef<ArenaItem> items, int64_t alignment);

} // namespace partita

#endif // PARTITA_PASSES_MEMORY_ARENALAYOUT_H
