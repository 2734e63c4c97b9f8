//===- ControlOps.cpp - Meshes, constraints and control flow ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Core.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

LogicalResult ShardingConstraintOp::verify() {
  MeshAttr mesh = lookupMesh(getOperation(), getSharding().getMesh());
  if (!mesh)
    return emitOpError() << "no mesh named @"
                         << getSharding().getMesh().getValue()
                         << "; declare it with 'core.mesh'";
  return getSharding().verifyFor(mesh, getType(),
                                 [&] { return emitOpError(); });
}

LogicalResult BarrierOp::verify() {
  if (getOperands().getTypes() != getResults().getTypes())
    return emitOpError() << "operand and result types must be the same";
  return success();
}

IndexRule BarrierOp::getIndexRule() {
  IndexRule rule;
  for (Value operand : getOperands()) {
    FactorDims dims;
    for (int64_t size : cast<RankedTensorType>(operand.getType()).getShape())
      dims.push_back({rule.add(size)});
    rule.operands.push_back(dims);
    rule.results.push_back(dims);
  }
  return rule;
}

/// Checks that a region ends by yielding values of the given types.
static LogicalResult verifyYield(Operation *op, Region &region, StringRef name,
                                 TypeRange types) {
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield)
    return op->emitOpError() << name << " must end with 'core.yield'";
  if (yield.getOperandTypes() == types)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << name << " must yield " << types;
  diag.attachNote(yield.getLoc()) << "yields " << yield.getOperandTypes();
  return diag;
}

LogicalResult WhileOp::verify() {
  TypeRange types = getInits().getTypes();
  if (types != getResults().getTypes())
    return emitOpError() << "initial values and results must have the same "
                            "types";
  for (Region *region : {&getCond(), &getBody()})
    if (region->getArgumentTypes() != types)
      return emitOpError() << "both regions must take arguments of types "
                           << types;
  Type pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(verifyYield(getOperation(), getCond(), "the condition", pred)))
    return failure();
  return verifyYield(getOperation(), getBody(), "the body", types);
}

LogicalResult IfOp::verify() {
  Type pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (getPred().getType() != pred)
    return emitOpError() << "the predicate must be " << pred << ", not "
                         << getPred().getType();
  TypeRange types = getResultTypes();
  if (failed(verifyYield(getOperation(), getThenRegion(), "the then region",
                         types)))
    return failure();
  return verifyYield(getOperation(), getElseRegion(), "the else region", types);
}
