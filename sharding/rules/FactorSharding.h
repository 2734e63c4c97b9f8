//===- FactorSharding.h - Shardings of an op's factors ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op is partitioned by splitting its factors. These functions go from the
// shardings of its tensors to shardings of its factors and back. A dimension
// that is made of several factors is split from the major factor on: a factor
// gets axes only where all factors in front of it are split down to size 1,
// and then evenly, for otherwise shards would not be whole blocks.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_RULES_FACTORSHARDING_H
#define PARTITA_SHARDING_RULES_FACTORSHARDING_H

#include "ir/interfaces/IndexRule.h"
#include "mesh/Sharding.h"

namespace partita {

using Axes = std::vector<AxisRef>;
/// The axes of each factor of a rule.
using FactorAxes = llvm::SmallVector<Axes>;

/// Whether `prefix` is the beginning of `axes`, in terms of sub-axes:
/// {"x":(1)2} is a prefix of {"x"} of size 4.
bool isPrefix(const Axes &prefix, const Axes &axes);
/// The longest common beginning of the two.
Axes getCommonPrefix(const Axes &a, const Axes &b);
/// What follows `prefix`, which must be a prefix of `axes`.
Axes dropPrefix(const Axes &axes, const Axes &prefix);
/// Cuts `axes` before the first (sub-)axis that overlaps one of `used`.
Axes truncateBefore(const Axes &axes, llvm::ArrayRef<AxisRef> used);

/// Adds to `factors` what the dimensions of one tensor say about them. Returns
/// false where an axis cannot be expressed as a split of factors; it is left
/// out, with all that follow it in its dimension.
bool projectToFactors(const IndexRule &rule, const FactorDims &dims,
                      const TensorSharding &sharding, FactorAxes &factors);

/// The sharding of one tensor when the factors have these axes.
TensorSharding makeTensorSharding(const IndexRule &rule, const FactorDims &dims,
                                  const FactorAxes &factors);

/// Takes away axes that some tensor of the op cannot express, until all can.
void legalizeFactors(const IndexRule &rule, FactorAxes &factors);

} // namespace partita

#endif // PARTITA_SHARDING_RULES_FACTORSHARDING_H
