//===- ImportChlo.cpp - Import of CHLO: ops that JAX leaves whole ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/chlo/Chlo.h"
#include "ir/io/import/Importer.h"

#include <limits>

using namespace mlir;

namespace partita::io {

static Type getElementType(Value value) {
  return getElementTypeOrSelf(value.getType());
}

//===----------------------------------------------------------------------===//
// Simple ones
//===----------------------------------------------------------------------===//

static Imported importSquare(Importer &, Operation *op,
                             ImportBuilder &builder) {
  Value x = op->getOperand(0);
  return SmallVector<Value>{builder.make("mul", {x, x})};
}

static Imported importConj(Importer &, Operation *op, ImportBuilder &builder) {
  Value x = op->getOperand(0);
  auto complex = dyn_cast<ComplexType>(getElementType(x));
  if (!complex)
    return SmallVector<Value>{x};
  Type part =
      cast<RankedTensorType>(x.getType()).clone(complex.getElementType());
  Value imag = builder.make("imag", part, x);
  return SmallVector<Value>{
      builder.make("complex", x.getType(),
                   {builder.make("real", part, x), builder.make("neg", imag)})};
}

static Imported importConstant(Importer &, Operation *op,
                               ImportBuilder &builder) {
  return SmallVector<Value>{
      builder.make("constant", op->getResult(0).getType(), {},
                   builder.getNamedAttr("value", op->getAttr("value")))};
}

static Imported importConstantLike(Importer &, Operation *op,
                                   ImportBuilder &builder) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto value = DenseElementsAttr::get(type, op->getAttr("value"));
  return SmallVector<Value>{
      builder.make("constant", type, {}, builder.getNamedAttr("value", value))};
}

/// is_inf: |x| == inf. is_pos_inf and is_neg_inf: x == inf, x == -inf.
static Imported importIsInf(Importer &, Operation *op, ImportBuilder &builder) {
  Value x = op->getOperand(0);
  double infinity = std::numeric_limits<double>::infinity();
  if (isa<chlo::IsInfOp>(op))
    x = builder.make("abs", x);
  if (isa<chlo::IsNegInfOp>(op))
    infinity = -infinity;
  return SmallVector<Value>{
      builder.compare(Comparison::Eq, x, builder.splat(x.getType(), infinity))};
}

void addChloImports(ImportTable &table) {
  table.functions["chlo.square"] = importSquare;
  table.functions["chlo.conj"] = importConj;
  table.functions["chlo.constant"] = importConstant;
  table.functions["chlo.constant_like"] = importConstantLike;
  for (StringRef name : {"is_inf", "is_pos_inf", "is_neg_inf"})
    table.functions[("chlo." + name).str()] = importIsInf;
}

} // namespace partita::io
