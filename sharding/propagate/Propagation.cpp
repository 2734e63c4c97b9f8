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
  PassThrough,      ///< Parallel factors that all tensors of an op have.
  Uncontested,      ///< Parallel factors of all ops, unless tensors of the op
                    ///< want an axis for different factors.
  Parallel,         ///< Parallel factors of all ops; broadcasts backward.
  NotIntoBroadcast, ///< All factors; broadcasts backward.
  All,
};

/// No value waits for more than so many decisions.
constexpr size_t kMaxPending = 8;

class Propagation {
public:
  explicit Propagation(PropagationGraph &theGraph)
      : nodes(theGraph.getNodes()), links(theGraph.getLinks()),
        isDirty(links.size()), pending(nodes.size()) {}

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
        pending.assign(nodes.size(), {});
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
    if (stage == Stage::Uncontested)
      updatePending(link, merged);
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
    SmallVector<size_t> byLength = llvm::to_vector(llvm::seq<size_t>(0, count));
    llvm::stable_sort(byLength, [&](size_t a, size_t b) {
      return link.rule.factors[a].size > link.rule.factors[b].size;
    });
    auto mergeSources = [&](ArrayRef<Source> group) {
      SmallVector<FactorAxes> wanted;
      for (const Source &source : group)
        projectToFactors(link.rule, *source.dims,
                         getVisible(nodes[source.node]),
                         wanted.emplace_back(count));
      for (size_t f : byLength)
        for (auto [source, own] : llvm::zip(group, wanted))
          if (!own[f].empty() && isConsidered(link.rule.factors[f]))
            mergeFactor(merged, f, own[f], source.node);
    };
    // Of operands of an elementwise op that are as large, none comes first: the
    // axis goes to the longest dimension that one wants it for, the first of
    // those. Whichever way round two are compared, they then lie alike.
    bool areEqual = link.op && link.op->hasTrait<OpTrait::Elementwise>();
    for (ArrayRef<Source> rest = sources; !rest.empty();) {
      size_t length = 1;
      while (areEqual && length < rest.size() &&
             rest.front().order >= link.results.size() &&
             nodes[rest[length].node].bytes == nodes[rest.front().node].bytes)
        ++length;
      mergeSources(rest.take_front(length));
      rest = rest.drop_front(length);
    }
    for (auto [factor, axes] : llvm::zip(link.rule.factors, merged.axes)) {
      if (!isActive(factor))
        axes.clear();
    }
    if (stage == Stage::Uncontested)
      dropContested(link, merged);
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

  //===--------------------------------------------------------------------===//
  // Contested axes
  //===--------------------------------------------------------------------===//
  //
  // An axis that an op's tensors want for different factors is left for later.
  // Until then it is *pending* for each of the ways in which the op's other
  // tensors may come to be split, and for what passes on from these: there it
  // must not be given to something else meanwhile, merely because that comes
  // first. Each way is a sharding with the axis in question alone.

  /// Calls `visit` with the factors of each pending way of the link's tensors,
  /// and the tensor's bytes.
  void
  forEachPending(const PropagationLink &link,
                 function_ref<void(const FactorAxes &, int64_t)> visit) const {
    auto visitTensor = [&](int32_t node, const FactorDims &dims) {
      for (const TensorSharding &way : pending[node]) {
        FactorAxes axes(link.rule.factors.size());
        projectToFactors(link.rule, dims, way, axes);
        legalizeFactors(link.rule, axes);
        visit(axes, nodes[node].bytes);
      }
    };
    for (auto [node, dims] : llvm::zip(link.results, link.rule.results))
      visitTensor(node, dims);
    for (auto [node, dims] : llvm::zip(link.operands, link.rule.operands))
      visitTensor(node, dims);
  }

  static bool overlap(ArrayRef<AxisRef> axes, const AxisRef &axis) {
    return llvm::any_of(
        axes, [&](const AxisRef &other) { return other.overlaps(axis); });
  }

  /// Takes away what is contested, by wishes or by what is pending. An axis may
  /// go where it is pending too, if no larger tensor awaits it elsewhere.
  void dropContested(const PropagationLink &link, Merged &merged) const {
    auto isContested = [&](size_t f, const AxisRef &axis) {
      int64_t own = merged.source[f] < 0 ? 0 : nodes[merged.source[f]].bytes;
      bool isAwaited = false, isElsewhere = false, isSmaller = false;
      forEachPending(link, [&](const FactorAxes &axes, int64_t bytes) {
        isAwaited |= overlap(axes[f], axis);
        for (size_t g = 0; g < axes.size(); ++g)
          if (g != f && overlap(axes[g], axis)) {
            isElsewhere = true;
            isSmaller |= own < bytes;
          }
      });
      return isElsewhere && (isSmaller || !isAwaited);
    };
    for (size_t f = 0; f < merged.axes.size(); ++f)
      for (const AxisRef &axis : merged.axes[f])
        if (isContested(f, axis))
          merged.contested.push_back(axis);
    for (Axes &axes : merged.axes)
      axes = truncateBefore(axes, merged.contested);
  }

  void updatePending(const PropagationLink &link, const Merged &merged) {
    SmallVector<FactorAxes> ways;
    if (link.isPassThrough || !merged.contested.empty())
      forEachPending(
          link, [&](const FactorAxes &axes, int64_t) { ways.push_back(axes); });
    auto addWishes = [&](int32_t node, const FactorDims &dims) {
      size_t count = link.rule.factors.size();
      FactorAxes own(count);
      projectToFactors(link.rule, dims, getVisible(nodes[node]), own);
      for (size_t f = 0; f < count; ++f) {
        if (!isActive(link.rule.factors[f]) ||
            llvm::none_of(own[f], [&](const AxisRef &axis) {
              return overlap(merged.contested, axis);
            }))
          continue;
        FactorAxes way(count);
        way[f] = own[f];
        ways.push_back(std::move(way));
      }
    };
    if (!merged.contested.empty()) {
      for (auto [node, dims] : llvm::zip(link.results, link.rule.results))
        addWishes(node, dims);
      for (auto [node, dims] : llvm::zip(link.operands, link.rule.operands))
        addWishes(node, dims);
    }
    for (const FactorAxes &way : ways) {
      for (auto [node, dims] : llvm::zip(link.results, link.rule.results))
        addPending(node, makeTensorSharding(link.rule, dims, way));
      for (auto [node, dims] : llvm::zip(link.operands, link.rule.operands))
        addPending(node, makeTensorSharding(link.rule, dims, way));
    }
  }

  void addPending(int32_t number, TensorSharding way) {
    PropagationNode &node = nodes[number];
    bool isOpen = false;
    for (auto [d, dim] : llvm::enumerate(node.sharding.dims)) {
      Axes &wanted = way.dims[d].axes;
      wanted = dim.isOpen && dim.priority <= priority && dim.axes.empty()
                   ? truncateBefore(wanted, getUsed(node, d))
                   : Axes();
      isOpen |= !wanted.empty();
    }
    SmallVector<TensorSharding> &list = pending[number];
    if (!isOpen || list.size() >= kMaxPending || llvm::is_contained(list, way))
      return;
    list.push_back(std::move(way));
    for (int32_t link : node.links)
      isDirty.set(link);
  }

  //===--------------------------------------------------------------------===//
  // Updates
  //===--------------------------------------------------------------------===//

  /// Appends to the node's open dimensions what the factors have beyond them.
  void update(int32_t number, const FactorDims &dims,
              const PropagationLink &link, const Merged &merged,
              bool mayBeShort) {
    PropagationNode &node = nodes[number];
    TensorSharding wanted = makeTensorSharding(link.rule, dims, merged.axes);
    // What a product makes for a place where the user wants it whole is not
    // split, if its operand is put together all the same.
    bool isProduct = isa_and_nonnull<core::DotOp>(link.op) &&
                     llvm::is_contained(link.results, number);
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
      if (extra.empty() || (isProduct && node.staysWhole(d) &&
                            isGatheredAnyway(link, dims[d], extra)))
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

  /// Whether another product of the operand that has these factors uses the
  /// axes for its other operand.
  bool isGatheredAnyway(const PropagationLink &link, ArrayRef<int32_t> factors,
                        const Axes &axes) const {
    auto usesAxes = [&](int32_t node) {
      return llvm::any_of(axes, [&](const AxisRef &axis) {
        return nodes[node].sharding.uses(axis);
      });
    };
    for (auto [node, dims] : llvm::zip(link.operands, link.rule.operands)) {
      if (llvm::none_of(dims,
                        [&](ArrayRef<int32_t> dim) { return dim == factors; }))
        continue;
      for (int32_t number : nodes[node].links) {
        const PropagationLink &other = links[number];
        if (&other == &link || !isa_and_nonnull<core::DotOp>(other.op))
          continue;
        for (int32_t operand : other.operands)
          if (operand != node && usesAxes(operand))
            return true;
      }
    }
    return false;
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
  std::vector<SmallVector<TensorSharding>> pending; ///< By node.
  int32_t priority = 0;
  Stage stage = Stage::PassThrough;
};

} // namespace

void propagate(PropagationGraph &graph) { Propagation(graph).run(); }

} // namespace partita
