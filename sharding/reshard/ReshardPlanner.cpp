//===- ReshardPlanner.cpp - From one sharding to another --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/reshard/ReshardPlanner.h"

#include "sharding/reshard/ReshardState.h"
#include "support/StatusMacros.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace partita {

using reshard::Atom;
using reshard::AtomList;
using reshard::Edge;
using reshard::State;
using reshard::StateSpace;

/// After so many settled states the search gives way to a direct plan.
static constexpr int64_t kMaxSettled = 1500;

static constexpr std::string_view kStepNames[] = {
    "slice",      "permute",        "all-to-all", "all-gather",
    "all-reduce", "reduce-scatter", "exchange"};

std::string_view getName(ReshardStepKind kind) {
  return kStepNames[static_cast<int>(kind)];
}

bool shardsNest(int64_t size, int64_t outer, int64_t inner) {
  auto ceilDiv = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  return outer == 1 ||
         ceilDiv(size, outer) == inner * ceilDiv(size, outer * inner);
}

namespace {
/// What the search knows of a state.
struct Node {
  double seconds = 0;
  std::string parent;
  Edge edge;
  bool isSettled = false;
};

/// An entry of the queue: cost, steps so far, order of entry, key.
using Entry = std::tuple<double, int64_t, int64_t, std::string>;
} // namespace

/// The edges of the shortest path; nothing when the search grew too large.
static std::optional<std::vector<Edge>> findPath(const StateSpace &space,
                                                 const Topology &topology) {
  size_t rank = space.getStart().dims.size();
  std::string start = encode(space.getStart());
  std::string goal = encode(space.getGoal());
  absl::flat_hash_map<std::string, Node> nodes;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  int64_t serial = 0, settled = 0;
  nodes[start] = {};
  queue.emplace(0.0, 0, serial++, start);
  while (!queue.empty() && settled++ < kMaxSettled) {
    auto [seconds, steps, order, key] = queue.top();
    queue.pop();
    if (nodes[key].isSettled)
      continue;
    nodes[key].isSettled = true;
    if (key == goal) {
      std::vector<Edge> path;
      for (; key != start; key = nodes[key].parent)
        path.push_back(nodes[key].edge);
      std::reverse(path.begin(), path.end());
      return path;
    }
    State state = reshard::decode(key, rank);
    double base = seconds;
    int64_t nextSteps = steps + 1;
    const std::string &parent = key;
    space.forEachEdge(state, [&](const Edge &edge) {
      double total = base + space.getStep(state, edge, topology).seconds;
      std::string next = encode(edge.target);
      auto [it, isNew] = nodes.try_emplace(next);
      if (!isNew && (it->second.isSettled || it->second.seconds <= total))
        return;
      it->second = {total, parent, edge, false};
      queue.emplace(total, nextSteps, serial++, std::move(next));
    });
  }
  return std::nullopt;
}

/// How many axes of a dimension can stay on the direct way from `have` to
/// `want`: all that they have in common in front, or, where shards do not nest,
/// none.
static size_t getKept(const StateSpace &space, size_t dim, const AtomList &have,
                      const AtomList &want) {
  auto [h, w] =
      std::mismatch(have.begin(), have.end(), want.begin(), want.end());
  std::span<const Atom> kept(have.begin(), h);
  bool doNest = space.canAppend(dim, kept, {h, have.end()}) &&
                space.canAppend(dim, kept, {w, want.end()});
  return doNest ? kept.size() : 0;
}

/// Reduces everything, gathers what differs, and slices: always possible.
static std::vector<Edge> getDirectPath(const StateSpace &space) {
  std::vector<Edge> path;
  State state = space.getStart();
  const State &goal = space.getGoal();
  AtomList open;
  std::set_difference(state.unreduced.begin(), state.unreduced.end(),
                      goal.unreduced.begin(), goal.unreduced.end(),
                      std::back_inserter(open));
  if (!open.empty()) {
    state.unreduced = goal.unreduced;
    path.push_back({ReshardStepKind::AllReduce, -1, -1, open, state});
  }
  for (size_t dim = 0; dim < goal.dims.size(); ++dim) {
    AtomList &have = state.dims[dim];
    size_t kept = getKept(space, dim, have, goal.dims[dim]);
    if (have == goal.dims[dim] || kept == have.size())
      continue;
    AtomList moved(have.begin() + kept, have.end());
    have.resize(kept);
    path.push_back({ReshardStepKind::AllGather, static_cast<int64_t>(dim), -1,
                    moved, state});
  }
  for (size_t dim = 0; dim < goal.dims.size(); ++dim) {
    const AtomList &want = goal.dims[dim];
    if (state.dims[dim] == want)
      continue;
    AtomList moved(want.begin() + state.dims[dim].size(), want.end());
    state.dims[dim] = want;
    path.push_back(
        {ReshardStepKind::Slice, static_cast<int64_t>(dim), -1, moved, state});
  }
  return path;
}

/// Makes one edge of consecutive slices of a dimension.
static void mergeSlices(std::vector<Edge> &path) {
  std::vector<Edge> merged;
  for (Edge &edge : path) {
    if (!merged.empty() && edge.kind == ReshardStepKind::Slice &&
        merged.back().kind == ReshardStepKind::Slice &&
        merged.back().dim == edge.dim) {
      AtomList &moved = merged.back().moved;
      moved.insert(moved.end(), edge.moved.begin(), edge.moved.end());
      merged.back().target = std::move(edge.target);
      continue;
    }
    merged.push_back(std::move(edge));
  }
  path = std::move(merged);
}

/// Replaces the end of the path by an exchange where that sends less and is
/// faster.
static void endInExchange(const StateSpace &space, const Topology &topology,
                          std::vector<Edge> &path) {
  std::vector<State> states = {space.getStart()};
  std::vector<ReshardStep> steps;
  double seconds = 0;
  int64_t bytes = 0;
  for (const Edge &edge : path) {
    steps.push_back(space.getStep(states.back(), edge, topology));
    seconds += steps.back().seconds;
    bytes += steps.back().wireBytes;
    states.push_back(edge.target);
  }
  double saved = 0;
  size_t end = path.size();
  Edge exchange;
  for (size_t at = 0; at < path.size(); ++at) {
    if (std::optional<Edge> edge = space.getExchange(states[at])) {
      ReshardStep step = space.getStep(states[at], *edge, topology);
      if (step.wireBytes < bytes && seconds - step.seconds > saved) {
        saved = seconds - step.seconds;
        end = at;
        exchange = std::move(*edge);
      }
    }
    seconds -= steps[at].seconds;
    bytes -= steps[at].wireBytes;
  }
  if (end == path.size())
    return;
  path.resize(end);
  path.push_back(std::move(exchange));
}

/// The topology as the search sees it.
static Topology getWeighted(Topology topology, double overheadWeight) {
  topology.launchSeconds *= overheadWeight;
  topology.copyBytesPerSecond /= overheadWeight;
  topology.defaultLink.latencySeconds *= overheadWeight;
  for (LinkClass &link : topology.links)
    link.latencySeconds *= overheadWeight;
  return topology;
}

static std::string getKey(const Mesh &mesh, const ReshardRequest &request) {
  std::string key;
  for (int64_t size : request.shape)
    key += std::to_string(size) + "x";
  return key + std::to_string(request.elementBytes) +
         toString(mesh, request.from) + toString(mesh, request.to);
}

absl::StatusOr<const ReshardPlan *>
ReshardPlanner::plan(const ReshardRequest &request) {
  std::string key = getKey(mesh, request);
  if (auto it = plans.find(key); it != plans.end())
    return it->second.get();
  PARTITA_ASSIGN_OR_RETURN(StateSpace space, StateSpace::create(mesh, request));
  Topology weighted = getWeighted(topology, options.overheadWeight);
  std::optional<std::vector<Edge>> path = findPath(space, weighted);
  if (!path)
    path = getDirectPath(space);
  mergeSlices(*path);
  endInExchange(space, weighted, *path);

  auto plan = std::make_unique<ReshardPlan>();
  State state = space.getStart();
  for (const Edge &edge : *path) {
    ReshardStep step = space.getStep(state, edge, topology);
    plan->wireBytes += step.wireBytes;
    plan->seconds += step.seconds;
    plan->launches += step.launches;
    plan->steps.push_back(std::move(step));
    state = edge.target;
  }
  if (!plan->steps.empty())
    plan->steps.back().result = request.to;
  return plans.emplace(std::move(key), std::move(plan)).first->second.get();
}

std::string toString(const Mesh &mesh, const ReshardStep &step) {
  std::string text(getName(step.kind));
  if (step.dim >= 0)
    text += " dim " + std::to_string(step.dim);
  if (step.concatDim >= 0)
    text += " from dim " + std::to_string(step.concatDim);
  text += " {";
  for (size_t i = 0; i < step.axes.size(); ++i)
    text += (i ? ", " : "") + mesh.toString(step.axes[i]);
  return text + "} -> " + toString(mesh, step.result);
}

} // namespace partita
