//===- ReshardPlanner.h - From one sharding to another ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the cheapest sequence of collectives and local slices that takes a
// tensor from one sharding to another: a shortest path over shardings, with
// the α-β cost of each step as the length of an edge.
//
// What a step does on a device, for a dimension of size n that is split k ways
// before or after it (see getLocalShape):
//   slice           pads the dimension to m × ceil(n/(k·m)), keeps one m-th.
//   all-gather      concatenates m shards, cuts the dimension to ceil(n/k).
//   reduce-scatter  pads like slice, reduces, keeps one m-th.
//   all-to-all      pads and scatters `dim`, gathers and cuts `concatDim`.
//   all-reduce      reduces along some of the unreduced axes.
//   permute         shards change holders, see mesh/Permutation.h.
//   exchange        boxes of any size, in rounds, see mesh/Exchange.h.
// Padding and cutting change something only where k is 1: where shards of an
// uneven dimension do not nest, there is no such step, and the planner goes
// another way. An exchange leads anywhere; it ends a plan where that sends
// less.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_RESHARD_RESHARDPLANNER_H
#define PARTITA_SHARDING_RESHARD_RESHARDPLANNER_H

#include "mesh/CollectiveCost.h"
#include "mesh/Sharding.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <memory>

namespace partita {

enum class ReshardStepKind : uint8_t {
  Slice,
  Permute,
  AllToAll,
  AllGather,
  AllReduce,
  ReduceScatter,
  Exchange
};
/// "slice", "permute", "all-to-all", …
std::string_view getName(ReshardStepKind kind);

struct ReshardStep {
  ReshardStepKind kind = ReshardStepKind::Slice;
  /// The dimension that is sliced, gathered, scattered, or, for an all-to-all,
  /// split. -1 for permute, exchange and all-reduce.
  int64_t dim = -1;
  /// The dimension that an all-to-all puts together, else -1.
  int64_t concatDim = -1;
  /// The axes that move, major to minor: they are, or become, the minor-most
  /// ones of the dimension. Of a permute or exchange: the axes whose use
  /// changes.
  std::vector<AxisRef> axes;
  /// The sharding after the step.
  TensorSharding result;
  /// Bytes that the collective leaves on each device before cutting; 0 for a
  /// slice.
  int64_t resultBytes = 0;
  int64_t wireBytes = 0;
  /// How many times it communicates.
  int64_t launches = 1;
  double seconds = 0;
};

struct ReshardPlan {
  std::vector<ReshardStep> steps;
  int64_t wireBytes = 0;
  /// How many times the steps communicate.
  int64_t launches = 0;
  double seconds = 0;
};

/// One tensor's move.
struct ReshardRequest {
  std::vector<int64_t> shape;
  int64_t elementBytes = 4;
  TensorSharding from, to;
};

struct ReshardOptions {
  /// How much of latencies and local copies counts when plans are compared. The
  /// default makes a launch worth a few bytes, so that the plan with the least
  /// traffic wins, and among equals the one with the fewest steps; 1 compares
  /// true seconds.
  double overheadWeight = 1e-4;
};

/// Plans moves on one mesh and remembers them. Deterministic. Not thread-safe.
class ReshardPlanner {
public:
  explicit ReshardPlanner(Mesh theMesh, Topology theTopology = {},
                          ReshardOptions theOptions = {})
      : mesh(std::move(theMesh)), topology(std::move(theTopology)),
        options(theOptions) {}

  const Mesh &getMesh() const { return mesh; }
  const Topology &getTopology() const { return topology; }

  /// The cheapest plan; empty when both shardings place the data alike. Lives
  /// as long as the planner. InvalidArgument when the ranks differ, when an
  /// axis is used twice, or when `to` is unreduced along axes or with a kind
  /// that `from` is not.
  absl::StatusOr<const ReshardPlan *> plan(const ReshardRequest &request);

private:
  Mesh mesh;
  Topology topology;
  ReshardOptions options;
  absl::flat_hash_map<std::string, std::unique_ptr<ReshardPlan>> plans;
};

/// Whether the shards of a dimension of `size` elements split `outer` ways nest
/// with those of it split `outer` × `inner` ways.
bool shardsNest(int64_t size, int64_t outer, int64_t inner);

/// "all-gather dim 0 {"x"} -> [{}, {"y"}]", for tests and debugging.
std::string toString(const Mesh &mesh, const ReshardStep &step);

} // namespace partita

#endif // PARTITA_SHARDING_RESHARD_RESHARDPLANNER_H
