//===- ReshardState.cpp - Nodes of the planner's graph ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/reshard/ReshardState.h"

#include "mesh/Exchange.h"
#include "support/StatusMacros.h"

#include "absl/status/status.h"

#include <algorithm>
#include <set>

namespace partita::reshard {

/// Axes are cut down to their prime factors as long as there are not more than
/// so many of them; else as far as the two shardings ask for.
static constexpr size_t kMaxFineAtoms = 4;
/// How many rearrangements of one state a permute may lead to.
static constexpr int64_t kMaxPermutes = 400;

std::string encode(const State &state) {
  std::string key;
  for (const AtomList &list : state.dims) {
    for (Atom atom : list)
      key.push_back(static_cast<char>(atom + 1));
    key.push_back('\0');
  }
  for (Atom atom : state.unreduced)
    key.push_back(static_cast<char>(atom + 1));
  return key;
}

State decode(std::string_view key, size_t rank) {
  State state;
  state.dims.resize(rank);
  size_t at = 0;
  for (char c : key) {
    if (c == '\0')
      ++at;
    else
      (at < rank ? state.dims[at] : state.unreduced)
          .push_back(static_cast<Atom>(c - 1));
  }
  return state;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

/// Calls `visit` for every axis that splits or is unreduced.
static void forEachRef(const TensorSharding &sharding,
                       const std::function<void(const AxisRef &)> &visit) {
  for (const DimSharding &dim : sharding.dims)
    for (const AxisRef &ref : dim.axes)
      visit(ref);
  for (const AxisRef &ref : sharding.unreduced)
    visit(ref);
}

static void addCuts(const TensorSharding &sharding, int32_t axis,
                    std::set<int64_t> &cuts) {
  forEachRef(sharding, [&](const AxisRef &ref) {
    if (ref.axis != axis || ref.size == 1)
      return;
    cuts.insert(ref.pre);
    cuts.insert(ref.end());
  });
}

static bool isChain(const std::set<int64_t> &cuts) {
  int64_t last = 1;
  for (int64_t cut : cuts) {
    if (cut % last)
      return false;
    last = cut;
  }
  return true;
}

static void refine(std::set<int64_t> &cuts) {
  std::vector<int64_t> coarse(cuts.begin(), cuts.end());
  for (size_t i = 0; i + 1 < coarse.size(); ++i) {
    int64_t at = coarse[i];
    int64_t rest = coarse[i + 1] / at;
    for (int64_t prime = 2; prime * prime <= rest;) {
      if (rest % prime) {
        ++prime;
        continue;
      }
      rest /= prime;
      cuts.insert(at *= prime);
    }
  }
}

absl::Status StateSpace::addAtoms() {
  std::vector<std::pair<int32_t, std::set<int64_t>>> chains;
  for (size_t i = 0; i < mesh->getAxes().size(); ++i) {
    auto axis = static_cast<int32_t>(i);
    std::set<int64_t> fromCuts, toCuts, both;
    addCuts(request->from, axis, fromCuts);
    addCuts(request->to, axis, toCuts);
    both.insert(fromCuts.begin(), fromCuts.end());
    both.insert(toCuts.begin(), toCuts.end());
    if (both.empty())
      continue;
    if (!isChain(fromCuts) || !isChain(toCuts) ||
        mesh->getAxisSize(axis) % *both.rbegin())
      return absl::InvalidArgumentError("sub-axes of mesh axis '" +
                                        mesh->getAxes()[i].name +
                                        "' do not divide one another");
    if (isChain(both)) {
      chains.emplace_back(axis, both);
    } else {
      chains.emplace_back(axis, fromCuts);
      chains.emplace_back(axis, toCuts);
    }
  }
  auto collect = [&](bool isFine) {
    std::set<AxisRef> found;
    for (auto [axis, cuts] : chains) {
      if (isFine)
        refine(cuts);
      int64_t last = 0;
      for (int64_t cut : cuts) {
        if (last)
          found.insert(AxisRef{axis, last, cut / last});
        last = cut;
      }
    }
    atoms.assign(found.begin(), found.end());
  };
  collect(/*isFine=*/true);
  if (atoms.size() > kMaxFineAtoms)
    collect(/*isFine=*/false);
  return absl::OkStatus();
}

absl::StatusOr<State>
StateSpace::getState(const TensorSharding &sharding) const {
  std::vector<bool> isUsed(atoms.size(), false);
  bool isTwice = false;
  auto add = [&](const AxisRef &ref, AtomList &list) {
    for (int64_t at = ref.pre; at < ref.end();) {
      size_t i = 0;
      while (atoms[i].axis != ref.axis || atoms[i].pre != at ||
             ref.end() % atoms[i].end())
        ++i;
      for (size_t j = 0; j < atoms.size(); ++j)
        isTwice |= isUsed[j] && atoms[j].overlaps(atoms[i]);
      isUsed[i] = true;
      list.push_back(static_cast<Atom>(i));
      at = atoms[i].end();
    }
  };
  State state;
  for (const DimSharding &dim : sharding.dims) {
    state.dims.emplace_back();
    for (const AxisRef &ref : dim.axes)
      if (ref.size > 1)
        add(ref, state.dims.back());
  }
  for (const AxisRef &ref : sharding.unreduced)
    if (ref.size > 1)
      add(ref, state.unreduced);
  std::sort(state.unreduced.begin(), state.unreduced.end());
  if (isTwice)
    return absl::InvalidArgumentError("an axis is used twice in " +
                                      partita::toString(*mesh, sharding));
  return state;
}

absl::StatusOr<StateSpace> StateSpace::create(const Mesh &mesh,
                                              const ReshardRequest &request) {
  size_t rank = request.shape.size();
  if (request.from.dims.size() != rank || request.to.dims.size() != rank)
    return absl::InvalidArgumentError(
        "cannot reshard a tensor of rank " + std::to_string(rank) + " from " +
        partita::toString(mesh, request.from) + " to " +
        partita::toString(mesh, request.to) + ": ranks differ");
  StateSpace space(mesh, request);
  PARTITA_RETURN_IF_ERROR(space.addAtoms());
  PARTITA_ASSIGN_OR_RETURN(space.start, space.getState(request.from));
  PARTITA_ASSIGN_OR_RETURN(space.goal, space.getState(request.to));
  if (!std::includes(space.start.unreduced.begin(), space.start.unreduced.end(),
                     space.goal.unreduced.begin(),
                     space.goal.unreduced.end()) ||
      (!space.goal.unreduced.empty() &&
       request.from.reduction != request.to.reduction))
    return absl::InvalidArgumentError(
        "cannot reshard from " + partita::toString(mesh, request.from) +
        " to " + partita::toString(mesh, request.to) +
        ": the result would be unreduced where the operand is not");
  for (size_t i = 0; i < rank; ++i)
    if (!space.start.dims[i].empty() || !space.goal.dims[i].empty())
      space.activeDims.push_back(i);
  return space;
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

bool StateSpace::canAppend(size_t dim, std::span<const Atom> outer,
                           std::span<const Atom> inner) const {
  return shardsNest(request->shape[dim], getProduct(outer), getProduct(inner));
}

int64_t StateSpace::getProduct(std::span<const Atom> list) const {
  int64_t product = 1;
  for (Atom atom : list)
    product *= atoms[atom].size;
  return product;
}

std::vector<AxisRef> StateSpace::getAxes(std::span<const Atom> list) const {
  std::vector<AxisRef> refs;
  for (Atom atom : list)
    refs.push_back(atoms[atom]);
  return normalize(refs);
}

TensorSharding StateSpace::getSharding(const State &state) const {
  TensorSharding sharding;
  for (const AtomList &list : state.dims)
    sharding.dims.push_back({getAxes(list)});
  sharding.unreduced = getAxes(state.unreduced);
  if (!sharding.unreduced.empty())
    sharding.reduction = request->from.reduction;
  return sharding;
}

AtomList StateSpace::getUnused(const State &state) const {
  AtomList unused;
  for (size_t i = 0; i < atoms.size(); ++i) {
    auto clashes = [&](Atom atom) { return atoms[atom].overlaps(atoms[i]); };
    bool isUsed =
        std::any_of(state.unreduced.begin(), state.unreduced.end(), clashes);
    for (const AtomList &list : state.dims)
      isUsed |= std::any_of(list.begin(), list.end(), clashes);
    if (!isUsed)
      unused.push_back(static_cast<Atom>(i));
  }
  return unused;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

void StateSpace::visitSlices(const State &state, const Visitor &visit) const {
  AtomList unused = getUnused(state);
  auto slice = [&](size_t dim, AtomList moved) {
    if (!canAppend(dim, state.dims[dim], moved))
      return;
    Edge edge{ReshardStepKind::Slice, static_cast<int64_t>(dim), -1, moved,
              state};
    AtomList &list = edge.target.dims[dim];
    list.insert(list.end(), moved.begin(), moved.end());
    visit(edge);
  };
  auto isUnused = [&](Atom atom) {
    return std::find(unused.begin(), unused.end(), atom) != unused.end();
  };
  std::vector<bool> isWanted(atoms.size(), false);
  for (const AtomList &list : goal.dims)
    for (Atom atom : list)
      isWanted[atom] = true;
  for (size_t dim : activeDims) {
    for (Atom atom : unused)
      if (isWanted[atom])
        slice(dim, {atom});
    // All that is missing at once: stepwise it may not nest.
    const AtomList &have = state.dims[dim], &want = goal.dims[dim];
    if (want.size() < have.size() + 2 ||
        !std::equal(have.begin(), have.end(), want.begin()))
      continue;
    AtomList rest(want.begin() + have.size(), want.end());
    if (std::all_of(rest.begin(), rest.end(), isUnused))
      slice(dim, rest);
  }
}

void StateSpace::visitGathers(const State &state, const Visitor &visit) const {
  for (size_t dim : activeDims) {
    const AtomList &list = state.dims[dim];
    for (size_t kept = 0; kept < list.size(); ++kept) {
      std::span<const Atom> outer(list.data(), kept);
      AtomList moved(list.begin() + kept, list.end());
      if (!canAppend(dim, outer, moved))
        continue;
      Edge edge{ReshardStepKind::AllGather, static_cast<int64_t>(dim), -1,
                moved, state};
      edge.target.dims[dim].resize(kept);
      visit(edge);
    }
  }
}

void StateSpace::visitExchanges(const State &state,
                                const Visitor &visit) const {
  for (size_t concat : activeDims) {
    const AtomList &list = state.dims[concat];
    for (size_t kept = 0; kept < list.size(); ++kept) {
      std::span<const Atom> outer(list.data(), kept);
      AtomList moved(list.begin() + kept, list.end());
      if (!canAppend(concat, outer, moved))
        continue;
      for (size_t split : activeDims) {
        if (split == concat || !canAppend(split, state.dims[split], moved))
          continue;
        Edge edge{ReshardStepKind::AllToAll, static_cast<int64_t>(split),
                  static_cast<int64_t>(concat), moved, state};
        edge.target.dims[concat].resize(kept);
        AtomList &to = edge.target.dims[split];
        to.insert(to.end(), moved.begin(), moved.end());
        visit(edge);
      }
    }
  }
}

void StateSpace::visitSequences(
    const AtomList &choices, AtomList &sequence,
    const std::function<void(const AtomList &)> &visit) const {
  if (!sequence.empty())
    visit(sequence);
  for (Atom atom : choices) {
    if (std::find(sequence.begin(), sequence.end(), atom) != sequence.end())
      continue;
    sequence.push_back(atom);
    visitSequences(choices, sequence, visit);
    sequence.pop_back();
  }
}

void StateSpace::visitReductions(const State &state,
                                 const Visitor &visit) const {
  AtomList open;
  std::set_difference(state.unreduced.begin(), state.unreduced.end(),
                      goal.unreduced.begin(), goal.unreduced.end(),
                      std::back_inserter(open));
  if (open.empty())
    return;
  AtomList sequence;
  visitSequences(open, sequence, [&](const AtomList &moved) {
    Edge edge{ReshardStepKind::AllReduce, -1, -1, moved, state};
    std::erase_if(edge.target.unreduced, [&](Atom atom) {
      return std::find(moved.begin(), moved.end(), atom) != moved.end();
    });
    if (std::is_sorted(moved.begin(), moved.end()))
      visit(edge);
    edge.kind = ReshardStepKind::ReduceScatter;
    for (size_t dim : activeDims) {
      if (!canAppend(dim, state.dims[dim], moved))
        continue;
      Edge scatter = edge;
      scatter.dim = static_cast<int64_t>(dim);
      AtomList &list = scatter.target.dims[dim];
      list.insert(list.end(), moved.begin(), moved.end());
      visit(scatter);
    }
  });
}

/// Fills the active dimensions from number `at` on with atoms such that every
/// dimension keeps its number of shards.
void StateSpace::arrange(const State &state, State &made, size_t at,
                         AtomList &unused, int64_t &budget,
                         const Visitor &visit) const {
  if (budget <= 0)
    return;
  if (at == activeDims.size()) {
    if (made == state)
      return;
    --budget;
    Edge edge{ReshardStepKind::Permute, -1, -1, {}, made};
    for (size_t dim : activeDims)
      if (made.dims[dim] != state.dims[dim])
        for (const AtomList *list : std::initializer_list<const AtomList *>{
                 &state.dims[dim], &made.dims[dim]})
          edge.moved.insert(edge.moved.end(), list->begin(), list->end());
    std::sort(edge.moved.begin(), edge.moved.end());
    edge.moved.erase(std::unique(edge.moved.begin(), edge.moved.end()),
                     edge.moved.end());
    visit(edge);
    return;
  }
  size_t dim = activeDims[at];
  int64_t missing = getProduct(state.dims[dim]) / getProduct(made.dims[dim]);
  if (missing == 1) {
    arrange(state, made, at + 1, unused, budget, visit);
    return;
  }
  for (size_t i = 0; i < unused.size(); ++i) {
    Atom atom = unused[i];
    if (missing % atoms[atom].size)
      continue;
    AtomList rest;
    for (Atom other : unused)
      if (!atoms[other].overlaps(atoms[atom]))
        rest.push_back(other);
    made.dims[dim].push_back(atom);
    arrange(state, made, at, rest, budget, visit);
    made.dims[dim].pop_back();
  }
}

void StateSpace::visitPermutes(const State &state, const Visitor &visit) const {
  State made;
  made.dims.resize(state.dims.size());
  made.unreduced = state.unreduced;
  AtomList unused = getUnused(made);
  int64_t budget = kMaxPermutes;
  arrange(state, made, 0, unused, budget, visit);
}

void StateSpace::forEachEdge(const State &state, const Visitor &visit) const {
  visitSlices(state, visit);
  visitReductions(state, visit);
  visitPermutes(state, visit);
  visitExchanges(state, visit);
  visitGathers(state, visit);
}

std::optional<Edge> StateSpace::getExchange(const State &state) const {
  if (state.unreduced != goal.unreduced || state == goal ||
      !planExchange(*mesh, request->shape, getSharding(state),
                    getSharding(goal)))
    return std::nullopt;
  Edge edge{ReshardStepKind::Exchange, -1, -1, {}, goal};
  for (size_t i = 0; i < atoms.size(); ++i)
    for (size_t dim : activeDims) {
      auto atom = static_cast<Atom>(i);
      const AtomList &have = state.dims[dim], &want = goal.dims[dim];
      if (have != want &&
          (std::find(have.begin(), have.end(), atom) != have.end() ||
           std::find(want.begin(), want.end(), atom) != want.end())) {
        edge.moved.push_back(atom);
        break;
      }
    }
  return edge;
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

static std::optional<CollectiveKind> getCollective(ReshardStepKind kind) {
  switch (kind) {
  case ReshardStepKind::Slice:
    return std::nullopt;
  case ReshardStepKind::Permute:
  case ReshardStepKind::Exchange:
    return CollectiveKind::Permute;
  case ReshardStepKind::AllToAll:
    return CollectiveKind::AllToAll;
  case ReshardStepKind::AllGather:
    return CollectiveKind::AllGather;
  case ReshardStepKind::AllReduce:
    return CollectiveKind::AllReduce;
  case ReshardStepKind::ReduceScatter:
    return CollectiveKind::ReduceScatter;
  }
  return std::nullopt;
}

void StateSpace::priceExchange(const State &state, const Edge &edge,
                               const Topology &topology,
                               ReshardStep &step) const {
  std::optional<ExchangePlan> plan = planExchange(
      *mesh, request->shape, getSharding(state), getSharding(edge.target));
  step.launches = static_cast<int64_t>(plan->rounds.size());
  for (const auto &round : plan->rounds) {
    int64_t bytes = request->elementBytes;
    for (int64_t size : getPayload(round))
      bytes *= size;
    step.wireBytes += bytes;
    step.seconds +=
        getSeconds(*mesh, topology, CollectiveKind::Permute, step.axes, bytes);
  }
  step.resultBytes = step.wireBytes;
}

ReshardStep StateSpace::getStep(const State &state, const Edge &edge,
                                const Topology &topology) const {
  ReshardStep step;
  step.kind = edge.kind;
  step.dim = edge.dim;
  step.concatDim = edge.concatDim;
  step.axes = getAxes(edge.moved);
  step.result = getSharding(edge.target);
  if (edge.kind == ReshardStepKind::Exchange) {
    priceExchange(state, edge, topology, step);
    return step;
  }

  auto getShard = [&](size_t dim, const State &where) {
    int64_t shards = getProduct(where.dims[dim]);
    return (request->shape[dim] + shards - 1) / shards;
  };
  int64_t group = getProduct(edge.moved);
  int64_t bytes = request->elementBytes;
  for (size_t dim = 0; dim < request->shape.size(); ++dim) {
    bool isJoined =
        static_cast<int64_t>(dim) ==
        (edge.kind == ReshardStepKind::AllGather ? edge.dim : edge.concatDim);
    // Joined shards still have their padding.
    bytes *=
        isJoined ? getShard(dim, state) * group : getShard(dim, edge.target);
  }
  auto collective = getCollective(edge.kind);
  if (!collective) {
    step.launches = 0;
    step.seconds = static_cast<double>(bytes) / topology.copyBytesPerSecond;
    return step;
  }
  step.resultBytes = bytes;
  step.wireBytes = getWireBytes(*collective, group, bytes);
  step.seconds = getSeconds(*mesh, topology, *collective, step.axes, bytes);
  return step;
}

} // namespace partita::reshard
