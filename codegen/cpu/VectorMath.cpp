//===- VectorMath.cpp - Elementary functions ------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The polynomials are those of the Cephes library's single-precision functions
// (Moshier), evaluated with fused multiply-adds.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/VectorMath.h"

#include "codegen/cpu/ElementTypes.h"
#include "llvm/IR/Module.h"

#include <limits>

using namespace llvm;

namespace partita::cpu {
namespace {

/// Arithmetic on values of one floating-point type.
class Arithmetic {
public:
  Arithmetic(LoopBuilder &builder, Value *like)
      : ir(builder.ir), type(like->getType()),
        bits(getTypeLike(ir.getInt32Ty(), like)) {}

  Value *number(double value) { return ConstantFP::get(type, value); }
  Value *integer(uint32_t value) { return ConstantInt::get(bits, value); }
  Value *add(Value *a, Value *b) { return ir.CreateFAdd(a, b); }
  Value *sub(Value *a, Value *b) { return ir.CreateFSub(a, b); }
  Value *mul(Value *a, Value *b) { return ir.CreateFMul(a, b); }
  Value *div(Value *a, Value *b) { return ir.CreateFDiv(a, b); }
  Value *mulAdd(Value *a, Value *b, Value *c) {
    return ir.CreateIntrinsic(Intrinsic::fmuladd, {type}, {a, b, c});
  }
  Value *abs(Value *x) { return ir.CreateUnaryIntrinsic(Intrinsic::fabs, x); }
  Value *copySign(Value *magnitude, Value *sign) {
    return ir.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, sign);
  }
  Value *isNan(Value *x) { return ir.CreateFCmpUNO(x, x); }
  Value *toBits(Value *x) { return ir.CreateBitCast(x, bits); }
  Value *fromBits(Value *x) { return ir.CreateBitCast(x, type); }

  /// c[0] x^(n-1) + … + c[n-1].
  Value *polynomial(Value *x, ArrayRef<double> coefficients) {
    Value *sum = number(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = mulAdd(sum, x, number(coefficient));
    return sum;
  }

  /// Within [low, high]; NaN stays NaN.
  Value *clamp(Value *x, double low, double high) {
    x = ir.CreateSelect(ir.CreateFCmpOGT(x, number(high)), number(high), x);
    return ir.CreateSelect(ir.CreateFCmpOLT(x, number(low)), number(low), x);
  }

  /// 2^n for integers n of normal exponents.
  Value *powerOfTwo(Value *n) {
    return fromBits(ir.CreateShl(ir.CreateAdd(n, integer(127)), 23));
  }

  /// x * 2^n in two steps, so that neither factor leaves the normal range.
  Value *scale(Value *x, Value *n) {
    Value *half = ir.CreateAShr(n, 1);
    Value *rest = ir.CreateSub(n, half);
    return mul(mul(x, powerOfTwo(half)), powerOfTwo(rest));
  }

  /// x = n ln2 + r, |r| <= ln2 / 2, and p = e^r - 1.
  void reduceExp(Value *x, Value *&n, Value *&p) {
    // Adding 1.5 * 2^23 rounds to an integer that stands in the low bits.
    constexpr double kRound = 12582912.0;
    Value *shifted = mulAdd(x, number(1.44269504088896341), number(kRound));
    n = ir.CreateSub(toBits(shifted), integer(0x4b400000));
    Value *whole = sub(shifted, number(kRound));
    Value *r = mulAdd(whole, number(-0.693359375), x);
    r = mulAdd(whole, number(2.12194440e-4), r);
    Value *tail =
        polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                       4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
    p = mulAdd(mul(r, r), tail, r);
  }

  IRBuilder<> &ir;
  Type *type;
  Type *bits;
};

bool isDouble(Value *x) { return x->getType()->getScalarType()->isDoubleTy(); }

} // namespace

Value *callLibrary(LoopBuilder &builder, StringRef name,
                   ArrayRef<Value *> operands) {
  IRBuilder<> &ir = builder.ir;
  Type *type = operands[0]->getType()->getScalarType();
  std::string full = name.str() + (type->isDoubleTy() ? "" : "f");
  SmallVector<Type *> types(operands.size(), type);
  FunctionCallee callee = builder.getModule()->getOrInsertFunction(
      full, FunctionType::get(type, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  if (!operands[0]->getType()->isVectorTy())
    return ir.CreateCall(callee, operands);
  Value *result = PoisonValue::get(operands[0]->getType());
  for (int lane = 0; lane < getLanes(operands[0]); ++lane) {
    SmallVector<Value *> scalars;
    for (Value *operand : operands)
      scalars.push_back(ir.CreateExtractElement(operand, lane));
    result =
        ir.CreateInsertElement(result, ir.CreateCall(callee, scalars), lane);
  }
  return result;
}

Value *buildExp(LoopBuilder &builder, Value *x) {
  if (isDouble(x))
    return callLibrary(builder, "exp", {x});
  Arithmetic math(builder, x);
  x = math.clamp(x, -104.0, 89.0);
  Value *n, *p;
  math.reduceExp(x, n, p);
  return math.scale(math.add(p, math.number(1.0)), n);
}

Value *buildExpm1(LoopBuilder &builder, Value *x) {
  if (isDouble(x))
    return callLibrary(builder, "expm1", {x});
  Arithmetic math(builder, x);
  Value *clamped = math.clamp(x, -30.0, 89.0);
  Value *n, *p;
  math.reduceExp(clamped, n, p);
  // 2^n (p + 1 - 2^-n); the last term vanishes for large n.
  Value *limited =
      builder.ir.CreateBinaryIntrinsic(Intrinsic::smin, n, math.integer(64));
  Value *inverse =
      math.powerOfTwo(builder.ir.CreateSub(math.integer(0), limited));
  Value *sum = math.add(p, math.sub(math.number(1.0), inverse));
  Value *result = math.scale(sum, n);
  // Keeps the sign of zero.
  return builder.ir.CreateSelect(builder.ir.CreateFCmpOEQ(x, math.number(0.0)),
                                 x, result);
}

Value *buildLog(LoopBuilder &builder, Value *x) {
  if (isDouble(x))
    return callLibrary(builder, "log", {x});
  IRBuilder<> &ir = builder.ir;
  Arithmetic math(builder, x);
  constexpr float kMinNormal = std::numeric_limits<float>::min();
  Value *isTiny = ir.CreateFCmpOLT(x, math.number(kMinNormal));
  Value *normal =
      ir.CreateSelect(isTiny, math.mul(x, math.number(8388608.0)), x);
  // Mantissa within [sqrt(1/2), sqrt(2)): subtract the bits of sqrt(1/2) and
  // split at the exponent.
  Value *offset = ir.CreateSub(math.toBits(normal), math.integer(0x3f3504f3));
  Value *exponent = ir.CreateAShr(offset, 23);
  Value *mantissa = math.fromBits(ir.CreateAdd(
      ir.CreateAnd(offset, math.integer(0x7fffff)), math.integer(0x3f3504f3)));
  Value *e = ir.CreateSIToFP(exponent, math.type);
  e = ir.CreateSelect(isTiny, math.sub(e, math.number(23.0)), e);
  Value *z = math.sub(mantissa, math.number(1.0));
  Value *square = math.mul(z, z);
  Value *y =
      math.polynomial(z, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1,
                          -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                          2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  y = math.mul(math.mul(y, z), square);
  y = math.mulAdd(e, math.number(-2.12194440e-4), y);
  y = math.mulAdd(square, math.number(-0.5), y);
  y = math.mulAdd(e, math.number(0.693359375), math.add(z, y));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Value *special = ir.CreateSelect(
      ir.CreateFCmpOEQ(x, math.number(0.0)), math.number(-kInfinity),
      ir.CreateSelect(ir.CreateFCmpOLT(x, math.number(0.0)),
                      ConstantFP::getNaN(math.type), x));
  Value *isNormal = ir.CreateAnd(ir.CreateFCmpOGT(x, math.number(0.0)),
                                 ir.CreateFCmpOLT(x, math.number(kInfinity)));
  return ir.CreateSelect(isNormal, y, special);
}

Value *buildLog1p(LoopBuilder &builder, Value *x) {
  if (isDouble(x))
    return callLibrary(builder, "log1p", {x});
  IRBuilder<> &ir = builder.ir;
  Arithmetic math(builder, x);
  Value *one = math.number(1.0);
  Value *u = math.add(x, one);
  // log(u) x / (u - 1) undoes the rounding of u (Kahan).
  Value *log = buildLog(builder, u);
  Value *corrected = math.mul(log, math.div(x, math.sub(u, one)));
  Value *isLarge = ir.CreateFCmpOGT(u, math.number(1e9));
  Value *result = ir.CreateSelect(isLarge, log, corrected);
  return ir.CreateSelect(ir.CreateFCmpOEQ(u, one), x, result);
}

Value *buildTanh(LoopBuilder &builder, Value *x) {
  if (isDouble(x))
    return callLibrary(builder, "tanh", {x});
  Arithmetic math(builder, x);
  Value *magnitude = math.abs(x);
  Value *square = math.mul(x, x);
  Value *tail = math.polynomial(square, {-5.70498872745e-3, 2.06390887954e-2,
                                         -5.37397155531e-2, 1.33314422036e-1,
                                         -3.33332819422e-1});
  Value *small = math.mulAdd(math.mul(tail, square), x, x);
  small = math.copySign(small, x);
  Value *two = math.number(2.0);
  Value *exp = buildExp(builder, math.mul(magnitude, two));
  Value *one = math.number(1.0);
  Value *large = math.sub(one, math.div(two, math.add(exp, one)));
  large = math.copySign(large, x);
  Value *isSmall = builder.ir.CreateFCmpOLT(magnitude, math.number(0.625));
  return builder.ir.CreateSelect(isSmall, small, large);
}

Value *buildErf(LoopBuilder &builder, Value *x) {
  return callLibrary(builder, "erf", {x});
}

Value *buildSqrt(LoopBuilder &builder, Value *x) {
  return builder.ir.CreateUnaryIntrinsic(Intrinsic::sqrt, x);
}

} // namespace partita::cpu
