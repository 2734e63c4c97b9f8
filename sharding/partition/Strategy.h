//===- Strategy.h - Along which factors an op is split ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PARTITION_STRATEGY_H
#define PARTITA_SHARDING_PARTITION_STRATEGY_H

#include "sharding/partition/CostModel.h"

namespace partita {

/// One way to split an op over the mesh.
struct Strategy {
  FactorAxes axes;
  /// How the operands must lie, and how the results come out: unreduced along
  /// the axes of split reduction factors.
  std::vector<TensorSharding> operands, results;
  double seconds = 0;
};

/// What the choice depends on.
struct StrategyRequest {
  mlir::Operation *op = nullptr;
  IndexRule rule;
  /// How the operands lie and how the results should.
  std::vector<TensorSharding> operands, results;
  /// Whether an operand is already at hand under a sharding.
  llvm::function_ref<bool(unsigned, const TensorSharding &)> isAtHand;
  /// How any value lies, or should.
  llvm::function_ref<TensorSharding(mlir::Value)> getSharding = nullptr;
  /// Whether partial results are likely to be summed up with others.
  bool prefersPartial = true;
  /// What the op itself exchanges under a strategy, if anything.
  llvm::function_ref<double(const Strategy &)> exchangeSeconds = nullptr;
};

/// The cheapest of the strategies that follow from the operands' and results'
/// shardings: moves of operands and results, and the computation.
Strategy chooseStrategy(const StrategyRequest &request, CostModel &costs);

/// How the operand of a broadcast must lie so that `value`, if one makes it,
/// lies as `wanted`; nothing for other values. The broadcast itself moves
/// nothing.
std::optional<TensorSharding> getBroadcastSource(mlir::Value value,
                                                 const TensorSharding &wanted);

/// Operands and results when the factors have these axes.
Strategy makeStrategy(const IndexRule &rule, FactorAxes axes);

} // namespace partita

#endif // PARTITA_SHARDING_PARTITION_STRATEGY_H
