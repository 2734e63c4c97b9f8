//===- FactorSharding.cpp - Shardings of an op's factors --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/rules/FactorSharding.h"

#include <numeric>

using namespace mlir;

namespace partita {

/// Cuts the front factor of size `size` off an axis and returns it.
static AxisRef takeFront(AxisRef &axis, int64_t size) {
  AxisRef front{axis.axis, axis.pre, size};
  axis.pre *= size;
  axis.size /= size;
  return front;
}

/// How many (sub-)axes of the two agree from the start on; splits the axes
/// where one is a front factor of the other.
static Axes walkCommon(Axes &a, Axes &b) {
  Axes common;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].axis != b[j].axis || a[i].pre != b[j].pre)
      break;
    int64_t size = std::min(a[i].size, b[j].size);
    if (std::max(a[i].size, b[j].size) % size != 0)
      break;
    common.push_back(takeFront(a[i], size));
    takeFront(b[j], size);
    i += a[i].size == 1;
    j += b[j].size == 1;
  }
  a.erase(a.begin(), a.begin() + static_cast<int64_t>(i));
  b.erase(b.begin(), b.begin() + static_cast<int64_t>(j));
  return normalize(common);
}

bool isPrefix(const Axes &prefix, const Axes &axes) {
  Axes a = prefix, b = axes;
  walkCommon(a, b);
  return a.empty();
}

Axes getCommonPrefix(const Axes &a, const Axes &b) {
  Axes x = a, y = b;
  return walkCommon(x, y);
}

Axes dropPrefix(const Axes &axes, const Axes &prefix) {
  Axes a = prefix, b = axes;
  walkCommon(a, b);
  return b;
}

Axes truncateBefore(const Axes &axes, ArrayRef<AxisRef> used) {
  Axes kept;
  for (const AxisRef &axis : axes) {
    int64_t free = axis.size; // how much of the axis's front is not used
    for (const AxisRef &other : used)
      if (axis.overlaps(other))
        free = other.pre <= axis.pre
                   ? 1
                   : std::min(free, std::gcd(other.pre / axis.pre, axis.size));
    if (free > 1)
      kept.push_back({axis.axis, axis.pre, free});
    if (free != axis.size)
      break;
  }
  return kept;
}

/// Distributes the axes of a dimension over its several factors.
static bool projectCompound(const IndexRule &rule, ArrayRef<int32_t> factors,
                            Axes axes, FactorAxes &out) {
  size_t at = 0;
  for (int32_t factor : factors) {
    int64_t rest = rule.factors[factor].size;
    Axes taken;
    while (at < axes.size() && rest > 1) {
      int64_t size = std::gcd(rest, axes[at].size);
      if (size == 1)
        break;
      taken.push_back(takeFront(axes[at], size));
      rest /= size;
      at += axes[at].size == 1;
    }
    if (!taken.empty())
      out[factor] = normalize(taken);
    if (rest > 1)
      break;
  }
  return at == axes.size();
}

bool projectToFactors(const IndexRule &rule, const FactorDims &dims,
                      const TensorSharding &sharding, FactorAxes &factors) {
  bool isExact = true;
  factors.resize(rule.factors.size());
  for (auto [dim, split] : llvm::zip(dims, sharding.dims)) {
    if (split.axes.empty())
      continue;
    if (dim.empty())
      isExact = false;
    else if (dim.size() == 1)
      factors[dim.front()] = normalize(split.axes);
    else
      isExact &= projectCompound(rule, dim, split.axes, factors);
  }
  return isExact;
}

TensorSharding makeTensorSharding(const IndexRule &rule, const FactorDims &dims,
                                  const FactorAxes &factors) {
  TensorSharding sharding = getReplicated(static_cast<int64_t>(dims.size()));
  for (auto [dim, split] : llvm::zip(dims, sharding.dims)) {
    Axes axes;
    for (int32_t factor : dim) {
      llvm::append_range(axes, factors[factor]);
      if (getProduct(factors[factor]) != rule.factors[factor].size)
        break;
    }
    split.axes = normalize(axes);
  }
  return sharding;
}

/// Takes away what one dimension cannot express. Returns whether it did.
static bool legalizeDim(const IndexRule &rule, ArrayRef<int32_t> dim,
                        FactorAxes &factors) {
  if (dim.size() < 2)
    return false;
  bool isChanged = false, isFull = true;
  for (int32_t factor : dim) {
    Axes &axes = factors[factor];
    int64_t size = rule.factors[factor].size;
    while (!axes.empty() && (!isFull || size % getProduct(axes) != 0)) {
      axes.pop_back();
      isChanged = true;
    }
    isFull &= getProduct(axes) == size;
  }
  return isChanged;
}

void legalizeFactors(const IndexRule &rule, FactorAxes &factors) {
  factors.resize(rule.factors.size());
  for (auto [factor, axes] : llvm::zip(rule.factors, factors))
    if (factor.size == 1)
      axes.clear();
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (const auto *side : {&rule.operands, &rule.results})
      for (const FactorDims &dims : *side)
        for (const auto &dim : dims)
          isChanged |= legalizeDim(rule, dim, factors);
  }
}

} // namespace partita
