//===- CollectiveCost.h - Bytes and seconds of a collective -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one execution of a collective costs one device. Bytes are exact for a
// bandwidth-optimal algorithm; seconds follow the α-β model: latency per
// message plus bytes over bandwidth, link by link. Reports, the reshard
// planner and the strategy search all ask here.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_COLLECTIVECOST_H
#define PARTITA_MESH_COLLECTIVECOST_H

#include "mesh/Mesh.h"
#include "mesh/Topology.h"

namespace partita {

enum class CollectiveKind : uint8_t {
  AllReduce = 0,
  ReduceScatter = 1,
  AllGather = 2,
  AllToAll = 3,
  Permute = 4,
  Broadcast = 5
};
inline constexpr int kNumCollectiveKinds = 6;
/// As in reports: "all-reduce", "collective-permute", …
std::string_view getName(CollectiveKind kind);
std::optional<CollectiveKind> parseCollectiveKind(std::string_view name);

/// Bytes that one device of a group of `groupSize` sends when the collective
/// leaves `resultBytes` on each device, rounded down:
///   all-reduce 2(n-1)/n × result; all-gather, all-to-all (n-1)/n × result;
///   reduce-scatter (n-1) × result; permute and broadcast: result.
/// 0 for a group of one.
int64_t getWireBytes(CollectiveKind kind, int64_t groupSize,
                     int64_t resultBytes);

/// Seconds of one execution over the groups along `axes`. Several axes are
/// crossed one after the other, the slow ones while the data is small; a
/// permute runs at the slowest of the links.
double getSeconds(const Mesh &mesh, const Topology &topology,
                  CollectiveKind kind, std::span<const AxisRef> axes,
                  int64_t resultBytes);

} // namespace partita

#endif // PARTITA_MESH_COLLECTIVECOST_H
