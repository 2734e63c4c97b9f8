//===- CoreDialect.cpp - The core dialect -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Core.h"
#include "ir/core/Evaluate.h"
#include "ir/core/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

#include "ir/core/CoreDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/core/CoreOps.cpp.inc"

void CoreDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ir/core/CoreOps.cpp.inc"
      >();
}

Operation *CoreDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  if (auto elements = dyn_cast<ElementsAttr>(value))
    return ConstantOp::create(builder, loc, elements);
  return nullptr;
}

static LogicalResult
verifySharding(Operation *op, ShardingAttr sharding, Type type,
               function_ref<InFlightDiagnostic()> emitError) {
  MeshAttr mesh = lookupMesh(op, sharding.getMesh());
  if (!mesh)
    return emitError() << "no mesh named @" << sharding.getMesh().getValue()
                       << "; declare it with 'core.mesh'";
  return sharding.verifyFor(mesh, type, emitError);
}

LogicalResult CoreDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() != kShardingsAttrName)
    return success();
  auto list = dyn_cast<ArrayAttr>(attr.getValue());
  if (!list || list.size() != op->getNumResults())
    return op->emitError() << "'" << kShardingsAttrName
                           << "' needs one sharding per result";
  for (auto [value, result] : llvm::zip(list, op->getResults()))
    if (auto sharding = dyn_cast<ShardingAttr>(value))
      if (failed(verifySharding(op, sharding, result.getType(),
                                [&] { return op->emitError(); })))
        return failure();
  return success();
}

/// Checks the sharding of an argument or result of a function.
static LogicalResult verifyBoundarySharding(Operation *op, NamedAttribute attr,
                                            Type type) {
  auto sharding = dyn_cast<ShardingAttr>(attr.getValue());
  if (attr.getName() != kShardingAttrName)
    return success();
  if (!sharding)
    return op->emitError() << "'" << kShardingAttrName
                           << "' must be a sharding, not " << attr.getValue();
  return verifySharding(op, sharding, type, [&] { return op->emitError(); });
}

LogicalResult CoreDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned argument,
                                                    NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  return verifyBoundarySharding(op, attr,
                                function.getArgumentTypes()[argument]);
}

LogicalResult CoreDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                       unsigned result,
                                                       NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  return verifyBoundarySharding(op, attr, function.getResultTypes()[result]);
}
