//===- ApplyRegion.cpp - A region of scalar ops on whole tensors ----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/sdy/Sdy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace partita::io {

static bool hasRankZero(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

/// Whether the op computes on each element what it computes on scalars.
static bool isElementwise(Operation &op) {
  StringRef dialect = op.getName().getDialectNamespace();
  return (dialect == "stablehlo" || dialect == "chlo" ||
          isa<ScalarBodyOpInterface>(op)) &&
         op.getNumRegions() == 0 && op.getNumOperands() > 0 &&
         op.getName().stripDialect() != "custom_call" &&
         llvm::all_of(op.getOperandTypes(), hasRankZero) &&
         llvm::all_of(op.getResultTypes(), hasRankZero);
}

/// Imports an op for all elements; gives its core results.
static Imported applyOp(Importer &importer, Operation &op,
                        ImportBuilder &builder, const IRMapping &values,
                        ArrayRef<int64_t> shape) {
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(values.lookupOrNull(operand));
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee =
        importer.getModule().lookupSymbol<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      return applyRegion(importer, &op, builder, callee.getBody(), operands);
  }
  if (isa<sdy::ShardingConstraintOp>(op)) // of a scalar
    return operands;
  if (!isElementwise(op) || llvm::is_contained(operands, Value()))
    return importer.reportUnsupported(&op, " within a reducer");
  if (op.getName().stripDialect() == "reshape" ||
      op.getName().stripDialect() == "broadcast_in_dim")
    return operands;
  Operation *whole = builder.insert(op.clone());
  whole->setOperands(operands);
  for (Value result : whole->getResults())
    result.setType(cast<RankedTensorType>(result.getType()).clone(shape));
  // The barrier holds on to what takes the op's place.
  auto holder = core::BarrierOp::create(builder, whole->getResultTypes(),
                                        whole->getResults());
  importer.importOp(whole);
  SmallVector<Value> results(holder->getOperands());
  holder->erase();
  return results;
}

Imported applyRegion(Importer &importer, Operation *op, ImportBuilder &builder,
                     Region &region, ValueRange args) {
  Block &block = region.front();
  auto type = cast<RankedTensorType>(args[0].getType());
  IRMapping values;
  for (auto [inside, outside] : llvm::zip_equal(block.getArguments(), args))
    values.map(inside, outside);
  for (Operation &inner : block.without_terminator()) {
    auto constant = inner.getAttrOfType<DenseElementsAttr>("value");
    if (inner.getNumOperands() == 0 && constant &&
        hasRankZero(constant.getType())) {
      values.map(inner.getResult(0),
                 builder.broadcastScalar(builder.constant(constant), type));
      continue;
    }
    Imported results =
        applyOp(importer, inner, builder, values, type.getShape());
    if (failed(results))
      return failure();
    values.map(inner.getResults(), ValueRange(*results));
  }
  SmallVector<Value> results;
  for (Value result : block.back().getOperands()) {
    results.push_back(values.lookupOrNull(result));
    if (!results.back())
      return importer.reportUnsupported(op, " that uses values from outside");
  }
  return results;
}

} // namespace partita::io
