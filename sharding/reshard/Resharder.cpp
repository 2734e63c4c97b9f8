//===- Resharder.cpp - Reshards of IR values --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/reshard/Resharder.h"

#include "ir/core/Types.h"

using namespace mlir;

namespace partita {

ReshardPlanner *Resharder::getPlanner(StringAttr name) {
  std::unique_ptr<ReshardPlanner> &planner = planners[name];
  if (!planner) {
    MeshAttr mesh = lookupMesh(module, name);
    if (!mesh)
      return nullptr;
    planner =
        std::make_unique<ReshardPlanner>(mesh.toMesh(), topology, options);
  }
  return planner.get();
}

const Mesh *Resharder::getMesh(StringAttr name) {
  ReshardPlanner *planner = getPlanner(name);
  return planner ? &planner->getMesh() : nullptr;
}

absl::StatusOr<const ReshardPlan *>
Resharder::find(RankedTensorType type, ShardingAttr from, ShardingAttr to) {
  ReshardPlanner *planner = getPlanner(from.getMesh());
  const Mesh *other = getMesh(to.getMesh());
  if (!planner || !other || planner->getMesh() != *other)
    return absl::InvalidArgumentError(
        ("cannot reshard from mesh @" + from.getMesh().getValue() +
         " to mesh @" + to.getMesh().getValue() +
         ": they are not the same mesh; use one mesh for both")
            .str());
  std::optional<DType> dtype = toDType(type.getElementType());
  const Mesh &mesh = planner->getMesh();
  ReshardRequest request{{type.getShape().begin(), type.getShape().end()},
                         dtype ? getByteWidth(*dtype) : 4,
                         from.toSharding(mesh),
                         to.toSharding(mesh)};
  return planner->plan(request);
}

FailureOr<const ReshardPlan *> Resharder::plan(Operation *op,
                                               RankedTensorType type,
                                               ShardingAttr from,
                                               ShardingAttr to) {
  absl::StatusOr<const ReshardPlan *> plan = find(type, from, to);
  if (!plan.ok())
    return op->emitError() << std::string(plan.status().message());
  return *plan;
}

std::optional<ReshardPrice>
Resharder::getPrice(RankedTensorType type, ShardingAttr from, ShardingAttr to) {
  absl::StatusOr<const ReshardPlan *> plan = find(type, from, to);
  if (!plan.ok())
    return std::nullopt;
  return ReshardPrice{(*plan)->wireBytes, (*plan)->launches, (*plan)->seconds};
}

} // namespace partita
