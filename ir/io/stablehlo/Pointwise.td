//===- Pointwise.td - StableHLO: elementwise ops -----------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_POINTWISE_TD
#define PARTITA_IR_IO_STABLEHLO_POINTWISE_TD

include "ir/io/stablehlo/Dialect.td"

/// `op %x : type` where operand and result agree, else a function type.
class Unary<string mnemonic, Type operand = IO_Tensor, Type res = operand,
            list<Trait> traits = [IO_SameType]>
    : StableHLO_Op<mnemonic, [Pure] # traits> {
  let arguments = (ins operand:$operand);
  let results = (outs res:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<OneType>(type($operand), type($result))
  }];
}

/// A transcendental op: it may ask for an accuracy.
class Transcendental<string mnemonic>
    : Unary<mnemonic, IO_FloatOrComplexTensor> {
  let arguments = (ins IO_FloatOrComplexTensor:$operand,
      OptionalAttr<StableHLO_ResultAccuracy>:$result_accuracy);
}

class Binary<string mnemonic, Type operand = IO_Tensor>
    : StableHLO_Op<mnemonic, [Pure, IO_SameType]> {
  let arguments = (ins operand:$lhs, operand:$rhs);
  let results = (outs operand:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
      custom<OneType>(type($lhs), type($rhs), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

def AbsOp : Unary<"abs", IO_Tensor, IO_Tensor, [IO_SameShape]>;
def CeilOp : Unary<"ceil", IO_FloatTensor>;
def ConvertOp : Unary<"convert", IO_Tensor, IO_Tensor, [IO_SameShape]>;
def CountLeadingZerosOp : Unary<"count_leading_zeros", IO_IntTensor>;
def FloorOp : Unary<"floor", IO_FloatTensor>;
def ImagOp
    : Unary<"imag", IO_FloatOrComplexTensor, IO_FloatTensor, [IO_SameShape]>;
def NegateOp : Unary<"negate">;
def NotOp : Unary<"not", IO_BitsTensor>;
def PopcntOp : Unary<"popcnt", IO_IntTensor>;
def RealOp
    : Unary<"real", IO_FloatOrComplexTensor, IO_FloatTensor, [IO_SameShape]>;
def RoundNearestAfzOp : Unary<"round_nearest_afz", IO_FloatTensor>;
def RoundNearestEvenOp : Unary<"round_nearest_even", IO_FloatTensor>;
def SignOp : Unary<"sign">;
def UniformQuantizeOp
    : Unary<"uniform_quantize", IO_FloatTensor, IO_QuantizedTensor,
            [IO_SameShape]>;
def UniformDequantizeOp
    : Unary<"uniform_dequantize", IO_QuantizedTensor, IO_FloatTensor,
            [IO_SameShape]>;
def IsFiniteOp
    : Unary<"is_finite", IO_FloatTensor, IO_PredTensor, [IO_SameShape]> {
  let arguments = (ins IO_FloatTensor:$x);
  let results = (outs IO_PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def CbrtOp : Transcendental<"cbrt">;
def CosineOp : Transcendental<"cosine">;
def ExponentialOp : Transcendental<"exponential">;
def ExponentialMinusOneOp : Transcendental<"exponential_minus_one">;
def LogOp : Transcendental<"log">;
def LogPlusOneOp : Transcendental<"log_plus_one">;
def LogisticOp : Transcendental<"logistic">;
def RsqrtOp : Transcendental<"rsqrt">;
def SineOp : Transcendental<"sine">;
def SqrtOp : Transcendental<"sqrt">;
def TanOp : Transcendental<"tan">;
def TanhOp : Transcendental<"tanh">;

def ReducePrecisionOp
    : StableHLO_Op<"reduce_precision", [Pure, IO_SameType]> {
  let arguments = (ins IO_FloatTensor:$operand,
      ConfinedAttr<I32Attr, [IntPositive]>:$exponent_bits,
      ConfinedAttr<I32Attr, [IntNonNegative]>:$mantissa_bits);
  let results = (outs IO_FloatTensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=`
      custom<FloatFormat>($exponent_bits, $mantissa_bits)
      attr-dict `:` custom<OneType>(type($operand), type($output))
  }];
}

//===----------------------------------------------------------------------===//
// Two and more operands
//===----------------------------------------------------------------------===//

def AddOp : Binary<"add">;
def AndOp : Binary<"and", IO_BitsTensor>;
def Atan2Op : Binary<"atan2", IO_FloatOrComplexTensor>;
def DivideOp : Binary<"divide">;
def MaximumOp : Binary<"maximum">;
def MinimumOp : Binary<"minimum">;
def MultiplyOp : Binary<"multiply">;
def OrOp : Binary<"or", IO_BitsTensor>;
def PowerOp : Binary<"power">;
def RemainderOp : Binary<"remainder">;
def ShiftLeftOp : Binary<"shift_left", IO_IntTensor>;
def ShiftRightArithmeticOp : Binary<"shift_right_arithmetic", IO_IntTensor>;
def ShiftRightLogicalOp : Binary<"shift_right_logical", IO_IntTensor>;
def SubtractOp : Binary<"subtract">;
def XorOp : Binary<"xor", IO_BitsTensor>;

def ComplexOp : StableHLO_Op<"complex", [Pure, IO_SameShape]> {
  let arguments = (ins IO_FloatTensor:$lhs, IO_FloatTensor:$rhs);
  let results = (outs IO_ComplexTensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
      custom<ComplexType>(type($lhs), type($rhs), type($result))
  }];
}

def CompareOp : StableHLO_Op<"compare", [Pure, IO_SameShape]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs,
                       StableHLO_DirectionAttr:$comparison_direction,
                       OptionalAttr<StableHLO_CompareTypeAttr>:$compare_type);
  let results = (outs IO_PredTensor:$result);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)?
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def SelectOp : StableHLO_Op<"select", [Pure]> {
  let arguments = (ins IO_PredTensor:$pred, IO_Tensor:$on_true,
                       IO_Tensor:$on_false);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` custom<SelectType>(
      type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasVerifier = 1;
}

def ClampOp : StableHLO_Op<"clamp", [Pure, IO_SameElement]> {
  let arguments = (ins IO_Tensor:$min, IO_Tensor:$operand, IO_Tensor:$max);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:` custom<OneType>(
      type($min), type($operand), type($max), type($result))
  }];
  let hasVerifier = 1;
}

#endif // PARTITA_IR_IO_STABLEHLO_POINTWISE_TD
