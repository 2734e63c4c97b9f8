//===- CostModel.cpp - What a way to partition an op costs ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/CostModel.h"

#include "ir/core/Core.h"

#include <limits>

using namespace mlir;

namespace partita {

/// A multiply-add of a product runs from cache, other ops at memory speed.
static constexpr double kSecondsPerMultiply = 5e-11;
static constexpr double kSecondsPerElement = 5e-10;
/// A launch counts the same for all kinds, and as 2,000 bytes: what is best for
/// a small program should not change with its batch.
static constexpr double kSecondsPerLaunch = 5e-7;

int64_t getElementBytes(Type elementType) {
  int64_t bits = 8;
  if (auto complex = dyn_cast<ComplexType>(elementType))
    bits = 2 * static_cast<int64_t>(
                   complex.getElementType().getIntOrFloatBitWidth());
  else if (elementType.isIntOrFloat())
    bits = elementType.getIntOrFloatBitWidth();
  return std::max<int64_t>(1, bits / 8);
}

const ReshardPlan *CostModel::plan(RankedTensorType type,
                                   const TensorSharding &from,
                                   const TensorSharding &to) {
  ReshardRequest request;
  request.shape.assign(type.getShape().begin(), type.getShape().end());
  request.elementBytes = getElementBytes(type.getElementType());
  request.from = from;
  request.to = to;
  auto plan = planner.plan(request);
  return plan.ok() ? *plan : nullptr;
}

double CostModel::getReshardSeconds(RankedTensorType type,
                                    const TensorSharding &from,
                                    const TensorSharding &to,
                                    double launchWeight) {
  if (isSamePlacement(from, to))
    return 0;
  const ReshardPlan *found = plan(type, from, to);
  if (!found)
    return std::numeric_limits<double>::infinity();
  return kSecondsPerByte * static_cast<double>(found->wireBytes) +
         launchWeight * kSecondsPerLaunch *
             static_cast<double>(found->launches);
}

int64_t CostModel::getWireBytes(RankedTensorType type,
                                const TensorSharding &from,
                                const TensorSharding &to) {
  if (isSamePlacement(from, to))
    return 0;
  const ReshardPlan *found = plan(type, from, to);
  return found ? found->wireBytes : 0;
}

double CostModel::getComputeSeconds(Operation *op, const IndexRule &rule,
                                    const FactorAxes &axes) const {
  auto getSize = [&](size_t factor) {
    int64_t shards = getProduct(axes[factor]);
    int64_t size = (rule.factors[factor].size + shards - 1) / shards;
    return static_cast<double>(size);
  };
  if (isa<core::DotOp>(op)) {
    double points = 1;
    for (size_t factor = 0; factor < rule.factors.size(); ++factor)
      points *= getSize(factor);
    return points * kSecondsPerMultiply;
  }
  // Other ops touch each element of their largest tensor.
  double most = 0;
  for (const auto *side : {&rule.operands, &rule.results})
    for (const FactorDims &dims : *side) {
      double elements = 1;
      for (const auto &dim : dims)
        for (int32_t factor : dim)
          elements *= getSize(factor);
      most = std::max(most, elements);
    }
  return most * kSecondsPerElement;
}

} // namespace partita
