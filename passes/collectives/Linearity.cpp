//===- Linearity.cpp - What partial values may pass through -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Linearity.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace partita {

namespace {
/// An op that passes partial values on.
struct LinearOp {
  StringLiteral name;
  /// Bit i: in operand i, each for itself.
  unsigned operands;
  /// For sums only, else for every kind.
  bool isForSums;
};
} // namespace

static constexpr LinearOp kLinearOps[] = {
    {"core.neg", 1, true},        {"core.mul", 3, true},
    {"core.div", 1, true},        {"core.dot", 3, true},
    {"core.transpose", 1, false}, {"core.reshape", 1, false},
    {"core.broadcast", 1, false}, {"core.slice", 1, false},
    {"core.reverse", 1, false},   {"core.dynamic_slice", 1, false},
};

/// A conversion to a type that holds every value of the operand's, where
/// nothing depends on the operand's range: half precision tells by an infinity
/// that a loss was scaled too much, and must do so of the whole sum.
static bool isWidening(Operation *op) {
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(op->getOperand(0)));
  auto to = dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return from && to && from.getWidth() < to.getWidth() &&
         from.getFPMantissaWidth() <= to.getFPMantissaWidth() &&
         llvm::APFloat::semanticsMaxExponent(from.getFloatSemantics()) >=
             llvm::APFloat::semanticsMaxExponent(llvm::APFloat::IEEEsingle());
}

bool isLinear(Operation *op, unsigned operand, ReductionKind kind) {
  if (auto reduce = dyn_cast<core::ReduceOp>(op))
    return reduce.getKind().getKind() == kind;
  StringRef name = op->getName().getStringRef();
  if (name == "core.convert")
    return isWidening(op);
  // Integer division rounds; i1 products and sums are logical.
  Type element = getElementTypeOrSelf(op->getOperand(0));
  for (const LinearOp &linear : kLinearOps)
    if (linear.name == name && (linear.operands >> operand & 1))
      return !linear.isForSums || (kind == ReductionKind::Sum &&
                                   isa<FloatType, ComplexType>(element));
  return false;
}

bool isCombiner(Operation *op, ReductionKind kind) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return false;
  auto combined = llvm::StringSwitch<std::optional<ReductionKind>>(
                      op->getName().getStringRef())
                      .Cases({"core.add", "core.sub"}, ReductionKind::Sum)
                      .Case("core.max", ReductionKind::Max)
                      .Case("core.min", ReductionKind::Min)
                      .Case("core.mul", ReductionKind::Mul)
                      .Case("core.and", ReductionKind::And)
                      .Case("core.or", ReductionKind::Or)
                      .Case("core.xor", ReductionKind::Xor)
                      .Default(std::nullopt);
  bool isLogical = getElementTypeOrSelf(op->getOperand(0)).isInteger(1) &&
                   (kind == ReductionKind::Sum || kind == ReductionKind::Mul);
  return combined == kind && !isLogical;
}

/// Hands the axes of a dimension to its factors, the major ones first. Says
/// whether each shard is a range of the factors too.
static bool assignAxes(ArrayRef<int32_t> dimFactors, const IndexRule &rule,
                       ArrayRef<AxisRef> axes,
                       MutableArrayRef<SmallVector<AxisRef>> byFactor) {
  size_t at = 0;
  for (size_t i = 0; i < dimFactors.size() && at < axes.size(); ++i) {
    const Factor &factor = rule.factors[dimFactors[i]];
    bool isMinor = i + 1 == dimFactors.size();
    int64_t taken = 1;
    while (at < axes.size() && (dimFactors.size() == 1 ||
                                factor.size % (taken * axes[at].size) == 0)) {
      if (factor.kind != FactorKind::Parallel)
        return false;
      taken *= axes[at].size;
      byFactor[dimFactors[i]].push_back(axes[at++]);
    }
    // Only when this factor is used up may a minor one be split.
    if (!isMinor && at < axes.size() && taken != factor.size)
      return false;
  }
  return at == axes.size();
}

std::optional<TensorSharding>
inferResultSharding(Operation *op, unsigned operand,
                    const TensorSharding &sharding) {
  auto ruled = dyn_cast<IndexRuleOpInterface>(op);
  if (!ruled || op->getNumResults() != 1)
    return std::nullopt;
  IndexRule rule = ruled.getIndexRule();
  if (rule.operands.size() <= operand || rule.results.size() != 1 ||
      rule.operands[operand].size() != sharding.dims.size())
    return std::nullopt;
  SmallVector<SmallVector<AxisRef>> byFactor(rule.factors.size());
  for (auto [factors, dim] : llvm::zip(rule.operands[operand], sharding.dims))
    if (!assignAxes(factors, rule, normalize(dim.axes), byFactor))
      return std::nullopt;
  TensorSharding result;
  result.unreduced = sharding.unreduced;
  result.reduction = sharding.reduction;
  for (ArrayRef<int32_t> factors : rule.results[0]) {
    std::vector<AxisRef> axes;
    bool isOpen = true; // Whether all major factors are used up by axes.
    for (int32_t factor : factors) {
      int64_t size = rule.factors[factor].size;
      int64_t parts = getProduct(byFactor[factor]);
      // Shards of unequal length are no range of a dimension of more factors.
      if ((parts > 1 && !isOpen) || (factors.size() > 1 && size % parts != 0))
        return std::nullopt;
      llvm::append_range(axes, byFactor[factor]);
      isOpen &= parts == size;
    }
    result.dims.push_back({normalize(axes)});
  }
  // A split factor that the result lacks would make more partial values.
  for (auto [number, axes] : llvm::enumerate(byFactor)) {
    auto has = [&](ArrayRef<int32_t> dim) {
      return llvm::is_contained(dim, static_cast<int32_t>(number));
    };
    if (!axes.empty() && llvm::none_of(rule.results[0], has))
      return std::nullopt;
  }
  return result;
}

} // namespace partita
