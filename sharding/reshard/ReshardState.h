//===- ReshardState.h - Nodes of the planner's graph ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner's graph: shardings written in *atoms*, the smallest sub-axes
// that the move can make use of, and the steps that lead from one to another.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_RESHARD_RESHARDSTATE_H
#define PARTITA_SHARDING_RESHARD_RESHARDSTATE_H

#include "sharding/reshard/ReshardPlanner.h"

#include <functional>

namespace partita::reshard {

/// An index into the list of atoms.
using Atom = int8_t;
using AtomList = std::vector<Atom>;

/// A sharding in atoms: per dimension major to minor; unreduced ones sorted.
struct State {
  std::vector<AtomList> dims;
  AtomList unreduced;
  friend bool operator==(const State &, const State &) = default;
};

/// A compact key of a state.
std::string encode(const State &state);
State decode(std::string_view key, size_t rank);

/// An edge of the graph.
struct Edge {
  ReshardStepKind kind;
  int64_t dim = -1, concatDim = -1;
  AtomList moved;
  State target;
};

/// The shardings that one move may pass through.
class StateSpace {
public:
  /// Fails with InvalidArgument as ReshardPlanner::plan says.
  static absl::StatusOr<StateSpace> create(const Mesh &mesh,
                                           const ReshardRequest &request);

  const State &getStart() const { return start; }
  const State &getGoal() const { return goal; }

  /// Calls `visit` for every step that is possible in `state`.
  void forEachEdge(const State &state,
                   const std::function<void(const Edge &)> &visit) const;
  /// Whether a dimension's shards nest when `inner` is put behind `outer`.
  bool canAppend(size_t dim, std::span<const Atom> outer,
                 std::span<const Atom> inner) const;

  /// The edge as a step, priced.
  ReshardStep getStep(const State &state, const Edge &edge,
                      const Topology &topology) const;
  TensorSharding getSharding(const State &state) const;
  /// The edge from a state right to the goal; nothing where partial values
  /// differ, or on meshes of many devices.
  std::optional<Edge> getExchange(const State &state) const;

private:
  StateSpace(const Mesh &theMesh, const ReshardRequest &theRequest)
      : mesh(&theMesh), request(&theRequest) {}

  absl::Status addAtoms();
  absl::StatusOr<State> getState(const TensorSharding &sharding) const;
  AtomList getUnused(const State &state) const;
  std::vector<AxisRef> getAxes(std::span<const Atom> list) const;
  int64_t getProduct(std::span<const Atom> list) const;
  void priceExchange(const State &state, const Edge &edge,
                     const Topology &topology, ReshardStep &step) const;

  using Visitor = std::function<void(const Edge &)>;
  void visitSlices(const State &state, const Visitor &visit) const;
  void visitGathers(const State &state, const Visitor &visit) const;
  void visitExchanges(const State &state, const Visitor &visit) const;
  void visitReductions(const State &state, const Visitor &visit) const;
  void visitPermutes(const State &state, const Visitor &visit) const;
  void arrange(const State &state, State &made, size_t at, AtomList &unused,
               int64_t &budget, const Visitor &visit) const;
  void visitSequences(const AtomList &choices, AtomList &sequence,
                      const std::function<void(const AtomList &)> &visit) const;

  const Mesh *mesh;
  const ReshardRequest *request;
  std::vector<AxisRef> atoms;
  std::vector<size_t> activeDims;
  State start, goal;
};

} // namespace partita::reshard

#endif // PARTITA_SHARDING_RESHARD_RESHARDSTATE_H
