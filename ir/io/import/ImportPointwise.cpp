//===- ImportPointwise.cpp - Import of elementwise ops --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/OpNames.h"
#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

static Comparison importDirection(stablehlo::ComparisonDirection direction) {
  switch (direction) {
  case stablehlo::ComparisonDirection::EQ:
    return Comparison::Eq;
  case stablehlo::ComparisonDirection::NE:
    return Comparison::Ne;
  case stablehlo::ComparisonDirection::GE:
    return Comparison::Ge;
  case stablehlo::ComparisonDirection::GT:
    return Comparison::Gt;
  case stablehlo::ComparisonDirection::LE:
    return Comparison::Le;
  case stablehlo::ComparisonDirection::LT:
    return Comparison::Lt;
  }
  return Comparison::Eq;
}

static Imported importCompare(Importer &, Operation *op,
                              ImportBuilder &builder) {
  auto compare = cast<stablehlo::CompareOp>(op);
  Value result =
      builder.compare(importDirection(compare.getComparisonDirection()),
                      compare.getLhs(), compare.getRhs());
  if (compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER)
    result.getDefiningOp()->setAttr("total", builder.getUnitAttr());
  return SmallVector<Value>{result};
}

static Imported importSelect(Importer &, Operation *op,
                             ImportBuilder &builder) {
  Value pred =
      builder.broadcastScalar(op->getOperand(0), op->getResult(0).getType());
  return SmallVector<Value>{
      builder.select(pred, op->getOperand(1), op->getOperand(2))};
}

static Imported importClamp(Importer &, Operation *op, ImportBuilder &builder) {
  Type type = op->getResult(0).getType();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(builder.broadcastScalar(operand, type));
  return SmallVector<Value>{builder.make("clamp", type, operands)};
}

static Imported importReducePrecision(Importer &, Operation *op,
                                      ImportBuilder &builder) {
  auto reduce = cast<stablehlo::ReducePrecisionOp>(op);
  return SmallVector<Value>{builder.make(
      "reduce_precision", op->getResult(0).getType(), op->getOperands(),
      {builder.number("exponent_bits", reduce.getExponentBits()),
       builder.number("mantissa_bits", reduce.getMantissaBits())})};
}

void addPointwiseImports(ImportTable &table) {
  for (const OpNames &names : kSameOps)
    table.renamed[names.text] = names.core;
  // Of complex numbers too.
  table.renamed["chlo.tan"] = "core.tan";
  table.functions["stablehlo.compare"] = importCompare;
  table.functions["stablehlo.select"] = importSelect;
  table.functions["stablehlo.clamp"] = importClamp;
  table.functions["stablehlo.reduce_precision"] = importReducePrecision;
}

} // namespace partita::io
