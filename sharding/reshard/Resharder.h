//===- Resharder.h - Reshards of IR values ----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_RESHARD_RESHARDER_H
#define PARTITA_SHARDING_RESHARD_RESHARDER_H

#include "ir/attrs/ShardingUtils.h"
#include "sharding/reshard/ReshardPlanner.h"
#include "llvm/ADT/DenseMap.h"

#include <compare>
#include <memory>

namespace partita {

/// What a reshard costs one device, the most important first.
struct ReshardPrice {
  int64_t wireBytes = 0;
  int64_t launches = 0;
  double seconds = 0;
  friend auto operator<=>(const ReshardPrice &, const ReshardPrice &) = default;
  ReshardPrice operator+(const ReshardPrice &other) const {
    return {wireBytes + other.wireBytes, launches + other.launches,
            seconds + other.seconds};
  }
};

/// Plans and prices reshards of a module's values; one planner a mesh.
class Resharder {
public:
  explicit Resharder(mlir::ModuleOp theModule, Topology theTopology = {},
                     ReshardOptions theOptions = {})
      : module(theModule), topology(std::move(theTopology)),
        options(theOptions) {}

  /// The plan for a value of `type`. Fails after an error at `op` that says why
  /// there is none: the meshes differ, or as ReshardPlanner::plan says.
  mlir::FailureOr<const ReshardPlan *> plan(mlir::Operation *op,
                                            mlir::RankedTensorType type,
                                            ShardingAttr from, ShardingAttr to);
  /// The price, or nothing where plan() would fail. Reports nothing.
  std::optional<ReshardPrice> getPrice(mlir::RankedTensorType type,
                                       ShardingAttr from, ShardingAttr to);
  /// The mesh of that name, or null.
  const Mesh *getMesh(mlir::StringAttr name);

private:
  ReshardPlanner *getPlanner(mlir::StringAttr name);
  absl::StatusOr<const ReshardPlan *> find(mlir::RankedTensorType type,
                                           ShardingAttr from, ShardingAttr to);

  mlir::ModuleOp module;
  Topology topology;
  ReshardOptions options;
  llvm::DenseMap<mlir::StringAttr, std::unique_ptr<ReshardPlanner>> planners;
};

} // namespace partita

#endif // PARTITA_SHARDING_RESHARD_RESHARDER_H
