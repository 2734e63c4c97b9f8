//===- Propagation.cpp - Carries shardings along index rules ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/propagate/Propagation.h"

#include "ir/core/Core.h"
#include "sharding/rules/FactorSharding.h"

#include <set>

using namespace mlir;

namespace partita {

namespace {

/// Which links take part, from the most to the least certain.
enum class Stage : uint8_t {
  PassThrough,      ///< Elementwise ops, reshapes, transposes, edges.
  Uncontested,      ///< Parallel factors of all ops, unless tensors of the op
                    ///< want an axis for different factors.
  Parallel,         ///< Parallel factors of all ops; broadcasts backward.
  NotIntoBroadcast, ///< All factors; broadcasts backward.
  All,
};

class Propagation {
public:
  explicit Propagation(PropagationGraph &theGraph)
      : nodes(theGraph.getNodes()), links(theGraph.getLinks()),
        isDirty(links.size()) {}

  void run() {
    std::set<int32_t> priorities = {0};
    for (const PropagationNode &node : nodes)
      for (const DimSharding &dim : node.sharding.dims)
        priorities.insert(dim.priority);
    for (int32_t p : priorities) {
      priority = p;
      for (Stage s : {Stage::PassThrough, Stage::Uncontested, Stage::Parallel,
                      Stage::NotIntoBroadcast, Stage::All}) {
        stage = s;
        runToFixpoint();
      }
    }
  }

private:
  /// What the tensors of a link say about its factors, conflicts resolved.
  struct Merged {
    FactorAxes axes;
    SmallVector<int32_t> source; ///< Node that each factor's axes are from.
    SmallVector<AxisRef> contested = {}; ///< Wanted for two factors.
  };

  void runToFixpoint() {
    isDirty.set();
    bool isForward = true;
    while (isDirty.any()) {
      for (size_t i = 0; i < links.size(); ++i) {
        size_t at = isForward ? i : links.size() - 1 - i;
        if (isDirty.test(at)) {
          isDirty.reset(at);
          visit(static_cast<int32_t>(at));
        }
      }
      isForward = !isForward;
    }
  }

  void visit(int32_t number) {
    const PropagationLink &link = links[number];
    if (stage == Stage::PassThrough && !link.isPassThrough)
      return;
    Merged merged = merge(link);
    for (auto [node, dims] : llvm::zip(link.results, link.rule.results))
      update(node, dims, link, merged, /*mayBeShort=*/false);
    // What is put at a place of a longer dimension may be shorter than there
    // are devices.
    bool isPart = isa_and_nonnull<core::ConcatenateOp, core::PadOp>(link.op);
    for (auto [node, dims] : llvm::zip(link.operands, link.rule.operands))
      update(node, dims, link, merged, isPart);
  }

  /// The sharding as far as this priority sees it.
  TensorSharding getVisible(const PropagationNode &node) const {
    TensorSharding sharding = node.sharding;
    for (DimSharding &dim : sharding.dims)
      if (dim.priority > priority)
        dim.axes.clear();
    return sharding;
  }

  bool isActive(const Factor &factor) const {
    if (factor.kind == FactorKind::Replicate || factor.isBlocked)
      return false;
    return stage >= Stage::NotIntoBroadcast ||
           factor.kind == FactorKind::Parallel;
  }

  /// Whether the factor's axes count as wanted: what a reduction needs may be
  /// contested before reductions propagate.
  bool isConsidered(const Factor &factor) const {
    return isActive(factor) ||
           (stage == Stage::Uncontested &&
            factor.kind == FactorKind::Reduction && !factor.isBlocked);
  }

  Merged merge(const PropagationLink &link) const {
    struct Source {
      int32_t node;
      const FactorDims *dims;
      size_t order = 0;
    };
    SmallVector<Source> sources;
    for (auto [node, dims] : llvm::zip(link.results, link.rule.results))
      sources.push_back({node, &dims});
    if (!link.isBroadcast || stage == Stage::All)
      for (auto [node, dims] : llvm::zip(link.operands, link.rule.operands))
        sources.push_back({node, &dims});
    // What is larger costs more to move, so its wishes come first.
    for (auto [order, source] : llvm::enumerate(sources))
      source.order = order;
    llvm::sort(sources, [&](const Source &a, const Source &b) {
      return std::pair(-nodes[a.node].bytes, a.order) <
             std::pair(-nodes[b.node].bytes, b.order);
    });
    size_t count = link.rule.factors.size();
    Merged merged{FactorAxes(count), SmallVector<int32_t>(count, -1)};
    for (const Source &source : sources) {
      FactorAxes own(count);
      projectToFactors(link.rule, *source.dims, getVisible(nodes[source.node]),
                       own);
      for (size_t f = 0; f < count; ++f)
        if (!own[f].empty() && isConsidered(link.rule.factors[f]))
          mergeFactor(merged, f, own[f], source.node);
    }
    for (auto [factor, axes] : llvm::zip(link.rule.factors, merged.axes)) {
      if (!isActive(factor))
        axes.clear();
      else if (stage == Stage::Uncontested)
        axes = truncateBefore(axes, merged.contested);
    }
    legalizeFactors(link.rule, merged.axes);
    return merged;
  }

  static void mergeFactor(Merged &merged, size_t factor, const Axes &wanted,
                          int32_t node) {
    SmallVector<AxisRef> taken;
    for (auto [g, axes] : llvm::enumerate(merged.axes))
      if (g != factor)
        llvm::append_range(taken, axes);
    Axes axes = truncateBefore(wanted, taken);
    if (axes != wanted)
      llvm::append_range(merged.contested, dropPrefix(wanted, axes));
    if (!isPrefix(merged.axes[factor], axes) || axes == merged.axes[factor])
      return;
    merged.axes[factor] = axes;
    merged.source[factor] = node;
  }

  /// Appends to the node's open dimensions what the factors have beyond them.
  void update(int32_t number, const FactorDims &dims,
              const PropagationLink &link, const Merged &merged,
              bool mayBeShort) {
    PropagationNode &node = nodes[number];
    TensorSharding wanted = makeTensorSharding(link.rule, dims, merged.axes);
    bool isChanged = false;
    for (size_t d = 0; d < dims.size(); ++d) {
      DimSharding &dim = node.sharding.dims[d];
      if (!dim.isOpen || dim.priority > priority ||
          !isPrefix(dim.axes, wanted.dims[d].axes))
        continue;
      Axes extra = truncateBefore(dropPrefix(wanted.dims[d].axes, dim.axes),
                                  getUsed(node, d));
      int64_t shards = getProduct(dim.axes);
      while (!mayBeShort && !extra.empty() &&
             shards * getProduct(extra) > node.type.getDimSize(d))
        extra.pop_back();
      if (extra.empty())
        continue;
      recordOrigins(node, extra, dims[d], link, merged);
      llvm::append_range(dim.axes, extra);
      dim.axes = normalize(dim.axes);
      isChanged = true;
    }
    if (isChanged)
      for (int32_t other : node.links)
        isDirty.set(other);
  }

  /// Axes that dimension `d` of the node must not use.
  static SmallVector<AxisRef> getUsed(const PropagationNode &node, size_t d) {
    SmallVector<AxisRef> used(node.sharding.replicated.begin(),
                              node.sharding.replicated.end());
    llvm::append_range(used, node.sharding.unreduced);
    for (auto [e, other] : llvm::enumerate(node.sharding.dims))
      if (e != d)
        llvm::append_range(used, other.axes);
    return used;
  }

  void recordOrigins(PropagationNode &node, const Axes &extra,
                     ArrayRef<int32_t> factors, const PropagationLink &link,
                     const Merged &merged) {
    for (const AxisRef &axis : extra) {
      AxisOrigin origin{axis, 0, link.op};
      for (int32_t factor : factors) {
        if (merged.source[factor] < 0)
          continue;
        for (const AxisOrigin &from : nodes[merged.source[factor]].origins)
          if (from.axis.overlaps(axis)) {
            origin.source = from.source;
            origin.via = link.op ? link.op : from.via;
          }
      }
      node.origins.push_back(origin);
    }
  }

  MutableArrayRef<PropagationNode> nodes;
  ArrayRef<PropagationLink> links;
  llvm::BitVector isDirty;
  int32_t priority = 0;
  Stage stage = Stage::PassThrough;
};

} // namespace

void propagate(PropagationGraph &graph) { Propagation(graph).run(); }

} // namespace partita
