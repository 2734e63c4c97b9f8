//===- Pointwise.cpp - Ops on corresponding elements ----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Pointwise.h"
#include "codegen/cpu/ComplexMath.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/VectorMath.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace partita::cpu {
namespace {

/// One op being emitted: its operands as scalars, or as vectors of one length.
struct Context {
  LoopBuilder &builder;
  IRBuilder<> &ir;
  mlir::Operation *op;
  mlir::Type type;   ///< Element type of the (last) operand.
  mlir::Type result; ///< Element type of the result.
  SmallVector<Elem, 3> args;

  Value *a() { return args[0].re; }
  Value *b() { return args[1].re; }
  Value *c() { return args[2].re; }
  bool isFloat() { return mlir::isa<mlir::FloatType>(type); }
  bool isUnsigned() { return type.isUnsignedInteger() || type.isInteger(1); }
  bool isBool() { return type.isInteger(1); }
  Value *number(double value) { return ConstantFP::get(a()->getType(), value); }
  Value *integer(int64_t value) {
    return ConstantInt::getSigned(a()->getType(), value);
  }
  Value *unary(Intrinsic::ID id, Value *x) {
    return ir.CreateUnaryIntrinsic(id, x);
  }
  Value *binary(Intrinsic::ID id, Value *x, Value *y) {
    return ir.CreateBinaryIntrinsic(id, x, y);
  }
  Value *library(StringRef name) {
    SmallVector<Value *> values;
    for (Elem arg : args)
      values.push_back(arg.re);
    return callLibrary(builder, name, values);
  }
};

using Emitter = Value *(*)(Context &);

Value *emitDiv(Context &c) {
  if (c.isFloat())
    return c.ir.CreateFDiv(c.a(), c.b());
  Value *isZero = c.ir.CreateICmpEQ(c.b(), c.integer(0));
  if (c.isUnsigned()) {
    Value *divisor = c.ir.CreateSelect(isZero, c.integer(1), c.b());
    return c.ir.CreateSelect(isZero, c.integer(-1),
                             c.ir.CreateUDiv(c.a(), divisor));
  }
  // Dividing by -1 is negation, which wraps for the lowest integer.
  Value *isMinus = c.ir.CreateICmpEQ(c.b(), c.integer(-1));
  Value *isSpecial = c.ir.CreateOr(isZero, isMinus);
  Value *divisor = c.ir.CreateSelect(isSpecial, c.integer(1), c.b());
  Value *quotient = c.ir.CreateSDiv(c.a(), divisor);
  quotient = c.ir.CreateSelect(isMinus, c.ir.CreateNeg(c.a()), quotient);
  return c.ir.CreateSelect(isZero, c.integer(-1), quotient);
}

Value *emitRem(Context &c) {
  if (c.isFloat())
    return c.library("fmod");
  Value *isZero = c.ir.CreateICmpEQ(c.b(), c.integer(0));
  Value *isSpecial = isZero;
  if (!c.isUnsigned())
    isSpecial = c.ir.CreateOr(isZero, c.ir.CreateICmpEQ(c.b(), c.integer(-1)));
  Value *divisor = c.ir.CreateSelect(isSpecial, c.integer(1), c.b());
  Value *rest = c.isUnsigned() ? c.ir.CreateURem(c.a(), divisor)
                               : c.ir.CreateSRem(c.a(), divisor);
  return c.ir.CreateSelect(isZero, c.a(), rest);
}

Value *emitShift(Context &c, bool isLeft, bool isArithmetic) {
  unsigned width = c.a()->getType()->getScalarSizeInBits();
  Value *isOver = c.ir.CreateICmpUGE(c.b(), c.integer(width));
  // An unsigned compare with the width itself is void where it does not fit.
  if (width == 1)
    isOver = c.b();
  if (isArithmetic) {
    Value *by = c.ir.CreateSelect(isOver, c.integer(width - 1), c.b());
    return c.ir.CreateAShr(c.a(), by);
  }
  Value *by = c.ir.CreateSelect(isOver, c.integer(0), c.b());
  Value *shifted =
      isLeft ? c.ir.CreateShl(c.a(), by) : c.ir.CreateLShr(c.a(), by);
  return c.ir.CreateSelect(isOver, c.integer(0), shifted);
}

Value *emitSign(Context &c) {
  if (c.isFloat()) {
    Value *one = c.binary(Intrinsic::copysign, c.number(1), c.a());
    Value *isOrdered = c.ir.CreateFCmpONE(c.a(), c.number(0));
    return c.ir.CreateSelect(isOrdered, one, c.a());
  }
  Value *isPositive = c.isUnsigned() ? c.ir.CreateICmpNE(c.a(), c.integer(0))
                                     : c.ir.CreateICmpSGT(c.a(), c.integer(0));
  Value *positive = c.ir.CreateZExt(isPositive, c.a()->getType());
  if (c.isUnsigned())
    return positive;
  Value *isNegative = c.ir.CreateICmpSLT(c.a(), c.integer(0));
  return c.ir.CreateSelect(isNegative, c.integer(-1), positive);
}

Value *emitExtremum(LoopBuilder &builder, bool isMax, mlir::Type type, Value *a,
                    Value *b) {
  Intrinsic::ID id;
  if (mlir::isa<mlir::FloatType>(type))
    id = isMax ? Intrinsic::maximum : Intrinsic::minimum;
  else if (type.isUnsignedInteger() || type.isInteger(1))
    id = isMax ? Intrinsic::umax : Intrinsic::umin;
  else
    id = isMax ? Intrinsic::smax : Intrinsic::smin;
  return builder.ir.CreateBinaryIntrinsic(id, a, b);
}

/// Integers in the order of IEEE 754's totalOrder. Narrow floats are held as
/// f32, which orders them alike.
Value *toTotalOrder(Context &c, Value *value) {
  unsigned width = value->getType()->getScalarSizeInBits();
  Value *bits =
      c.ir.CreateBitCast(value, getTypeLike(c.ir.getIntNTy(width), value));
  Value *sign = c.ir.CreateAShr(bits, width - 1);
  return c.ir.CreateXor(bits, c.ir.CreateLShr(sign, 1));
}

Value *emitCompare(Context &c) {
  std::string direction;
  raw_string_ostream(direction) << c.op->getAttr("direction");
  auto choose = [&](CmpInst::Predicate eq, CmpInst::Predicate ne,
                    CmpInst::Predicate lt, CmpInst::Predicate le,
                    CmpInst::Predicate gt, CmpInst::Predicate ge) {
    StringRef text = StringRef(direction).rtrim('>').take_back(2);
    if (text.equals_insensitive("eq"))
      return eq;
    if (text.equals_insensitive("ne"))
      return ne;
    if (text.equals_insensitive("lt"))
      return lt;
    if (text.equals_insensitive("le"))
      return le;
    return text.equals_insensitive("gt") ? gt : ge;
  };
  if (mlir::isa<mlir::ComplexType>(c.type)) {
    Value *same =
        c.ir.CreateAnd(c.ir.CreateFCmpOEQ(c.a(), c.b()),
                       c.ir.CreateFCmpOEQ(c.args[0].im, c.args[1].im));
    bool isEqual = choose(CmpInst::ICMP_EQ, CmpInst::ICMP_NE, CmpInst::ICMP_NE,
                          CmpInst::ICMP_NE, CmpInst::ICMP_NE,
                          CmpInst::ICMP_NE) == CmpInst::ICMP_EQ;
    return isEqual ? same : c.ir.CreateNot(same);
  }
  bool isTotal = c.op->hasAttr("total");
  if (c.isFloat() && !isTotal)
    return c.ir.CreateFCmp(choose(CmpInst::FCMP_OEQ, CmpInst::FCMP_UNE,
                                  CmpInst::FCMP_OLT, CmpInst::FCMP_OLE,
                                  CmpInst::FCMP_OGT, CmpInst::FCMP_OGE),
                           c.a(), c.b());
  Value *a = c.a(), *b = c.b();
  if (c.isFloat())
    a = toTotalOrder(c, a), b = toTotalOrder(c, b);
  if (c.isUnsigned())
    return c.ir.CreateICmp(choose(CmpInst::ICMP_EQ, CmpInst::ICMP_NE,
                                  CmpInst::ICMP_ULT, CmpInst::ICMP_ULE,
                                  CmpInst::ICMP_UGT, CmpInst::ICMP_UGE),
                           a, b);
  return c.ir.CreateICmp(choose(CmpInst::ICMP_EQ, CmpInst::ICMP_NE,
                                CmpInst::ICMP_SLT, CmpInst::ICMP_SLE,
                                CmpInst::ICMP_SGT, CmpInst::ICMP_SGE),
                         a, b);
}

/// Rounds to a format with fewer exponent and mantissa bits.
Value *emitReducePrecision(Context &c) {
  auto exponentBits =
      c.op->getAttrOfType<mlir::IntegerAttr>("exponent_bits").getInt();
  auto mantissaBits =
      c.op->getAttrOfType<mlir::IntegerAttr>("mantissa_bits").getInt();
  bool isDouble = c.type.isF64();
  int64_t fullMantissa = isDouble ? 52 : 23, fullExponent = isDouble ? 11 : 8;
  unsigned width = isDouble ? 64 : 32;
  Value *bits =
      c.ir.CreateBitCast(c.a(), getTypeLike(c.ir.getIntNTy(width), c.a()));
  auto get = [&](uint64_t value) {
    return ConstantInt::get(bits->getType(), value);
  };
  Value *result = bits;
  if (mantissaBits < fullMantissa) {
    int64_t dropped = fullMantissa - mantissaBits;
    uint64_t lowMask = (uint64_t(1) << dropped) - 1;
    Value *odd = c.ir.CreateAnd(c.ir.CreateLShr(bits, get(dropped)), get(1));
    result = c.ir.CreateAdd(result, c.ir.CreateAdd(odd, get(lowMask >> 1)));
    result = c.ir.CreateAnd(result, get(~lowMask));
  }
  if (exponentBits < fullExponent) {
    uint64_t sign = uint64_t(1) << (width - 1);
    uint64_t bias = (uint64_t(1) << (fullExponent - 1)) - 1;
    uint64_t reduced = (uint64_t(1) << (exponentBits - 1)) - 1;
    Value *exponent = c.ir.CreateAnd(
        result, get(((uint64_t(1) << fullExponent) - 1) << fullMantissa));
    Value *isOver =
        c.ir.CreateICmpUGT(exponent, get((bias + reduced) << fullMantissa));
    Value *isUnder =
        c.ir.CreateICmpULE(exponent, get((bias - reduced) << fullMantissa));
    Value *signOnly = c.ir.CreateAnd(result, get(sign));
    Value *infinity = c.ir.CreateOr(
        signOnly, get(((uint64_t(1) << fullExponent) - 1) << fullMantissa));
    result = c.ir.CreateSelect(isOver, infinity, result);
    result = c.ir.CreateSelect(isUnder, signOnly, result);
  }
  Value *value = c.ir.CreateBitCast(result, c.a()->getType());
  Value *nan = c.a();
  if (mantissaBits == 0) // there is no NaN
    nan = c.binary(Intrinsic::copysign, ConstantFP::getInfinity(nan->getType()),
                   nan);
  return c.ir.CreateSelect(c.ir.CreateFCmpUNO(c.a(), c.a()), nan, value);
}

/// Powers of integers by repeated squaring; a negative exponent gives 0 except
/// for the bases 1 and -1.
Value *emitIntegerPow(Context &c) {
  unsigned width = c.a()->getType()->getScalarSizeInBits();
  Value *result = c.integer(1), *base = c.a(), *exponent = c.b();
  for (unsigned bit = 0; bit < width; ++bit) {
    Value *isSet = c.ir.CreateICmpNE(
        c.ir.CreateAnd(c.ir.CreateLShr(exponent, bit), c.integer(1)),
        c.integer(0));
    result = c.ir.CreateSelect(isSet, c.ir.CreateMul(result, base), result);
    base = c.ir.CreateMul(base, base);
  }
  if (c.isUnsigned())
    return result;
  Value *isOne = c.ir.CreateICmpEQ(c.a(), c.integer(1));
  Value *isMinus = c.ir.CreateICmpEQ(c.a(), c.integer(-1));
  Value *isOdd =
      c.ir.CreateICmpNE(c.ir.CreateAnd(c.b(), c.integer(1)), c.integer(0));
  Value *unit = c.ir.CreateSelect(isOdd, c.integer(-1), c.integer(1));
  Value *inverse = c.ir.CreateSelect(
      isOne, c.integer(1), c.ir.CreateSelect(isMinus, unit, c.integer(0)));
  Value *isNegative = c.ir.CreateICmpSLT(c.b(), c.integer(0));
  return c.ir.CreateSelect(isNegative, inverse, result);
}

Value *emitLogistic(Context &c) {
  Value *exp = buildExp(c.builder, c.ir.CreateFNeg(c.a()));
  return c.ir.CreateFDiv(c.number(1), c.ir.CreateFAdd(c.number(1), exp));
}

Value *emitAbs(Context &c) {
  if (c.isFloat())
    return c.unary(Intrinsic::fabs, c.a());
  if (c.isUnsigned())
    return c.a();
  return c.binary(Intrinsic::smax, c.a(), c.ir.CreateNeg(c.a()));
}

Value *emitIsFinite(Context &c) {
  Value *infinity = ConstantFP::getInfinity(c.a()->getType());
  return c.ir.CreateFCmpONE(c.unary(Intrinsic::fabs, c.a()), infinity);
}

/// The same bits under another type of the same width.
Value *emitBitcast(Context &c) {
  Value *memory = toMemory(c.builder, c.type, c.a());
  Type *target = getMemoryType(c.ir.getContext(), c.result);
  return fromMemory(c.builder, c.result,
                    c.ir.CreateBitCast(memory, getTypeLike(target, memory)));
}

Value *arithmetic(Context &c, Instruction::BinaryOps floating,
                  Instruction::BinaryOps integer,
                  Instruction::BinaryOps boolean) {
  return c.ir.CreateBinOp(c.isFloat()  ? floating
                          : c.isBool() ? boolean
                                       : integer,
                          c.a(), c.b());
}

const StringMap<Emitter> &getArithmeticEmitters() {
  static const StringMap<Emitter> emitters = {
      {"add",
       [](Context &c) {
         return arithmetic(c, Instruction::FAdd, Instruction::Add,
                           Instruction::Or);
       }},
      {"sub",
       [](Context &c) {
         return arithmetic(c, Instruction::FSub, Instruction::Sub,
                           Instruction::Sub);
       }},
      {"mul",
       [](Context &c) {
         return arithmetic(c, Instruction::FMul, Instruction::Mul,
                           Instruction::And);
       }},
      {"div", emitDiv},
      {"rem", emitRem},
      {"max",
       [](Context &c) {
         return emitExtremum(c.builder, true, c.type, c.a(), c.b());
       }},
      {"min",
       [](Context &c) {
         return emitExtremum(c.builder, false, c.type, c.a(), c.b());
       }},
      {"pow",
       [](Context &c) {
         return c.isFloat() ? c.library("pow") : emitIntegerPow(c);
       }},
      {"and", [](Context &c) { return c.ir.CreateAnd(c.a(), c.b()); }},
      {"or", [](Context &c) { return c.ir.CreateOr(c.a(), c.b()); }},
      {"xor", [](Context &c) { return c.ir.CreateXor(c.a(), c.b()); }},
      {"shl", [](Context &c) { return emitShift(c, true, false); }},
      {"shr_logical", [](Context &c) { return emitShift(c, false, false); }},
      {"shr_arith", [](Context &c) { return emitShift(c, false, true); }},
      {"compare", emitCompare},
      {"not", [](Context &c) { return c.ir.CreateNot(c.a()); }},
      {"neg",
       [](Context &c) {
         return c.isFloat() ? c.ir.CreateFNeg(c.a()) : c.ir.CreateNeg(c.a());
       }},
      {"abs", emitAbs},
      {"sign", emitSign},
      {"popcnt", [](Context &c) { return c.unary(Intrinsic::ctpop, c.a()); }},
      {"clz",
       [](Context &c) -> Value * {
         return c.ir.CreateIntrinsic(Intrinsic::ctlz, {c.a()->getType()},
                                     {c.a(), c.ir.getFalse()});
       }},
      {"clamp",
       [](Context &c) {
         Value *low = emitExtremum(c.builder, true, c.type, c.a(), c.b());
         return emitExtremum(c.builder, false, c.type, low, c.c());
       }},
      {"bitcast", emitBitcast},
      {"is_finite", emitIsFinite},
      {"reduce_precision", emitReducePrecision},
  };
  return emitters;
}

const StringMap<Emitter> &getMathEmitters() {
  static const StringMap<Emitter> emitters = {
      {"exp", [](Context &c) { return buildExp(c.builder, c.a()); }},
      {"expm1", [](Context &c) { return buildExpm1(c.builder, c.a()); }},
      {"log", [](Context &c) { return buildLog(c.builder, c.a()); }},
      {"log1p", [](Context &c) { return buildLog1p(c.builder, c.a()); }},
      {"tanh", [](Context &c) { return buildTanh(c.builder, c.a()); }},
      {"erf", [](Context &c) { return buildErf(c.builder, c.a()); }},
      {"logistic", emitLogistic},
      {"sqrt", [](Context &c) { return buildSqrt(c.builder, c.a()); }},
      {"rsqrt",
       [](Context &c) {
         return c.ir.CreateFDiv(c.number(1), buildSqrt(c.builder, c.a()));
       }},
      {"cbrt", [](Context &c) { return c.library("cbrt"); }},
      {"erfc", [](Context &c) { return c.library("erfc"); }},
      {"sin", [](Context &c) { return c.library("sin"); }},
      {"cos", [](Context &c) { return c.library("cos"); }},
      {"tan", [](Context &c) { return c.library("tan"); }},
      {"asin", [](Context &c) { return c.library("asin"); }},
      {"acos", [](Context &c) { return c.library("acos"); }},
      {"atan", [](Context &c) { return c.library("atan"); }},
      {"sinh", [](Context &c) { return c.library("sinh"); }},
      {"cosh", [](Context &c) { return c.library("cosh"); }},
      {"asinh", [](Context &c) { return c.library("asinh"); }},
      {"acosh", [](Context &c) { return c.library("acosh"); }},
      {"atanh", [](Context &c) { return c.library("atanh"); }},
      {"atan2", [](Context &c) { return c.library("atan2"); }},
      {"ceil", [](Context &c) { return c.unary(Intrinsic::ceil, c.a()); }},
      {"floor", [](Context &c) { return c.unary(Intrinsic::floor, c.a()); }},
      {"round", [](Context &c) { return c.unary(Intrinsic::round, c.a()); }},
      {"round_even",
       [](Context &c) { return c.unary(Intrinsic::roundeven, c.a()); }},
  };
  return emitters;
}

/// Ops of complex numbers, and those that take them apart; nothing when the op
/// is none of them.
Elem emitComplex(Context &c, StringRef name) {
  auto [a, ai] = c.args[0];
  if (name == "complex")
    return {a, c.args[1].re};
  if (name == "real")
    return {a, nullptr};
  if (name == "imag")
    return {ai ? ai : ConstantFP::get(a->getType(), 0.0), nullptr};
  return ai ? buildComplex(c.builder, name, c.args) : Elem();
}

Elem emitSelect(LoopBuilder &builder, ArrayRef<Elem> args) {
  IRBuilder<> &ir = builder.ir;
  Elem result;
  result.re = ir.CreateSelect(args[0].re, args[1].re, args[2].re);
  if (args[1].im)
    result.im = ir.CreateSelect(args[0].re, args[1].im, args[2].im);
  return result;
}

/// Brings the operands to one number of lanes.
void unify(LoopBuilder &builder, MutableArrayRef<Elem> args) {
  int lanes = 1;
  for (Elem arg : args)
    lanes = std::max(lanes, getLanes(arg.re));
  for (Elem &arg : args) {
    arg.re = splat(builder, lanes, arg.re);
    if (arg.im)
      arg.im = splat(builder, lanes, arg.im);
  }
}

} // namespace

bool isPointwise(mlir::Operation *op) {
  if (!op->getName().getStringRef().starts_with("core."))
    return false;
  StringRef name = op->getName().stripDialect();
  return name == "convert" || name == "select" || name == "complex" ||
         name == "real" || name == "imag" ||
         getArithmeticEmitters().contains(name) ||
         getMathEmitters().contains(name);
}

Elem emitPointwise(LoopBuilder &builder, mlir::Operation *op,
                   ArrayRef<Elem> operands) {
  StringRef name = op->getName().stripDialect();
  mlir::Type type = mlir::getElementTypeOrSelf(op->getOperands().back());
  mlir::Type result = mlir::getElementTypeOrSelf(op->getResult(0));
  Context context{builder, builder.ir, op,
                  type,    result,     SmallVector<Elem, 3>(operands)};
  unify(builder, context.args);
  if (name == "select")
    return emitSelect(builder, context.args);
  if (name == "convert")
    return emitConvert(builder, context.args[0], type, result);
  if (Elem complex = emitComplex(context, name))
    return complex;
  if (context.args[0].im && name != "compare")
    return {};
  for (const StringMap<Emitter> *emitters :
       {&getArithmeticEmitters(), &getMathEmitters()}) {
    auto found = emitters->find(name);
    if (found != emitters->end())
      return {roundTo(builder, result, found->second(context)), nullptr};
  }
  return {};
}

static Value *convertPart(LoopBuilder &builder, Value *value, mlir::Type from,
                          mlir::Type to) {
  IRBuilder<> &ir = builder.ir;
  Type *target = getTypeLike(getRegisterType(ir.getContext(), to), value);
  bool fromFloat = mlir::isa<mlir::FloatType>(from);
  bool fromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (mlir::isa<mlir::FloatType>(to)) {
    if (fromFloat)
      value = ir.CreateFPCast(value, target);
    else
      value = fromUnsigned ? ir.CreateUIToFP(value, target)
                           : ir.CreateSIToFP(value, target);
    return roundTo(builder, to, value);
  }
  if (to.isInteger(1))
    return fromFloat
               ? ir.CreateFCmpUNE(value, ConstantFP::get(value->getType(), 0.0))
               : ir.CreateICmpNE(value, ConstantInt::get(value->getType(), 0));
  if (fromFloat)
    return ir.CreateIntrinsic(to.isUnsignedInteger() ? Intrinsic::fptoui_sat
                                                     : Intrinsic::fptosi_sat,
                              {target, value->getType()}, {value});
  return fromUnsigned ? ir.CreateZExtOrTrunc(value, target)
                      : ir.CreateSExtOrTrunc(value, target);
}

Elem emitConvert(LoopBuilder &builder, Elem value, mlir::Type from,
                 mlir::Type to) {
  auto fromComplex = mlir::dyn_cast<mlir::ComplexType>(from);
  auto toComplex = mlir::dyn_cast<mlir::ComplexType>(to);
  mlir::Type fromPart = fromComplex ? fromComplex.getElementType() : from;
  mlir::Type toPart = toComplex ? toComplex.getElementType() : to;
  Elem result;
  result.re = convertPart(builder, value.re, fromPart, toPart);
  if (!toComplex)
    return result;
  result.im = fromComplex ? convertPart(builder, value.im, fromPart, toPart)
                          : Constant::getNullValue(result.re->getType());
  return result;
}

Elem emitCombine(LoopBuilder &builder, ReductionKind kind, mlir::Type type,
                 Elem a, Elem b) {
  IRBuilder<> &ir = builder.ir;
  bool isFloat = !mlir::isa<mlir::IntegerType>(type);
  bool isBool = type.isInteger(1);
  switch (kind) {
  case ReductionKind::Sum:
    if (a.im)
      return {ir.CreateFAdd(a.re, b.re), ir.CreateFAdd(a.im, b.im)};
    return {isFloat  ? ir.CreateFAdd(a.re, b.re)
            : isBool ? ir.CreateOr(a.re, b.re)
                     : ir.CreateAdd(a.re, b.re),
            nullptr};
  case ReductionKind::Mul:
    if (a.im)
      return {
          ir.CreateFSub(ir.CreateFMul(a.re, b.re), ir.CreateFMul(a.im, b.im)),
          ir.CreateFAdd(ir.CreateFMul(a.re, b.im), ir.CreateFMul(a.im, b.re))};
    return {isFloat ? ir.CreateFMul(a.re, b.re) : ir.CreateMul(a.re, b.re),
            nullptr};
  case ReductionKind::Max:
  case ReductionKind::Min:
    return {emitExtremum(builder, kind == ReductionKind::Max, type, a.re, b.re),
            nullptr};
  case ReductionKind::And:
    return {ir.CreateAnd(a.re, b.re), nullptr};
  case ReductionKind::Or:
    return {ir.CreateOr(a.re, b.re), nullptr};
  case ReductionKind::Xor:
    return {ir.CreateXor(a.re, b.re), nullptr};
  }
  return {};
}

Elem getIdentity(LLVMContext &context, ReductionKind kind, mlir::Type type) {
  Type *part = getRegisterType(context, type);
  bool isFloat = part->isFloatingPointTy();
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  unsigned width = part->getScalarSizeInBits();
  auto integer = [&](const APInt &value) -> Elem {
    return {ConstantInt::get(part, value), nullptr};
  };
  Elem identity{Constant::getNullValue(part), nullptr};
  if (mlir::isa<mlir::ComplexType>(type))
    identity.im = identity.re;
  switch (kind) {
  case ReductionKind::Mul:
    identity.re = isFloat ? ConstantFP::get(part, 1.0)
                          : static_cast<Value *>(ConstantInt::get(part, 1));
    return identity;
  case ReductionKind::Max:
    if (isFloat)
      return {ConstantFP::getInfinity(part, /*Negative=*/true), nullptr};
    return integer(isUnsigned ? APInt::getMinValue(width)
                              : APInt::getSignedMinValue(width));
  case ReductionKind::Min:
    if (isFloat)
      return {ConstantFP::getInfinity(part), nullptr};
    return integer(isUnsigned ? APInt::getMaxValue(width)
                              : APInt::getSignedMaxValue(width));
  case ReductionKind::And:
    return integer(APInt::getAllOnes(width));
  default:
    return identity;
  }
}

} // namespace partita::cpu
