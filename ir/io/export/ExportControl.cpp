//===- ExportControl.cpp - Export of control flow and constraints ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/export/Exporter.h"

using namespace mlir;

namespace partita::io {

static Exported exportYield(Exporter &, Operation *op, ExportBuilder &builder) {
  builder.makeOp("stablehlo.return", {}, op->getOperands());
  return SmallVector<Value>{};
}

/// An op with the same operands, results and regions under another name.
static Exported exportRegions(Exporter &exporter, Operation *op,
                              ExportBuilder &builder, StringRef name) {
  Operation *result = builder.makeOp(
      name, op->getResultTypes(), op->getOperands(), {}, op->getNumRegions());
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), result->getRegions())) {
    to.takeBody(from);
    exporter.exportRegion(to);
  }
  return SmallVector<Value>(result->getResults());
}

static Exported exportWhile(Exporter &exporter, Operation *op,
                            ExportBuilder &builder) {
  return exportRegions(exporter, op, builder, "stablehlo.while");
}

static Exported exportIf(Exporter &exporter, Operation *op,
                         ExportBuilder &builder) {
  return exportRegions(exporter, op, builder, "stablehlo.if");
}

static Exported exportBarrier(Exporter &exporter, Operation *op,
                              ExportBuilder &builder) {
  return exportRegions(exporter, op, builder, "stablehlo.optimization_barrier");
}

static Exported exportConstraint(Exporter &, Operation *op,
                                 ExportBuilder &builder) {
  auto constraint = cast<core::ShardingConstraintOp>(op);
  return SmallVector<Value>{builder.make(
      "sdy.sharding_constraint", op->getResult(0).getType(), op->getOperands(),
      builder.getNamedAttr("sharding",
                           exportSharding(constraint.getSharding())))};
}

void addControlExports(ExportTable &table) {
  table.functions["core.yield"] = exportYield;
  table.functions["core.while"] = exportWhile;
  table.functions["core.if"] = exportIf;
  table.functions["core.barrier"] = exportBarrier;
  table.functions["core.sharding_constraint"] = exportConstraint;
}

} // namespace partita::io
