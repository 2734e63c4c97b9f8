//===- ComplexMath.cpp - Functions of complex numbers ---------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/ComplexMath.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/VectorMath.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <limits>

using namespace llvm;

namespace partita::cpu {

namespace {

/// Arithmetic on complex numbers of one number of lanes.
class ComplexMath {
public:
  explicit ComplexMath(LoopBuilder &theBuilder)
      : builder(theBuilder), ir(theBuilder.ir) {}

  Elem add(Elem a, Elem b) {
    return {ir.CreateFAdd(a.re, b.re), ir.CreateFAdd(a.im, b.im)};
  }
  Elem sub(Elem a, Elem b) {
    return {ir.CreateFSub(a.re, b.re), ir.CreateFSub(a.im, b.im)};
  }
  Elem mul(Elem a, Elem b) {
    return {
        ir.CreateFSub(ir.CreateFMul(a.re, b.re), ir.CreateFMul(a.im, b.im)),
        ir.CreateFAdd(ir.CreateFMul(a.re, b.im), ir.CreateFMul(a.im, b.re))};
  }
  Elem neg(Elem a) { return {ir.CreateFNeg(a.re), ir.CreateFNeg(a.im)}; }
  Elem real(Elem like, double number) {
    return {ConstantFP::get(like.re->getType(), number),
            ConstantFP::get(like.re->getType(), 0.0)};
  }
  Value *abs(Elem a) { return callLibrary(builder, "hypot", {a.re, a.im}); }
  Elem div(Elem a, Elem b);
  /// The greater or lesser one, by real and then by imaginary part.
  Elem choose(bool isMax, Elem a, Elem b);
  Elem sign(Elem a);
  Elem expm1(Elem a);
  Elem log1p(Elem a);
  Elem atan2(Elem a, Elem b);
  /// The function of the C library for `double _Complex`, called once a lane.
  Elem call(StringRef name, ArrayRef<Elem> operands);

private:
  Value *both(Value *a, Value *b) { return ir.CreateAnd(a, b); }
  Elem select(Value *condition, Elem yes, Elem no) {
    return {ir.CreateSelect(condition, yes.re, no.re),
            ir.CreateSelect(condition, yes.im, no.im)};
  }
  Value *isZero(Value *x) {
    return ir.CreateFCmpOEQ(x, ConstantFP::get(x->getType(), 0.0));
  }
  Value *isNumber(Value *x) { return ir.CreateFCmpORD(x, x); }

  LoopBuilder &builder;
  IRBuilder<> &ir;
};

/// Scales by the larger part of the divisor, so that nothing overflows on the
/// way. By zero: infinity, as the signs have it.
Elem ComplexMath::div(Elem a, Elem b) {
  Value *isWide =
      ir.CreateFCmpOGE(ir.CreateUnaryIntrinsic(Intrinsic::fabs, b.re),
                       ir.CreateUnaryIntrinsic(Intrinsic::fabs, b.im));
  Value *large = ir.CreateSelect(isWide, b.re, b.im);
  Value *small = ir.CreateSelect(isWide, b.im, b.re);
  Value *ratio = ir.CreateFDiv(small, large);
  Value *scale = ir.CreateFAdd(large, ir.CreateFMul(small, ratio));
  auto combine = [&](Value *x, Value *y, bool isSum) {
    return isSum ? ir.CreateFAdd(x, y) : ir.CreateFSub(x, y);
  };
  auto times = [&](Value *x) { return ir.CreateFMul(x, ratio); };
  Value *re = ir.CreateSelect(isWide, combine(a.re, times(a.im), true),
                              combine(times(a.re), a.im, true));
  Value *im = ir.CreateSelect(isWide, combine(a.im, times(a.re), false),
                              combine(times(a.im), a.re, false));
  Elem quotient{ir.CreateFDiv(re, scale), ir.CreateFDiv(im, scale)};
  Value *infinity = ir.CreateBinaryIntrinsic(
      Intrinsic::copysign, ConstantFP::getInfinity(b.re->getType()), b.re);
  Elem unbounded{ir.CreateFMul(infinity, a.re), ir.CreateFMul(infinity, a.im)};
  Value *byZero = both(both(isZero(b.re), isZero(b.im)),
                       ir.CreateOr(isNumber(a.re), isNumber(a.im)));
  return select(byZero, unbounded, quotient);
}

Elem ComplexMath::choose(bool isMax, Elem a, Elem b) {
  auto isLess = [&](Elem x, Elem y) {
    return ir.CreateSelect(ir.CreateFCmpUNE(x.re, y.re),
                           ir.CreateFCmpOLT(x.re, y.re),
                           ir.CreateFCmpOLT(x.im, y.im));
  };
  return select(isMax ? isLess(a, b) : isLess(b, a), b, a);
}

Elem ComplexMath::sign(Elem a) {
  Value *length = abs(a);
  Elem unit{ir.CreateFDiv(a.re, length), ir.CreateFDiv(a.im, length)};
  return select(both(isZero(a.re), isZero(a.im)), a, unit);
}

/// cos(b) - 1 is -2 sin²(b/2), which is exact near zero.
Elem ComplexMath::expm1(Elem a) {
  auto library = [&](StringRef name, Value *x) {
    return callLibrary(builder, name, {x});
  };
  Value *half = ir.CreateFMul(a.im, ConstantFP::get(a.im->getType(), 0.5));
  Value *s = library("sin", half);
  Value *square = ir.CreateFMul(s, s);
  Value *re =
      ir.CreateFSub(ir.CreateFMul(library("expm1", a.re), library("cos", a.im)),
                    ir.CreateFAdd(square, square));
  return {re, ir.CreateFMul(library("exp", a.re), library("sin", a.im))};
}

Elem ComplexMath::log1p(Elem a) {
  auto number = [&](double value) {
    return ConstantFP::get(a.re->getType(), value);
  };
  auto isSmall = [&](Value *x) {
    return ir.CreateFCmpOLT(ir.CreateUnaryIntrinsic(Intrinsic::fabs, x),
                            number(0.5));
  };
  Value *next = ir.CreateFAdd(a.re, number(1));
  Value *square =
      ir.CreateFAdd(ir.CreateFMul(a.re, ir.CreateFAdd(a.re, number(2))),
                    ir.CreateFMul(a.im, a.im));
  Value *near =
      ir.CreateFMul(callLibrary(builder, "log1p", {square}), number(0.5));
  Value *far = callLibrary(builder, "log",
                           {callLibrary(builder, "hypot", {next, a.im})});
  Value *re = ir.CreateSelect(both(isSmall(a.re), isSmall(a.im)), near, far);
  return {re, callLibrary(builder, "atan2", {a.im, next})};
}

/// -i log((b + ia) / sqrt(a² + b²))
Elem ComplexMath::atan2(Elem a, Elem b) {
  Elem sum{ir.CreateFSub(b.re, a.im), ir.CreateFAdd(b.im, a.re)};
  Elem length = call("csqrt", {add(mul(a, a), mul(b, b))});
  Elem log = call("clog", {div(sum, length)});
  return {log.im, ir.CreateFNeg(log.re)};
}

Elem ComplexMath::call(StringRef name, ArrayRef<Elem> operands) {
  Type *type = ir.getDoubleTy();
  SmallVector<Type *> types(operands.size() * 2, type);
  FunctionCallee callee = builder.getModule()->getOrInsertFunction(
      name, FunctionType::get(StructType::get(type, type), types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  auto callWith = [&](auto getLane) {
    SmallVector<Value *> parts;
    for (Elem operand : operands) {
      parts.push_back(getLane(operand.re));
      parts.push_back(getLane(operand.im));
    }
    Value *pair = ir.CreateCall(callee, parts);
    return Elem{ir.CreateExtractValue(pair, 0), ir.CreateExtractValue(pair, 1)};
  };
  Type *whole = operands[0].re->getType();
  if (!whole->isVectorTy())
    return callWith([](Value *x) { return x; });
  Elem result{PoisonValue::get(whole), PoisonValue::get(whole)};
  for (int lane = 0; lane < getLanes(operands[0].re); ++lane) {
    Elem one =
        callWith([&](Value *x) { return ir.CreateExtractElement(x, lane); });
    result.re = ir.CreateInsertElement(result.re, one.re, lane);
    result.im = ir.CreateInsertElement(result.im, one.im, lane);
  }
  return result;
}

/// What is computed in double: operands and result are complex<f64>.
Elem buildWide(ComplexMath &math, StringRef name, ArrayRef<Elem> x) {
  static const StringMap<const char *> library = {
      {"exp", "cexp"}, {"log", "clog"}, {"sqrt", "csqrt"}, {"sin", "csin"},
      {"cos", "ccos"}, {"tan", "ctan"}, {"tanh", "ctanh"}, {"pow", "cpow"}};
  if (auto found = library.find(name); found != library.end())
    return math.call(found->second, x);
  if (name == "div")
    return math.div(x[0], x[1]);
  if (name == "sign")
    return math.sign(x[0]);
  if (name == "expm1")
    return math.expm1(x[0]);
  if (name == "log1p")
    return math.log1p(x[0]);
  if (name == "atan2")
    return math.atan2(x[0], x[1]);
  Elem one = math.real(x[0], 1.0);
  if (name == "rsqrt")
    return math.div(one, math.call("csqrt", x));
  if (name == "logistic")
    return math.div(one, math.add(one, math.call("cexp", {math.neg(x[0])})));
  return {};
}

} // namespace

Elem buildComplex(LoopBuilder &builder, StringRef name, ArrayRef<Elem> x) {
  ComplexMath math(builder);
  if (name == "add")
    return math.add(x[0], x[1]);
  if (name == "sub")
    return math.sub(x[0], x[1]);
  if (name == "mul")
    return math.mul(x[0], x[1]);
  if (name == "neg")
    return math.neg(x[0]);
  if (name == "max" || name == "min")
    return math.choose(name == "max", x[0], x[1]);
  if (name == "abs")
    return {math.abs(x[0]), nullptr};
  Type *type = x[0].re->getType();
  Type *wide = getTypeLike(builder.ir.getDoubleTy(), x[0].re);
  SmallVector<Elem> operands;
  for (Elem operand : x)
    operands.push_back({builder.ir.CreateFPExt(operand.re, wide),
                        builder.ir.CreateFPExt(operand.im, wide)});
  Elem result = buildWide(math, name, operands);
  if (!result)
    return {};
  return {builder.ir.CreateFPTrunc(result.re, type),
          builder.ir.CreateFPTrunc(result.im, type)};
}

} // namespace partita::cpu
