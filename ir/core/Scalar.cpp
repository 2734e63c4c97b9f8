//===- Scalar.cpp - One element of a pointwise op ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace partita::core::scalar {

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static bool isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

/// `type` with the element type `element`: a vector keeps its length.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// A constant of an argument's type.
static Value makeInt(OpBuilder &builder, Location loc, Type type,
                     const APInt &value) {
  auto element = IntegerAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, type,
                                     DenseElementsAttr::get(vector, value));
  return arith::ConstantOp::create(builder, loc, type, element);
}
static Value makeInt(OpBuilder &builder, Location loc, Type type,
                     int64_t value) {
  return makeInt(builder, loc, type,
                 APInt(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                       static_cast<uint64_t>(value), /*isSigned=*/true,
                       /*implicitTrunc=*/true));
}
static Value makeFloat(OpBuilder &builder, Location loc, Type type,
                       double value) {
  auto element = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        builder, loc, type, DenseElementsAttr::get(vector, element.getValue()));
  return arith::ConstantOp::create(builder, loc, type, element);
}
static unsigned getWidth(Value x) {
  return getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
}
static Value isEqual(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}
static Value select(OpBuilder &builder, Location loc, Value pred, Value a,
                    Value b) {
  return arith::SelectOp::create(builder, loc, pred, a, b);
}
static Value toBits(OpBuilder &builder, Location loc, Value x) {
  Type type = withElement(x.getType(), builder.getIntegerType(getWidth(x)));
  return arith::BitcastOp::create(builder, loc, type, x);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

Value buildNeg(OpBuilder &builder, Location loc, Type type, Value x) {
  if (isa<FloatType>(type))
    return arith::NegFOp::create(builder, loc, x);
  if (isa<ComplexType>(type))
    return complex::NegOp::create(builder, loc, x);
  return arith::SubIOp::create(builder, loc,
                               makeInt(builder, loc, x.getType(), 0), x);
}

Value buildNot(OpBuilder &builder, Location loc, Value x) {
  return arith::XOrIOp::create(builder, loc, x,
                               makeInt(builder, loc, x.getType(), -1));
}

Value buildSign(OpBuilder &builder, Location loc, Type type, Value x) {
  if (isa<ComplexType>(type))
    return complex::SignOp::create(builder, loc, x);
  if (isa<FloatType>(type)) {
    Value one = makeFloat(builder, loc, x.getType(), 1.0);
    Value zero = makeFloat(builder, loc, x.getType(), 0.0);
    Value sign = math::CopySignOp::create(builder, loc, one, x);
    // Unordered or equal: NaN and zeros stay.
    Value keep =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UEQ, x, zero);
    return select(builder, loc, keep, x, sign);
  }
  Value zero = makeInt(builder, loc, x.getType(), 0);
  Value one = makeInt(builder, loc, x.getType(), 1);
  Value isZero = isEqual(builder, loc, x, zero);
  Value nonzero = one;
  if (!isUnsigned(type)) {
    Value isNegative =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, zero);
    nonzero = select(builder, loc, isNegative,
                     makeInt(builder, loc, x.getType(), -1), one);
  }
  return select(builder, loc, isZero, zero, nonzero);
}

Value buildAbs(OpBuilder &builder, Location loc, Type type, Value x) {
  if (isa<ComplexType>(type))
    return complex::AbsOp::create(builder, loc, x);
  if (isa<FloatType>(type))
    return math::AbsFOp::create(builder, loc, x);
  if (isUnsigned(type))
    return x;
  return math::AbsIOp::create(builder, loc, x);
}

Value buildImag(OpBuilder &builder, Location loc, Type type, Value x) {
  if (isa<ComplexType>(type))
    return complex::ImOp::create(builder, loc, x);
  return makeFloat(builder, loc, x.getType(), 0.0);
}

Value buildLogistic(OpBuilder &builder, Location loc, Type type, Value x) {
  Value e;
  if (isa<ComplexType>(type)) {
    Type part = cast<ComplexType>(x.getType()).getElementType();
    Value one = complex::CreateOp::create(builder, loc, x.getType(),
                                          makeFloat(builder, loc, part, 1.0),
                                          makeFloat(builder, loc, part, 0.0));
    e = complex::ExpOp::create(builder, loc,
                               complex::NegOp::create(builder, loc, x));
    return complex::DivOp::create(builder, loc, one,
                                  complex::AddOp::create(builder, loc, one, e));
  }
  Value one = makeFloat(builder, loc, x.getType(), 1.0);
  e = math::ExpOp::create(builder, loc, arith::NegFOp::create(builder, loc, x));
  return arith::DivFOp::create(builder, loc, one,
                               arith::AddFOp::create(builder, loc, one, e));
}

Value buildReducePrecision(OpBuilder &builder, Location loc, Value x,
                           int64_t exponentBits, int64_t mantissaBits) {
  auto format = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  int64_t ownMantissa = format.getFPMantissaWidth() - 1;
  int64_t ownExponent = getWidth(x) - 1 - ownMantissa;
  Value bits = toBits(builder, loc, x);
  Type type = bits.getType();
  auto constant = [&](uint64_t value) {
    return makeInt(builder, loc, type, APInt(getWidth(x), value, false, true));
  };
  Value rounded = bits;
  if (mantissaBits < ownMantissa) {
    // Round to nearest even: add half of the last kept bit, less one if that
    // bit is clear, and cut.
    int64_t dropped = ownMantissa - mantissaBits;
    Value last = arith::AndIOp::create(
        builder, loc,
        arith::ShRUIOp::create(builder, loc, bits, constant(dropped)),
        constant(1));
    Value bias = arith::AddIOp::create(
        builder, loc, last, constant((uint64_t(1) << (dropped - 1)) - 1));
    rounded = arith::AndIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, bits, bias),
        constant(~((uint64_t(1) << dropped) - 1)));
  }
  if (exponentBits < ownExponent) {
    uint64_t exponentMask = ((uint64_t(1) << ownExponent) - 1) << ownMantissa;
    uint64_t signMask = uint64_t(1) << (getWidth(x) - 1);
    uint64_t bias = (uint64_t(1) << (ownExponent - 1)) - 1;
    uint64_t newBias = (uint64_t(1) << (exponentBits - 1)) - 1;
    Value exponent =
        arith::AndIOp::create(builder, loc, rounded, constant(exponentMask));
    Value sign = arith::AndIOp::create(builder, loc, bits, constant(signMask));
    Value isLarge =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, exponent,
                              constant((bias + newBias) << ownMantissa));
    Value isSmall =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, exponent,
                              constant((bias - newBias) << ownMantissa));
    Value infinity =
        arith::OrIOp::create(builder, loc, sign, constant(exponentMask));
    rounded = select(builder, loc, isLarge, infinity, rounded);
    rounded = select(builder, loc, isSmall, sign, rounded);
  }
  Value result = arith::BitcastOp::create(builder, loc, x.getType(), rounded);
  Value isNan =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
  Value nan = x;
  if (mantissaBits == 0) // there is no NaN
    nan = math::CopySignOp::create(
        builder, loc,
        makeFloat(builder, loc, x.getType(),
                  std::numeric_limits<double>::infinity()),
        x);
  return select(builder, loc, isNan, nan, result);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Value convertFloatToInt(OpBuilder &builder, Location loc, Type to,
                               Value x) {
  unsigned width = cast<IntegerType>(to).getWidth();
  Type target = withElement(x.getType(), builder.getIntegerType(width));
  bool isUnsignedTo = to.isUnsignedInteger();
  APInt low = isUnsignedTo ? APInt::getMinValue(width)
                           : APInt::getSignedMinValue(width);
  APInt high = isUnsignedTo ? APInt::getMaxValue(width)
                            : APInt::getSignedMaxValue(width);
  // Bounds that are exact in any format: the lowest value, and one past the
  // highest.
  double past = std::ldexp(1.0, isUnsignedTo ? width : width - 1);
  Value lowest =
      makeFloat(builder, loc, x.getType(), isUnsignedTo ? 0.0 : -past);
  Value beyond = makeFloat(builder, loc, x.getType(), past);
  auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  };
  Value isHigh = compare(arith::CmpFPredicate::OGE, x, beyond);
  Value isLow = compare(arith::CmpFPredicate::OLE, x, lowest);
  Value isNan = compare(arith::CmpFPredicate::UNO, x, x);
  // The conversion itself is undefined out of range: feed it zero there.
  Value isOut = arith::OrIOp::create(
      builder, loc, isNan, arith::OrIOp::create(builder, loc, isHigh, isLow));
  Value inside =
      select(builder, loc, isOut, makeFloat(builder, loc, x.getType(), 0.0), x);
  Value result =
      isUnsignedTo
          ? arith::FPToUIOp::create(builder, loc, target, inside).getResult()
          : arith::FPToSIOp::create(builder, loc, target, inside).getResult();
  result =
      select(builder, loc, isHigh, makeInt(builder, loc, target, high), result);
  return select(builder, loc, isLow, makeInt(builder, loc, target, low),
                result);
}

static Value convertFromInt(OpBuilder &builder, Location loc, Type type,
                            Type to, Value x) {
  if (isa<FloatType>(to)) {
    Type target = withElement(x.getType(), to);
    if (isUnsigned(type))
      return arith::UIToFPOp::create(builder, loc, target, x);
    return arith::SIToFPOp::create(builder, loc, target, x);
  }
  unsigned width = cast<IntegerType>(to).getWidth();
  Type target = withElement(x.getType(), builder.getIntegerType(width));
  if (width == 1) {
    Value zero = makeInt(builder, loc, x.getType(), 0);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x,
                                 zero);
  }
  if (width < getWidth(x))
    return arith::TruncIOp::create(builder, loc, target, x);
  if (width == getWidth(x))
    return x;
  if (isUnsigned(type))
    return arith::ExtUIOp::create(builder, loc, target, x);
  return arith::ExtSIOp::create(builder, loc, target, x);
}

static Value convertFromFloat(OpBuilder &builder, Location loc, Type to,
                              Value x) {
  if (to.isInteger(1))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, x,
                                 makeFloat(builder, loc, x.getType(), 0.0));
  if (isa<IntegerType>(to))
    return convertFloatToInt(builder, loc, to, x);
  Type target = withElement(x.getType(), to);
  unsigned from = getWidth(x), width = to.getIntOrFloatBitWidth();
  if (target == x.getType())
    return x;
  if (width > from)
    return arith::ExtFOp::create(builder, loc, target, x);
  if (width < from)
    return arith::TruncFOp::create(builder, loc, target, x);
  // bf16 and f16, or two kinds of f8: through f32, which holds both.
  Type wide = withElement(x.getType(), builder.getF32Type());
  return arith::TruncFOp::create(builder, loc, target,
                                 arith::ExtFOp::create(builder, loc, wide, x));
}

Value buildConvert(OpBuilder &builder, Location loc, Type type, Type to,
                   Value x) {
  if (auto complex = dyn_cast<ComplexType>(to)) {
    Type part = complex.getElementType();
    Value re = x, im;
    Type fromPart = type;
    if (auto from = dyn_cast<ComplexType>(type)) {
      fromPart = from.getElementType();
      re = complex::ReOp::create(builder, loc, x);
      im = buildConvert(builder, loc, fromPart, part,
                        complex::ImOp::create(builder, loc, x));
    } else {
      im = makeFloat(builder, loc, part, 0.0);
    }
    re = buildConvert(builder, loc, fromPart, part, re);
    return complex::CreateOp::create(builder, loc, to, re, im);
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value re = complex::ReOp::create(builder, loc, x);
    return buildConvert(builder, loc, complex.getElementType(), to, re);
  }
  if (isa<FloatType>(type))
    return convertFromFloat(builder, loc, to, x);
  return convertFromInt(builder, loc, type, to, x);
}

Value buildBitcast(OpBuilder &builder, Location loc, Type to, Value x) {
  if (isa<ComplexType>(to))
    return x;
  Type element = to;
  if (auto integer = dyn_cast<IntegerType>(to))
    element = builder.getIntegerType(integer.getWidth());
  Type target = withElement(x.getType(), element);
  if (target == x.getType())
    return x;
  return arith::BitcastOp::create(builder, loc, target, x);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value buildAdd(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::AddFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::AddOp::create(builder, loc, a, b);
  if (type.isInteger(1))
    return arith::OrIOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

Value buildSub(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::SubFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::SubOp::create(builder, loc, a, b);
  return arith::SubIOp::create(builder, loc, a, b);
}

Value buildMul(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::MulFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::MulOp::create(builder, loc, a, b);
  if (type.isInteger(1))
    return arith::AndIOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}

/// The two cases in which integer division is undefined: the divisor is zero;
/// the lowest value is divided by -1 (`overflows`, null for unsigned types).
namespace {
struct DivisionCases {
  Value isZero, overflows;
  Value safeDivisor;
};
} // namespace

static DivisionCases buildDivisionCases(OpBuilder &builder, Location loc,
                                        Type type, Value a, Value b) {
  DivisionCases cases;
  Value one = makeInt(builder, loc, b.getType(), 1);
  cases.isZero =
      isEqual(builder, loc, b, makeInt(builder, loc, b.getType(), 0));
  Value isUnsafe = cases.isZero;
  if (!isUnsigned(type)) {
    Value lowest = makeInt(builder, loc, a.getType(),
                           APInt::getSignedMinValue(getWidth(a)));
    Value minusOne = makeInt(builder, loc, b.getType(), -1);
    cases.overflows =
        arith::AndIOp::create(builder, loc, isEqual(builder, loc, a, lowest),
                              isEqual(builder, loc, b, minusOne));
    isUnsafe = arith::OrIOp::create(builder, loc, isUnsafe, cases.overflows);
  }
  cases.safeDivisor = select(builder, loc, isUnsafe, one, b);
  return cases;
}

Value buildDiv(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::DivFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::DivOp::create(builder, loc, a, b);
  // The lowest value divided by -1 is itself, as it is when divided by 1.
  DivisionCases cases = buildDivisionCases(builder, loc, type, a, b);
  Value quotient =
      isUnsigned(type)
          ? arith::DivUIOp::create(builder, loc, a, cases.safeDivisor)
                .getResult()
          : arith::DivSIOp::create(builder, loc, a, cases.safeDivisor)
                .getResult();
  return select(builder, loc, cases.isZero,
                makeInt(builder, loc, a.getType(), -1), quotient);
}

Value buildRem(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::RemFOp::create(builder, loc, a, b);
  DivisionCases cases = buildDivisionCases(builder, loc, type, a, b);
  Value remainder =
      isUnsigned(type)
          ? arith::RemUIOp::create(builder, loc, a, cases.safeDivisor)
                .getResult()
          : arith::RemSIOp::create(builder, loc, a, cases.safeDivisor)
                .getResult();
  return select(builder, loc, cases.isZero, a, remainder);
}

/// Complex numbers are ordered by real, then imaginary part.
static Value buildComplexIsGreater(OpBuilder &builder, Location loc, Value a,
                                   Value b) {
  Value reA = complex::ReOp::create(builder, loc, a);
  Value reB = complex::ReOp::create(builder, loc, b);
  Value imA = complex::ImOp::create(builder, loc, a);
  Value imB = complex::ImOp::create(builder, loc, b);
  auto compare = [&](arith::CmpFPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, x, y);
  };
  return select(builder, loc, compare(arith::CmpFPredicate::OEQ, reA, reB),
                compare(arith::CmpFPredicate::OGT, imA, imB),
                compare(arith::CmpFPredicate::OGT, reA, reB));
}

Value buildMax(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::MaximumFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return select(builder, loc, buildComplexIsGreater(builder, loc, a, b), a,
                  b);
  if (isUnsigned(type))
    return arith::MaxUIOp::create(builder, loc, a, b);
  return arith::MaxSIOp::create(builder, loc, a, b);
}

Value buildMin(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::MinimumFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return select(builder, loc, buildComplexIsGreater(builder, loc, a, b), b,
                  a);
  if (isUnsigned(type))
    return arith::MinUIOp::create(builder, loc, a, b);
  return arith::MinSIOp::create(builder, loc, a, b);
}

/// Square and multiply, one step a bit of the exponent.
static Value buildIntPow(OpBuilder &builder, Location loc, Type type, Value a,
                         Value b) {
  Type ints = a.getType();
  Value one = makeInt(builder, loc, ints, 1),
        zero = makeInt(builder, loc, ints, 0);
  Value result = one, square = a;
  for (unsigned bit = 0; bit < getWidth(b); ++bit) {
    Value mask =
        makeInt(builder, loc, ints, APInt::getOneBitSet(getWidth(b), bit));
    Value isClear = isEqual(builder, loc,
                            arith::AndIOp::create(builder, loc, b, mask), zero);
    result = arith::MulIOp::create(builder, loc, result,
                                   select(builder, loc, isClear, one, square));
    square = arith::MulIOp::create(builder, loc, square, square);
  }
  if (isUnsigned(type))
    return result;
  // A negative exponent: 1 stays, -1 alternates, all others round to 0.
  Value isNegative =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, b, zero);
  Value minusOne = makeInt(builder, loc, ints, -1);
  Value isOdd =
      isEqual(builder, loc, arith::AndIOp::create(builder, loc, b, one), one);
  Value ofMinusOne = select(builder, loc, isOdd, minusOne, one);
  Value small = select(builder, loc, isEqual(builder, loc, a, one), one, zero);
  small = select(builder, loc, isEqual(builder, loc, a, minusOne), ofMinusOne,
                 small);
  return select(builder, loc, isNegative, small, result);
}

Value buildPow(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return math::PowFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::PowOp::create(builder, loc, a, b);
  return buildIntPow(builder, loc, type, a, b);
}

Value buildAtan2(OpBuilder &builder, Location loc, Type type, Value a,
                 Value b) {
  if (isa<ComplexType>(type))
    return complex::Atan2Op::create(builder, loc, a, b);
  return math::Atan2Op::create(builder, loc, a, b);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Whether `b`, read as unsigned, is less than the width.
static Value isInWidth(OpBuilder &builder, Location loc, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, b,
                               makeInt(builder, loc, b.getType(), getWidth(b)));
}
/// A shift that is less than the width.
static Value limitShift(OpBuilder &builder, Location loc, Value b) {
  return select(builder, loc, isInWidth(builder, loc, b), b,
                makeInt(builder, loc, b.getType(), getWidth(b) - 1));
}

Value buildShl(OpBuilder &builder, Location loc, Value a, Value b) {
  Value shifted =
      arith::ShLIOp::create(builder, loc, a, limitShift(builder, loc, b));
  return select(builder, loc, isInWidth(builder, loc, b), shifted,
                makeInt(builder, loc, a.getType(), 0));
}

Value buildShrLogical(OpBuilder &builder, Location loc, Value a, Value b) {
  Value shifted =
      arith::ShRUIOp::create(builder, loc, a, limitShift(builder, loc, b));
  return select(builder, loc, isInWidth(builder, loc, b), shifted,
                makeInt(builder, loc, a.getType(), 0));
}

Value buildShrArith(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::ShRSIOp::create(builder, loc, a, limitShift(builder, loc, b));
}

//===----------------------------------------------------------------------===//
// Comparisons and combinations
//===----------------------------------------------------------------------===//

static arith::CmpIPredicate toIntPredicate(Comparison direction,
                                           bool isUnsignedType) {
  using P = arith::CmpIPredicate;
  switch (direction) {
  case Comparison::Eq:
    return P::eq;
  case Comparison::Ne:
    return P::ne;
  case Comparison::Lt:
    return isUnsignedType ? P::ult : P::slt;
  case Comparison::Le:
    return isUnsignedType ? P::ule : P::sle;
  case Comparison::Gt:
    return isUnsignedType ? P::ugt : P::sgt;
  case Comparison::Ge:
    return isUnsignedType ? P::uge : P::sge;
  }
  llvm_unreachable("all directions are handled");
}

static arith::CmpFPredicate toFloatPredicate(Comparison direction) {
  using P = arith::CmpFPredicate;
  switch (direction) {
  case Comparison::Eq:
    return P::OEQ;
  case Comparison::Ne:
    return P::UNE;
  case Comparison::Lt:
    return P::OLT;
  case Comparison::Le:
    return P::OLE;
  case Comparison::Gt:
    return P::OGT;
  case Comparison::Ge:
    return P::OGE;
  }
  llvm_unreachable("all directions are handled");
}

Value buildCompare(OpBuilder &builder, Location loc, Type type,
                   Comparison direction, bool isTotal, Value a, Value b) {
  if (isa<ComplexType>(type)) {
    if (direction == Comparison::Ne)
      return complex::NotEqualOp::create(builder, loc, a, b);
    return complex::EqualOp::create(builder, loc, a, b);
  }
  if (!isa<FloatType>(type))
    return arith::CmpIOp::create(
        builder, loc, toIntPredicate(direction, isUnsigned(type)), a, b);
  if (!isTotal)
    return arith::CmpFOp::create(builder, loc, toFloatPredicate(direction), a,
                                 b);
  // Flipping the lower bits of negative floats makes their order that of ints.
  auto toOrdered = [&](Value x) {
    Value bits = toBits(builder, loc, x);
    Value sign = arith::ShRSIOp::create(
        builder, loc, bits,
        makeInt(builder, loc, bits.getType(), getWidth(x) - 1));
    Value mask = arith::ShRUIOp::create(
        builder, loc, sign, makeInt(builder, loc, bits.getType(), 1));
    return arith::XOrIOp::create(builder, loc, bits, mask).getResult();
  };
  return arith::CmpIOp::create(builder, loc, toIntPredicate(direction, false),
                               toOrdered(a), toOrdered(b));
}

Value buildClamp(OpBuilder &builder, Location loc, Type type, Value low,
                 Value x, Value high) {
  return buildMin(builder, loc, type, buildMax(builder, loc, type, x, low),
                  high);
}

Value buildCombine(OpBuilder &builder, Location loc, Type type,
                   ReductionKind kind, Value a, Value b) {
  switch (kind) {
  case ReductionKind::Sum:
    return buildAdd(builder, loc, type, a, b);
  case ReductionKind::Max:
    return buildMax(builder, loc, type, a, b);
  case ReductionKind::Min:
    return buildMin(builder, loc, type, a, b);
  case ReductionKind::Mul:
    return buildMul(builder, loc, type, a, b);
  case ReductionKind::And:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReductionKind::Or:
    return arith::OrIOp::create(builder, loc, a, b);
  case ReductionKind::Xor:
    return arith::XOrIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace partita::core::scalar
