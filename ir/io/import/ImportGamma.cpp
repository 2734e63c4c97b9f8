//===- ImportGamma.cpp - Import of functions about gamma ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After C. Lanczos, "A precision approximation of the gamma function" (SIAM
// Journal on Numerical Analysis 1, 1964), with g = 7 and nine terms:
//
//   gamma(z + 1) = sqrt(2 pi) t^(z + 1/2) e^-t s(z),   t = z + g + 1/2,
//   s(z) = c0 + c1 / (z + 1) + … + c8 / (z + 8).
//
// Below 1/2 the reflection formula gives the value at 1 - x instead.
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace partita::io {

static constexpr double kG = 7;
static constexpr double kTerms[] = {0.99999999999980993227684700473478,
                                    676.520368121885098567009190444019,
                                    -1259.13921672240287047156078755283,
                                    771.3234287776530788486528258894,
                                    -176.61502916214059906584551354,
                                    12.507343278686904814458936853,
                                    -0.13857109526572011689554707,
                                    9.984369578019570859563e-6,
                                    1.50563273514931155834e-7};

namespace {

/// Arithmetic on values of one type.
class Arithmetic {
public:
  Arithmetic(ImportBuilder &theBuilder, Value like)
      : builder(theBuilder), type(like.getType()) {}

  Value number(double value) { return builder.splat(type, value); }
  Value add(Value a, Value b) { return builder.make("add", {a, b}); }
  Value sub(Value a, Value b) { return builder.make("sub", {a, b}); }
  Value mul(Value a, Value b) { return builder.make("mul", {a, b}); }
  Value div(Value a, Value b) { return builder.make("div", {a, b}); }
  Value call(StringRef function, Value x) { return builder.make(function, x); }

private:
  ImportBuilder &builder;
  Type type;
};

/// What both functions are made of.
struct Lanczos {
  Value reflects;     ///< Whether x lies below 1/2.
  Value z, t, logT;   ///< z is x - 1, or -x where it reflects.
  Value sum, minusDs; ///< s(z) and -s'(z).
};

} // namespace

static Lanczos makeLanczos(ImportBuilder &builder, Arithmetic &a, Value x) {
  Lanczos result;
  result.reflects = builder.compare(Comparison::Lt, x, a.number(0.5));
  result.z =
      builder.select(result.reflects, a.call("neg", x), a.sub(x, a.number(1)));
  result.sum = a.number(kTerms[0]);
  result.minusDs = a.number(0);
  for (size_t i = 1; i < std::size(kTerms); ++i) {
    Value at = a.add(result.z, a.number(static_cast<double>(i)));
    Value term = a.div(a.number(kTerms[i]), at);
    result.sum = a.add(result.sum, term);
    result.minusDs = a.add(result.minusDs, a.div(term, at));
  }
  result.t = a.add(result.z, a.number(kG + 0.5));
  // log(g + 1/2 + z) without what is lost where z is small.
  result.logT = a.add(a.number(std::log(kG + 0.5)),
                      a.call("log1p", a.div(result.z, a.number(kG + 0.5))));
  return result;
}

/// log |gamma(x)|.
static Value makeLgamma(ImportBuilder &builder, Value x) {
  Arithmetic a(builder, x);
  Lanczos l = makeLanczos(builder, a, x);
  // (z + 1/2) log t - t, written as a multiple of log t.
  Value power =
      a.mul(a.sub(a.add(l.z, a.number(0.5)), a.div(l.t, l.logT)), l.logT);
  Value direct =
      a.add(a.add(a.number(0.5 * std::log(2 * std::numbers::pi)), power),
            a.call("log", l.sum));
  // gamma(x) gamma(1 - x) = pi / sin(pi x), which depends on how far x is from
  // the next integer.
  Value size = a.call("abs", x);
  Value part = a.sub(size, a.call("floor", size));
  Value isUpper = builder.compare(Comparison::Gt, part, a.number(0.5));
  Value distance = builder.select(isUpper, a.sub(a.number(1), part), part);
  Value logSine =
      a.call("log", a.call("sin", a.mul(a.number(std::numbers::pi), distance)));
  Value mirrored =
      a.sub(a.sub(a.number(std::log(std::numbers::pi)), logSine), direct);
  // At the poles the logarithm alone is infinite.
  double infinity = std::numeric_limits<double>::infinity();
  Value isPole = builder.compare(Comparison::Eq, logSine, a.number(-infinity));
  mirrored = builder.select(isPole, a.number(infinity), mirrored);
  Value result = builder.select(l.reflects, mirrored, direct);
  Value isInfinite = builder.compare(Comparison::Eq, size, a.number(infinity));
  return builder.select(isInfinite, a.number(infinity), result);
}

/// The derivative of log gamma(x).
static Value makeDigamma(ImportBuilder &builder, Value x) {
  Arithmetic a(builder, x);
  Lanczos l = makeLanczos(builder, a, x);
  Value direct =
      a.sub(a.sub(l.logT, a.div(l.minusDs, l.sum)), a.div(a.number(kG), l.t));
  // digamma(x) = digamma(1 - x) - pi / tan(pi x), whose period is 1.
  Value nearest = a.call("floor", a.add(x, a.number(0.5)));
  Value angle =
      a.mul(a.number(std::numbers::pi), a.add(x, a.call("abs", nearest)));
  Value mirrored = a.sub(
      direct, a.div(a.mul(a.number(std::numbers::pi), a.call("cos", angle)),
                    a.call("sin", angle)));
  Value result = builder.select(l.reflects, mirrored, direct);
  Value isPole = builder.make(
      "and", {builder.compare(Comparison::Le, x, a.number(0)),
              builder.compare(Comparison::Eq, x, a.call("floor", x))});
  return builder.select(
      isPole, a.number(std::numeric_limits<double>::quiet_NaN()), result);
}

/// Computes in single precision, or in double where the operand is.
static Imported importGamma(Importer &importer, Operation *op,
                            ImportBuilder &builder) {
  Value x = op->getOperand(0);
  Type element = getElementTypeOrSelf(x.getType());
  if (!isa<FloatType>(element))
    return importer.reportUnsupported(op, " of complex numbers");
  if (!element.isF64())
    x = builder.convert(x, builder.getF32Type());
  bool isDigamma = op->getName().stripDialect() == "digamma";
  Value result = isDigamma ? makeDigamma(builder, x) : makeLgamma(builder, x);
  return SmallVector<Value>{builder.convert(result, element)};
}

void addGammaImports(ImportTable &table) {
  table.functions["chlo.lgamma"] = importGamma;
  table.functions["chlo.digamma"] = importGamma;
}

} // namespace partita::io
