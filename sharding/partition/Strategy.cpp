//===- Strategy.cpp - Along which factors an op is split --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Strategy.h"

#include "ir/core/Core.h"

#include <limits>

using namespace mlir;

namespace partita {

Strategy makeStrategy(const IndexRule &rule, FactorAxes axes) {
  Strategy strategy;
  for (const FactorDims &dims : rule.operands)
    strategy.operands.push_back(makeTensorSharding(rule, dims, axes));
  for (const FactorDims &dims : rule.results) {
    TensorSharding sharding = makeTensorSharding(rule, dims, axes);
    for (auto [factor, split] : llvm::zip(rule.factors, axes))
      if (factor.kind == FactorKind::Reduction && !split.empty()) {
        llvm::append_range(sharding.unreduced, split);
        sharding.reduction = factor.reduction;
      }
    llvm::sort(sharding.unreduced);
    sharding.unreduced = normalize(sharding.unreduced);
    strategy.results.push_back(std::move(sharding));
  }
  strategy.axes = std::move(axes);
  return strategy;
}

std::optional<TensorSharding> getBroadcastSource(Value value,
                                                 const TensorSharding &wanted) {
  auto broadcast = value.getDefiningOp<core::BroadcastOp>();
  if (!broadcast)
    return std::nullopt;
  IndexRule rule = broadcast.getIndexRule();
  FactorAxes axes;
  if (!projectToFactors(rule, rule.results[0], wanted, axes) ||
      !isSamePlacement(makeTensorSharding(rule, rule.results[0], axes), wanted))
    return std::nullopt;
  return makeTensorSharding(rule, rule.operands[0], axes);
}

/// How much dearer it is to move a whole result than an operand.
static constexpr double kResultMovePenalty = 1.5;
static constexpr double kPartialMovePenalty = 1.25;
/// How much of the price counts where operands stay and the result is partial.
static constexpr double kPartialPreference = 0.25;
/// How much a launch counts where a reshape is partitioned.
static constexpr double kReshapeLaunchWeight = 0.01;

namespace {
class StrategyChooser {
public:
  StrategyChooser(const StrategyRequest &theRequest, CostModel &theCosts)
      : request(theRequest), rule(theRequest.rule), costs(theCosts) {}

  Strategy choose() {
    addProjections();
    Strategy best;
    best.seconds = std::numeric_limits<double>::infinity();
    SmallVector<FactorAxes> seen;
    for (ArrayRef<size_t> order : getOrders()) {
      FactorAxes axes = mergeInOrder(order);
      if (llvm::is_contained(seen, axes))
        continue;
      seen.push_back(axes);
      Strategy strategy = makeStrategy(rule, axes);
      double moving = priceMoves(strategy);
      strategy.seconds =
          moving + costs.getComputeSeconds(request.op, rule, axes);
      if (request.exchangeSeconds)
        strategy.seconds += request.exchangeSeconds(strategy);
      // Partial values are summed up with others, and moved late: prefer them
      // to moving operands that fit together as they are.
      bool isPartial = llvm::any_of(strategy.results, [](const auto &result) {
        return !result.unreduced.empty();
      });
      if (request.prefersPartial && isPartial && isInPlace(strategy))
        strategy.seconds *= kPartialPreference;
      if (strategy.seconds < best.seconds)
        best = std::move(strategy);
      if (seen.size() == 1 && moving == 0)
        break; // All tensors agree.
    }
    if (best.operands.empty() && best.results.empty())
      best = makeStrategy(rule, FactorAxes(rule.factors.size()));
    return best;
  }

private:
  /// What each tensor says of the factors: results first, then operands.
  void addProjections() {
    auto add = [&](const FactorDims &dims, const TensorSharding &sharding) {
      FactorAxes axes(rule.factors.size());
      projectToFactors(rule, dims, sharding, axes);
      for (auto [factor, split] : llvm::zip(rule.factors, axes))
        if (factor.kind == FactorKind::Replicate)
          split.clear();
      projections.push_back(std::move(axes));
    };
    for (auto [dims, sharding] : llvm::zip(rule.results, request.results))
      add(dims, sharding);
    for (auto [dims, sharding] : llvm::zip(rule.operands, request.operands))
      add(dims, sharding);
  }

  /// The orders in which tensors have their say. For a few tensors all of them
  /// and all their beginnings, else results first and each tensor first.
  SmallVector<SmallVector<size_t>> getOrders() const {
    size_t count = projections.size();
    SmallVector<SmallVector<size_t>> orders;
    SmallVector<size_t> all = llvm::to_vector(llvm::seq<size_t>(0, count));
    orders.push_back(all);
    if (count <= 3) {
      SmallVector<size_t> order;
      addOrders(order, orders);
    } else {
      for (size_t first = 0; first < count; ++first) {
        orders.push_back({first});
        SmallVector<size_t> order = {first};
        for (size_t i : all)
          if (i != first)
            order.push_back(i);
        orders.push_back(order);
      }
      orders.push_back(llvm::to_vector(llvm::reverse(all)));
    }
    orders.push_back({});
    return orders;
  }

  void addOrders(SmallVector<size_t> &order,
                 SmallVector<SmallVector<size_t>> &orders) const {
    for (size_t i = 0; i < projections.size(); ++i) {
      if (llvm::is_contained(order, i))
        continue;
      order.push_back(i);
      orders.push_back(order);
      addOrders(order, orders);
      order.pop_back();
    }
  }

  FactorAxes mergeInOrder(ArrayRef<size_t> order) const {
    FactorAxes merged(rule.factors.size());
    for (size_t tensor : order)
      for (size_t f = 0; f < merged.size(); ++f) {
        const Axes &wanted = projections[tensor][f];
        if (wanted.empty() || !canReduce(merged, f))
          continue;
        SmallVector<AxisRef> taken;
        for (auto [g, axes] : llvm::enumerate(merged))
          if (g != f)
            llvm::append_range(taken, axes);
        Axes axes = truncateBefore(wanted, taken);
        if (isPrefix(merged[f], axes))
          merged[f] = std::move(axes);
      }
    legalizeFactors(rule, merged);
    return merged;
  }

  /// Partial values of different kinds cannot be combined in one go.
  bool canReduce(const FactorAxes &merged, size_t f) const {
    const Factor &factor = rule.factors[f];
    if (factor.kind != FactorKind::Reduction)
      return true;
    for (auto [other, axes] : llvm::zip(rule.factors, merged))
      if (other.kind == FactorKind::Reduction && !axes.empty() &&
          other.reduction != factor.reduction)
        return false;
    return true;
  }

  /// How many, this op and products, need an operand as this strategy does:
  /// those of one value, forward and backward, often do, and it is moved once
  /// for all.
  double getNumSharers(Value operand, const TensorSharding &wanted) const {
    double sharers = 1;
    for (OpOperand &use : operand.getUses()) {
      auto other = dyn_cast<core::DotOp>(use.getOwner());
      if (!other || other == request.op || !request.getSharding)
        continue;
      StrategyRequest its;
      its.op = other;
      its.rule = other.getIndexRule();
      for (Value value : other->getOperands())
        its.operands.push_back(request.getSharding(value));
      its.results.push_back(request.getSharding(other.getResult()));
      Strategy likely = getResultFirst(its, costs);
      sharers +=
          isSamePlacement(likely.operands[use.getOperandNumber()], wanted);
    }
    return sharers;
  }

  static Strategy getResultFirst(const StrategyRequest &request,
                                 CostModel &costs) {
    StrategyChooser chooser(request, costs);
    chooser.addProjections();
    SmallVector<size_t> order =
        llvm::to_vector(llvm::seq<size_t>(0, chooser.projections.size()));
    Strategy asItIs = makeStrategy(
        request.rule, chooser.mergeInOrder(ArrayRef(order).drop_front()));
    if (chooser.isInPlace(asItIs))
      return asItIs;
    return makeStrategy(request.rule, chooser.mergeInOrder(order));
  }

  /// Whether no operand has to move.
  bool isInPlace(const Strategy &strategy) const {
    return llvm::all_of(
        llvm::zip(request.operands, strategy.operands), [](const auto &pair) {
          return isSamePlacement(std::get<0>(pair), std::get<1>(pair));
        });
  }

  /// Of an operand, or of what it is broadcast from.
  double priceMove(Value value, const TensorSharding &from,
                   const TensorSharding &to, double launchWeight) {
    double seconds = costs.getReshardSeconds(
        cast<RankedTensorType>(value.getType()), from, to, launchWeight);
    auto source = getBroadcastSource(value, to);
    if (!source || !request.getSharding)
      return seconds;
    Value operand = value.getDefiningOp()->getOperand(0);
    return std::min(seconds, priceMove(operand, request.getSharding(operand),
                                       *source, launchWeight));
  }

  double priceMoves(const Strategy &strategy) {
    double seconds = 0;
    // A reshape is but a move itself; of moves the one of fewest bytes is best.
    double launchWeight =
        isa<core::ReshapeOp>(request.op) ? kReshapeLaunchWeight : 1;
    for (auto [i, operand] : llvm::enumerate(strategy.operands)) {
      if (isSamePlacement(request.operands[i], operand) ||
          request.isAtHand(i, operand))
        continue;
      Value value = request.op->getOperand(i);
      seconds += priceMove(value, request.operands[i], operand, launchWeight) /
                 getNumSharers(value, operand);
    }
    for (auto [i, result] : llvm::enumerate(strategy.results)) {
      double move = costs.getReshardSeconds(
          cast<RankedTensorType>(request.op->getResult(i).getType()), result,
          request.results[i], launchWeight);
      // A result is of no use to others before it has moved.
      double penalty = kResultMovePenalty;
      if (!result.unreduced.empty())
        penalty = request.prefersPartial ? kPartialMovePenalty : 1;
      seconds += penalty * move;
    }
    return seconds;
  }

  const StrategyRequest &request;
  const IndexRule &rule;
  CostModel &costs;
  SmallVector<FactorAxes> projections;
};
} // namespace

Strategy chooseStrategy(const StrategyRequest &request, CostModel &costs) {
  return StrategyChooser(request, costs).choose();
}

} // namespace partita
