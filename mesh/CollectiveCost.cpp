//===- CollectiveCost.cpp - Bytes and seconds of a collective ---*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/CollectiveCost.h"

#include <algorithm>
#include <bit>

namespace partita {

static constexpr std::string_view kCollectiveNames[kNumCollectiveKinds] = {
    "all-reduce", "reduce-scatter",     "all-gather",
    "all-to-all", "collective-permute", "collective-broadcast"};

std::string_view getName(CollectiveKind kind) {
  return kCollectiveNames[static_cast<int>(kind)];
}

std::optional<CollectiveKind> parseCollectiveKind(std::string_view name) {
  for (int i = 0; i < kNumCollectiveKinds; ++i)
    if (kCollectiveNames[i] == name)
      return static_cast<CollectiveKind>(i);
  return std::nullopt;
}

int64_t getWireBytes(CollectiveKind kind, int64_t groupSize,
                     int64_t resultBytes) {
  int64_t n = groupSize;
  if (n <= 1)
    return 0;
  switch (kind) {
  case CollectiveKind::AllReduce:
    return 2 * (n - 1) * resultBytes / n;
  case CollectiveKind::AllGather:
  case CollectiveKind::AllToAll:
    return (n - 1) * resultBytes / n;
  case CollectiveKind::ReduceScatter:
    return (n - 1) * resultBytes;
  case CollectiveKind::Permute:
  case CollectiveKind::Broadcast:
    return resultBytes;
  }
  return 0;
}

namespace {
/// One axis to cross: its link and how many devices lie along it.
struct Hop {
  LinkClass link;
  int64_t size;
};
} // namespace

/// Gathers `resultBytes` over the hops in turn; a reduce-scatter is the same
/// walk backwards.
static double getGatherSeconds(std::span<const Hop> hops, double resultBytes) {
  double held = resultBytes;
  for (const Hop &hop : hops)
    held /= static_cast<double>(hop.size);
  double seconds = 0;
  for (const Hop &hop : hops) {
    double messages = std::bit_width(static_cast<uint64_t>(hop.size - 1));
    double sent = held * static_cast<double>(hop.size - 1);
    seconds += messages * hop.link.latencySeconds;
    seconds += sent / hop.link.bytesPerSecond;
    held *= static_cast<double>(hop.size);
  }
  return seconds;
}

static double getExchangeSeconds(std::span<const Hop> hops,
                                 double resultBytes) {
  double rest = resultBytes;
  double seconds = 0;
  for (const Hop &hop : hops) {
    double kept = rest / static_cast<double>(hop.size);
    double messages = std::bit_width(static_cast<uint64_t>(hop.size - 1));
    seconds += messages * hop.link.latencySeconds;
    seconds += (rest - kept) / hop.link.bytesPerSecond;
    rest = kept;
  }
  return seconds;
}

double getSeconds(const Mesh &mesh, const Topology &topology,
                  CollectiveKind kind, std::span<const AxisRef> axes,
                  int64_t resultBytes) {
  std::vector<Hop> hops;
  for (const AxisRef &ref : axes)
    if (ref.size > 1)
      hops.push_back({topology.getLink(ref.axis), ref.size});
  if (hops.empty())
    return 0;
  std::sort(hops.begin(), hops.end(), [](const Hop &a, const Hop &b) {
    return a.link.bytesPerSecond < b.link.bytesPerSecond;
  });
  double bytes = static_cast<double>(resultBytes);
  double seconds = topology.launchSeconds;
  switch (kind) {
  case CollectiveKind::AllReduce:
    return seconds + 2 * getGatherSeconds(hops, bytes);
  case CollectiveKind::AllGather:
    return seconds + getGatherSeconds(hops, bytes);
  case CollectiveKind::ReduceScatter:
    return seconds + getGatherSeconds(
                         hops, bytes * static_cast<double>(getProduct(axes)));
  case CollectiveKind::AllToAll:
    return seconds + getExchangeSeconds(hops, bytes);
  case CollectiveKind::Permute:
  case CollectiveKind::Broadcast:
    return seconds + hops.front().link.latencySeconds +
           bytes / hops.front().link.bytesPerSecond;
  }
  return seconds;
}

} // namespace partita
