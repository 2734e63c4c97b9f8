//===- Reason.cpp - Why there is a collective -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Reason.h"

#include "ir/attrs/Places.h"
#include "ir/attrs/ShardingUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "sharding/propagate/Provenance.h"

using namespace mlir;

namespace partita {

/// What propagation noted about a value's sharding, or "".
static std::string getOrigins(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    auto list = result.getOwner()->getAttrOfType<ArrayAttr>(kOriginsAttrName);
    if (!list || list.size() <= result.getResultNumber())
      return "";
    auto text = dyn_cast<StringAttr>(list[result.getResultNumber()]);
    return text ? text.str() : "";
  }
  auto argument = cast<BlockArgument>(value);
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto text = func ? func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                       kOriginsAttrName)
                   : StringAttr();
  return text ? text.str() : "";
}

/// The op with the user's name for it: core.dot (jit(step)/dot_general).
static std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (std::string name = getPlace(op->getLoc()).name; !name.empty())
    text += " (" + name + ")";
  return text;
}

static std::string describe(Value value) {
  if (Operation *op = value.getDefiningOp())
    return describe(op);
  std::string name = getPlace(value.getLoc()).name;
  unsigned number = cast<BlockArgument>(value).getArgNumber();
  return name.empty() ? "argument " + std::to_string(number) : name;
}

std::string describeReason(comm::ReshardOp op) {
  MeshAttr meshAttr = lookupMesh(op, op.getFrom().getMesh());
  if (!meshAttr)
    return "";
  Mesh mesh = meshAttr.toMesh();
  TensorSharding from = op.getFrom().toSharding(mesh);
  TensorSharding to = op.getTo().toSharding(mesh);
  std::string text = describe(op.getOperand());
  text += from.unreduced.empty() ? " lies as " : " leaves partial values, ";
  text += toString(mesh, from);
  std::string origins = getOrigins(op.getOperand());
  if (from.unreduced.empty() && !origins.empty())
    text += " (" + origins + ")";
  if (!op->use_empty())
    text += "; " + describe(*op->user_begin());
  text += " needs " + toString(mesh, to);
  // On the reshard itself, origins are those of the sharding that it makes.
  if (std::string wanted = getOrigins(op.getResult()); !wanted.empty())
    text += " (" + wanted + ")";
  return text;
}

} // namespace partita
