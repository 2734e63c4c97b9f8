//===- PointwiseOps.td - Ops on corresponding elements -----*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_POINTWISEOPS_TD
#define PARTITA_IR_CORE_POINTWISEOPS_TD

include "ir/core/CoreOpBase.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// A float op that is one op of the math dialect (`math`), or, for complex
/// numbers, one of the complex dialect (`complexOp`). `function` is what the
/// interpreter calls.
class Core_MathOp<string mnemonic, string function, string math, string complexOp = ""> : Core_UnaryOp<
    mnemonic, !if(!empty(complexOp), Core_Floats, Core_Inexacts), function # "(a)",
    !if(!empty(complexOp), "", [{
      if (::llvm::isa<::mlir::ComplexType>(type))
        return ::mlir::complex::}] # complexOp # [{::create(builder, loc, args[0]);
    }]) # "return ::mlir::math::" # math # "::create(builder, loc, args[0]);">;

def Core_NegOp : Core_UnaryOp<"neg", Core_Tensor, "eval::negate(a)",
    [{ return scalar::buildNeg(builder, loc, type, args[0]); }]> {
  let summary = "Elementwise negation";
}
def Core_NotOp : Core_UnaryOp<"not", Core_Integers, "eval::invert(a)",
    [{ return scalar::buildNot(builder, loc, args[0]); }]> {
  let summary = "Elementwise bitwise complement; logical not of i1";
}
def Core_SignOp : Core_UnaryOp<"sign", Core_Tensor, "eval::getSign(a)",
    [{ return scalar::buildSign(builder, loc, type, args[0]); }]> {
  let summary = "Elementwise -1, 0 or 1; keeps NaN and the sign of zeros; x/|x| of complex x";
}
def Core_PopcntOp : Core_UnaryOp<"popcnt", Core_Integers, "eval::countOnes(a, bits)",
    [{ return ::mlir::math::CtPopOp::create(builder, loc, args[0]); }]> {
  let summary = "Elementwise number of one bits";
}
def Core_ClzOp : Core_UnaryOp<"clz", Core_Integers, "eval::countLeadingZeros(a, bits)",
    [{ return ::mlir::math::CountLeadingZerosOp::create(builder, loc, args[0]); }]> {
  let summary = "Elementwise number of leading zero bits";
}
def Core_ExpOp : Core_MathOp<"exp", "std::exp", "ExpOp", "ExpOp"> {
  let summary = "Elementwise e to the power of the operand";
}
def Core_Expm1Op : Core_MathOp<"expm1", "eval::expm1", "ExpM1Op", "Expm1Op"> {
  let summary = "Elementwise exp(x) - 1, accurate near zero";
}
def Core_LogOp : Core_MathOp<"log", "std::log", "LogOp", "LogOp"> {
  let summary = "Elementwise natural logarithm";
}
def Core_Log1pOp : Core_MathOp<"log1p", "eval::log1p", "Log1pOp", "Log1pOp"> {
  let summary = "Elementwise log(1 + x), accurate near zero";
}
def Core_LogisticOp : Core_UnaryOp<"logistic", Core_Inexacts, "eval::logistic(a)",
    [{ return scalar::buildLogistic(builder, loc, type, args[0]); }]> {
  let summary = "Elementwise 1 / (1 + exp(-x))";
}
def Core_TanhOp : Core_MathOp<"tanh", "std::tanh", "TanhOp", "TanhOp"> {
  let summary = "Elementwise hyperbolic tangent";
}
def Core_TanOp : Core_MathOp<"tan", "std::tan", "TanOp", "TanOp"> {
  let summary = "Elementwise tangent";
}
def Core_SinOp : Core_MathOp<"sin", "std::sin", "SinOp", "SinOp"> {
  let summary = "Elementwise sine";
}
def Core_CosOp : Core_MathOp<"cos", "std::cos", "CosOp", "CosOp"> {
  let summary = "Elementwise cosine";
}
def Core_SqrtOp : Core_MathOp<"sqrt", "std::sqrt", "SqrtOp", "SqrtOp"> {
  let summary = "Elementwise square root";
}
def Core_RsqrtOp : Core_MathOp<"rsqrt", "eval::rsqrt", "RsqrtOp", "RsqrtOp"> {
  let summary = "Elementwise 1 / sqrt(x)";
}
def Core_CbrtOp : Core_MathOp<"cbrt", "std::cbrt", "CbrtOp"> {
  let summary = "Elementwise cube root";
}
def Core_CeilOp : Core_MathOp<"ceil", "std::ceil", "CeilOp"> {
  let summary = "Elementwise least integer not below x";
}
def Core_FloorOp : Core_MathOp<"floor", "std::floor", "FloorOp"> {
  let summary = "Elementwise greatest integer not above x";
}
def Core_RoundOp : Core_MathOp<"round", "std::round", "RoundOp"> {
  let summary = "Elementwise nearest integer, halves away from zero";
}
def Core_RoundEvenOp : Core_MathOp<"round_even", "std::nearbyint", "RoundEvenOp"> {
  let summary = "Elementwise nearest integer, halves to even";
}
def Core_ErfOp : Core_MathOp<"erf", "std::erf", "ErfOp"> {
  let summary = "Elementwise error function";
}
def Core_ErfcOp : Core_MathOp<"erfc", "std::erfc", "ErfcOp"> {
  let summary = "Elementwise 1 - erf(x), accurate for large x";
}
def Core_AcosOp : Core_MathOp<"acos", "std::acos", "AcosOp"> {
  let summary = "Elementwise inverse cosine";
}
def Core_AcoshOp : Core_MathOp<"acosh", "std::acosh", "AcoshOp"> {
  let summary = "Elementwise inverse hyperbolic cosine";
}
def Core_AsinOp : Core_MathOp<"asin", "std::asin", "AsinOp"> {
  let summary = "Elementwise inverse sine";
}
def Core_AsinhOp : Core_MathOp<"asinh", "std::asinh", "AsinhOp"> {
  let summary = "Elementwise inverse hyperbolic sine";
}
def Core_AtanOp : Core_MathOp<"atan", "std::atan", "AtanOp"> {
  let summary = "Elementwise inverse tangent";
}
def Core_AtanhOp : Core_MathOp<"atanh", "std::atanh", "AtanhOp"> {
  let summary = "Elementwise inverse hyperbolic tangent";
}
def Core_CoshOp : Core_MathOp<"cosh", "std::cosh", "CoshOp"> {
  let summary = "Elementwise hyperbolic cosine";
}
def Core_SinhOp : Core_MathOp<"sinh", "std::sinh", "SinhOp"> {
  let summary = "Elementwise hyperbolic sine";
}
def Core_ReducePrecisionOp : Core_UnaryOp<"reduce_precision", Core_Floats,
    "eval::reducePrecision(a, operands[0].getDType(), getExponentBits(), getMantissaBits())", [{
    return scalar::buildReducePrecision(builder, loc, args[0], getExponentBits(),
                                        getMantissaBits());
  }]> {
  let summary = "Rounds to a float format with fewer bits, and back";
  let example = Core_Example<"reduce_precision",
      "%x: tensor<4x6xf32>",
      "core.reduce_precision %x to e 5 m 10 : tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Core_Floats:$operand, I64Attr:$exponent_bits, I64Attr:$mantissa_bits);
  let assemblyFormat = [{
    $operand `to` `e` $exponent_bits `m` $mantissa_bits attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// One operand, another element type
//===----------------------------------------------------------------------===//

def Core_AbsOp : Core_MappingOp<"abs", Core_Tensor, "getRealType(type)",
    "eval::getAbs(a)", [{ return scalar::buildAbs(builder, loc, type, args[0]); }]> {
  let summary = "Elementwise absolute value; a float for complex numbers";
}
def Core_RealOp : Core_MappingOp<"real", Core_Inexacts, "getRealType(type)",
    "std::real(a)", [{
    return ::llvm::isa<::mlir::ComplexType>(type)
        ? ::mlir::Value(::mlir::complex::ReOp::create(builder, loc, args[0])) : args[0];
  }]> {
  let summary = "Elementwise real part";
}
def Core_ImagOp : Core_MappingOp<"imag", Core_Inexacts, "getRealType(type)",
    "std::imag(a)", [{ return scalar::buildImag(builder, loc, type, args[0]); }]> {
  let summary = "Elementwise imaginary part; 0 for floats";
}
def Core_IsFiniteOp : Core_MappingOp<"is_finite", Core_Floats,
    "::mlir::IntegerType::get(type.getContext(), 1)",
    "std::isfinite(a)", [{ return ::mlir::math::IsFiniteOp::create(builder, loc, args[0]); }]> {
  let summary = "Whether each element is neither infinite nor NaN";
  let example = Core_Example<"is_finite",
      "%x: tensor<4x6xf32>",
      "core.is_finite %x : tensor<4x6xf32>",
      "tensor<4x6xi1>">.text;
}
def Core_ConvertOp : Core_PointwiseOp<"convert", [SameOperandsAndResultShape], [{
    results.push_back(eval::convert(operands[0], eval::getDTypeOf(getResult())));
    return ::mlir::success();
  }],
    [{ return scalar::buildConvert(builder, loc, type, to, args[0]); }]> {
  let summary = "Elementwise conversion to another element type";
  let description = [{
    Floats become integers by truncation; out of range they saturate, NaN
    becomes 0. Integers wrap to narrower ones. To i1: whether not zero. Complex
    numbers lose their imaginary part when converted to real ones.
  }];
  let example = Core_Example<"convert",
      "%x: tensor<4x6xf32>",
      "core.convert %x : (tensor<4x6xf32>) -> tensor<4x6xi32>",
      "tensor<4x6xi32>">.text;
  let arguments = (ins Core_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` functional-type($operand, $result)";
  let hasFolder = 1;
}
def Core_BitcastOp : Core_PointwiseOp<"bitcast", [SameOperandsAndResultShape], [{
    results.push_back(eval::reinterpret(operands[0], eval::getDTypeOf(getResult()),
                                        operands[0].getShape()));
    return ::mlir::success();
  }],
    [{ return scalar::buildBitcast(builder, loc, to, args[0]); }]> {
  let summary = "The same bits as another element type of the same width";
  let example = Core_Example<"bitcast",
      "%x: tensor<4x6xf32>",
      "core.bitcast %x : (tensor<4x6xf32>) -> tensor<4x6xi32>",
      "tensor<4x6xi32>">.text;
  let arguments = (ins Core_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` functional-type($operand, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

def Core_AddOp : Core_BinaryOp<"add", Core_Tensor, "eval::plus(a, b)",
    [{ return scalar::buildAdd(builder, loc, type, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise sum; logical or of i1";
}
def Core_SubOp : Core_BinaryOp<"sub", Core_Tensor, "eval::minus(a, b)",
    [{ return scalar::buildSub(builder, loc, type, args[0], args[1]); }]> {
  let summary = "Elementwise difference";
}
def Core_MulOp : Core_BinaryOp<"mul", Core_Tensor, "eval::times(a, b)",
    [{ return scalar::buildMul(builder, loc, type, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise product; logical and of i1";
}
def Core_DivOp : Core_BinaryOp<"div", Core_Tensor, "eval::divide(a, b)",
    [{ return scalar::buildDiv(builder, loc, type, args[0], args[1]); }]> {
  let summary = "Elementwise quotient";
  let description = [{
    Integers round towards zero; x / 0 is -1 (all bits set), and the lowest
    integer divided by -1 is itself.
  }];
}
def Core_RemOp : Core_BinaryOp<"rem", Core_Reals, "eval::remainder(a, b)",
    [{ return scalar::buildRem(builder, loc, type, args[0], args[1]); }]> {
  let summary = "Elementwise remainder with the dividend's sign; x rem 0 is x for integers";
}
def Core_MaxOp : Core_BinaryOp<"max", Core_Tensor, "eval::maximum(a, b)",
    [{ return scalar::buildMax(builder, loc, type, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise maximum; NaN if either is";
}
def Core_MinOp : Core_BinaryOp<"min", Core_Tensor, "eval::minimum(a, b)",
    [{ return scalar::buildMin(builder, loc, type, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise minimum; NaN if either is";
}
def Core_PowOp : Core_BinaryOp<"pow", Core_Tensor, "eval::power(a, b)",
    [{ return scalar::buildPow(builder, loc, type, args[0], args[1]); }]> {
  let summary = "Elementwise power";
  let description = [{
    Of integers: a negative exponent gives 0, except that 1 and -1 keep their
    powers.
  }];
}
def Core_Atan2Op : Core_BinaryOp<"atan2", Core_Inexacts, "eval::arcTangent2(a, b)",
    [{ return scalar::buildAtan2(builder, loc, type, args[0], args[1]); }]> {
  let summary = "Elementwise angle of the point (rhs, lhs)";
}
def Core_AndOp : Core_BinaryOp<"and", Core_Integers, "a & b",
    [{ return ::mlir::arith::AndIOp::create(builder, loc, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise bitwise and";
}
def Core_OrOp : Core_BinaryOp<"or", Core_Integers, "a | b",
    [{ return ::mlir::arith::OrIOp::create(builder, loc, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise bitwise or";
}
def Core_XorOp : Core_BinaryOp<"xor", Core_Integers, "a ^ b",
    [{ return ::mlir::arith::XOrIOp::create(builder, loc, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise bitwise exclusive or";
}
def Core_ShlOp : Core_BinaryOp<"shl", Core_Integers, "eval::shiftLeft(a, b, bits)",
    [{ return scalar::buildShl(builder, loc, args[0], args[1]); }]> {
  let summary = "Elementwise shift to the left; 0 if the shift is the width or more";
}
def Core_ShrLogicalOp : Core_BinaryOp<"shr_logical", Core_Integers, "eval::shiftRightLogical(a, b, bits)",
    [{ return scalar::buildShrLogical(builder, loc, args[0], args[1]); }]> {
  let summary = "Elementwise shift to the right, filling with 0";
}
def Core_ShrArithOp : Core_BinaryOp<"shr_arith", Core_Integers, "eval::shiftRightArithmetic(a, b, bits)",
    [{ return scalar::buildShrArith(builder, loc, args[0], args[1]); }]> {
  let summary = "Elementwise shift to the right, filling with the sign bit";
}
def Core_ComplexOp : Core_PointwiseOp<"complex", [
    AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"result is complex with the operands' element type", "lhs", "result",
        "::partita::core::mapElementType($_self, [](::mlir::Type type) {"
        " return ::mlir::Type(::mlir::ComplexType::get(type)); })">],
    Core_Evaluation<Core_Floats, 2, "std::complex<decltype(a)>(a, b)">.text, [{
    return ::mlir::complex::CreateOp::create(builder, loc, ::mlir::ComplexType::get(args[0].getType()), args[0], args[1]);
  }]> {
  let summary = "Elementwise complex number of a real and an imaginary part";
  let example = Core_Example<"complex",
      "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>",
      "core.complex %x, %y : tensor<4x6xf32>",
      "tensor<4x6xcomplex<f32>>">.text;
  let arguments = (ins Core_Floats:$lhs, Core_Floats:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}
def Core_CompareOp : Core_PointwiseOp<"compare", [
    AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"result is i1 of the operands' shape", "lhs", "result",
        "::partita::core::mapElementType($_self, [](::mlir::Type type) {"
        " return ::mlir::Type(::mlir::IntegerType::get(type.getContext(), 1)); })">],
    Core_Evaluation<Core_Tensor, 2, "eval::compare(getDirection(), getTotal(), a, b)">.text, [{
    return scalar::buildCompare(builder, loc, type, getDirection(), getTotal(), args[0], args[1]);
  }]> {
  let summary = "Elementwise comparison";
  let description = [{
    NaN is unequal to everything, and neither less nor greater. With `total`,
    floats are ordered by IEEE 754's totalOrder: -NaN < -inf < … < -0 < 0 < … < NaN.
  }];
  let example = Core_Example<"compare",
      "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>",
      "core.compare lt %x, %y : tensor<4x6xf32>",
      "tensor<4x6xi1>">.text;
  let arguments = (ins Core_Tensor:$lhs, Core_Tensor:$rhs,
                       Core_ComparisonAttr:$direction, UnitAttr:$total);
  let assemblyFormat = [{
    $direction (`total` $total^)? $lhs `,` $rhs attr-dict `:` type($lhs)
  }];
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

def Core_SelectOp : Core_PointwiseOp<"select", [
    AllTypesMatch<["on_true", "on_false", "result"]>,
    AllShapesMatch<["pred", "on_true"]>], [{
    results.push_back(eval::select(operands[0], operands[1], operands[2]));
    return ::mlir::success();
  }], [{
    return ::mlir::arith::SelectOp::create(builder, loc, args[0], args[1], args[2]);
  }]> {
  let summary = "Elementwise choice: on_true where pred holds, else on_false";
  let example = Core_Example<"select",
      "%p: tensor<4x6xi1>, %x: tensor<4x6xf32>, %y: tensor<4x6xf32>",
      "core.select %p, %x, %y : tensor<4x6xi1>, tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Core_Bools:$pred, Core_Tensor:$on_true, Core_Tensor:$on_false);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:` type($pred) `,` type($result)
  }];
  let hasFolder = 1;
}
def Core_ClampOp : Core_PointwiseOp<"clamp", [SameOperandsAndResultType],
    Core_Evaluation<Core_Reals, 3, "eval::minimum(eval::maximum(b, a), c)">.text, [{
    return scalar::buildClamp(builder, loc, type, args[0], args[1], args[2]);
  }]> {
  let summary = "Elementwise min(max(operand, min), max)";
  let example = Core_Example<"clamp",
      "%low: tensor<4x6xf32>, %x: tensor<4x6xf32>, %high: tensor<4x6xf32>",
      "core.clamp %low, %x, %high : tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Core_Reals:$min, Core_Reals:$operand, Core_Reals:$max);
  let assemblyFormat = "$min `,` $operand `,` $max attr-dict `:` type($result)";
}

#endif // PARTITA_IR_CORE_POINTWISEOPS_TD
