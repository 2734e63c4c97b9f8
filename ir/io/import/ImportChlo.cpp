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

//===----------------------------------------------------------------------===//
// erf_inv
//===----------------------------------------------------------------------===//

// The rational approximations of M. Giles, "Approximating the erfinv function"
// (GPU Computing Gems, 2011), for f32: polynomials in w - 2.5, and, of w >= 5,
// in sqrt(w) - 3, where w = -log(1 - x * x). The constant term comes first.
static constexpr double kCentral[] = {
    1.50140941,     0.246640727,   -0.00417768164,
    -0.00125372503, 0.00021858087, -4.39150654e-6,
    -3.5233877e-6,  3.43273939e-7, 2.81022636e-8};
static constexpr double kTail[] = {
    2.83297682,    1.00167406,     0.00943887047,
    -0.0076224613, 0.00573950773,  -0.00367342844,
    0.00134934322, 0.000100950558, -0.000200214257};

/// The value of a polynomial, by Horner's rule.
static Value makePolynomial(ImportBuilder &builder, Value x,
                            ArrayRef<double> coefficients) {
  Value sum = builder.splat(x.getType(), coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back())) {
    Value product = builder.make("mul", {sum, x});
    sum =
        builder.make("add", {product, builder.splat(x.getType(), coefficient)});
  }
  return sum;
}

static Imported importErfInv(Importer &importer, Operation *op,
                             ImportBuilder &builder) {
  Type element = getElementType(op->getOperand(0));
  if (!isa<FloatType>(element) || element.isF64())
    return importer.reportUnsupported(op, " of f64");
  Value x = builder.convert(op->getOperand(0), builder.getF32Type());
  Type type = x.getType();
  auto splat = [&](double value) { return builder.splat(type, value); };
  Value square = builder.make("mul", {x, x});
  Value w =
      builder.make("neg", builder.make("log1p", builder.make("neg", square)));
  Value central =
      makePolynomial(builder, builder.make("sub", {w, splat(2.5)}), kCentral);
  Value root = builder.make("sqrt", w);
  Value tail =
      makePolynomial(builder, builder.make("sub", {root, splat(3)}), kTail);
  Value isCentral = builder.compare(Comparison::Lt, w, splat(5));
  Value factor = builder.select(isCentral, central, tail);
  // At 1 and -1 the polynomial has no infinity.
  Value isEdge = builder.compare(Comparison::Eq, square, splat(1));
  factor = builder.select(
      isEdge, splat(std::numeric_limits<double>::infinity()), factor);
  Value result = builder.make("mul", {factor, x});
  return SmallVector<Value>{builder.convert(result, element)};
}

void addChloImports(ImportTable &table) {
  table.functions["chlo.erf_inv"] = importErfInv;
  table.functions["chlo.square"] = importSquare;
  table.functions["chlo.conj"] = importConj;
  table.functions["chlo.constant"] = importConstant;
  table.functions["chlo.constant_like"] = importConstantLike;
  for (StringRef name : {"is_inf", "is_pos_inf", "is_neg_inf"})
    table.functions[("chlo." + name).str()] = importIsInf;
}

} // namespace partita::io
