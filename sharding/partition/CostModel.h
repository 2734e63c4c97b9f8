//===- CostModel.h - What a way to partition an op costs --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PARTITION_COSTMODEL_H
#define PARTITA_SHARDING_PARTITION_COSTMODEL_H

#include "mlir/IR/BuiltinTypes.h"
#include "sharding/reshard/ReshardPlanner.h"
#include "sharding/rules/FactorSharding.h"

namespace partita {

/// What a byte takes that a device sends.
inline constexpr double kSecondsPerByte = 2.5e-10;

/// Bytes of one element in memory; 1 for types narrower than a byte.
int64_t getElementBytes(mlir::Type elementType);

/// Prices moves and computation in seconds per device.
class CostModel {
public:
  explicit CostModel(const Mesh &mesh, Topology topology = {})
      : planner(mesh, std::move(topology)) {}

  const Mesh &getMesh() const { return planner.getMesh(); }
  /// Infinity where there is no way. The weight is that of launches.
  double getReshardSeconds(mlir::RankedTensorType type,
                           const TensorSharding &from, const TensorSharding &to,
                           double launchWeight = 1);
  /// Bytes that a device sends; 0 where there is no way.
  int64_t getWireBytes(mlir::RankedTensorType type, const TensorSharding &from,
                       const TensorSharding &to);
  /// The op's points that fall to one device, times what one takes.
  double getComputeSeconds(mlir::Operation *op, const IndexRule &rule,
                           const FactorAxes &axes) const;

private:
  const ReshardPlan *plan(mlir::RankedTensorType type,
                          const TensorSharding &from, const TensorSharding &to);
  ReshardPlanner planner;
};

} // namespace partita

#endif // PARTITA_SHARDING_PARTITION_COSTMODEL_H
