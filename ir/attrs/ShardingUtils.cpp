//===- ShardingUtils.cpp - Shardings of SSA values --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"

#include "ir/core/Core.h"

using namespace mlir;

namespace partita {

ShardingAttr getSharding(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    auto list = result.getOwner()->getAttrOfType<ArrayAttr>(kShardingsAttrName);
    if (!list || list.size() <= result.getResultNumber())
      return {};
    return dyn_cast<ShardingAttr>(list[result.getResultNumber()]);
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto func = dyn_cast<func::FuncOp>(parent))
    return func.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                               kShardingAttrName);
  if (isa<core::WhileOp>(parent))
    return getSharding(parent->getResult(argument.getArgNumber()));
  return {};
}

void setSharding(Value value, ShardingAttr sharding) {
  if (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    SmallVector<Attribute> list(op->getNumResults(),
                                UnitAttr::get(op->getContext()));
    if (auto old = op->getAttrOfType<ArrayAttr>(kShardingsAttrName))
      llvm::copy(old.getValue().take_front(list.size()), list.begin());
    list[result.getResultNumber()] = sharding;
    op->setAttr(kShardingsAttrName, ArrayAttr::get(op->getContext(), list));
    return;
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto func = dyn_cast<func::FuncOp>(parent))
    func.setArgAttr(argument.getArgNumber(), kShardingAttrName, sharding);
  else if (isa<core::WhileOp>(parent))
    setSharding(parent->getResult(argument.getArgNumber()), sharding);
}

ShardingAttr getResultSharding(func::FuncOp func, unsigned result) {
  return func.getResultAttrOfType<ShardingAttr>(result, kShardingAttrName);
}

void setResultSharding(func::FuncOp func, unsigned result,
                       ShardingAttr sharding) {
  func.setResultAttr(result, kShardingAttrName, sharding);
}

MeshAttr lookupMesh(Operation *from, StringAttr name) {
  auto module = dyn_cast<ModuleOp>(from);
  if (!module)
    module = from->getParentOfType<ModuleOp>();
  auto mesh = module ? module.lookupSymbol<core::MeshOp>(name) : core::MeshOp();
  return mesh ? mesh.getMesh() : MeshAttr();
}

StringAttr getMeshName(ModuleOp module) {
  for (auto mesh : module.getOps<core::MeshOp>())
    return mesh.getSymNameAttr();
  return {};
}

} // namespace partita
