//===- Chlo.td - CHLO: client ops that JAX prints undecomposed ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_CHLO_CHLO_TD
#define PARTITA_IR_IO_CHLO_CHLO_TD

include "ir/io/Base.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::partita::chlo";
  let summary = "CHLO's text form, for import";
  let description = [{
    Ops above StableHLO: special functions, implicit broadcasts, top_k,
    ragged_dot. Import takes them apart, except those that core has.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class CHLO_Op<string mnemonic, list<Trait> traits = []>
    : IO_Op<Chlo_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Enumerations and attributes
//===----------------------------------------------------------------------===//

class CHLO_Enum<string cppName, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<cppName, text, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::partita::chlo";
}

def CHLO_Direction : CHLO_Enum<"ComparisonDirection", "comparison", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
  I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
  I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>
]>;
def CHLO_DirectionAttr
    : EnumAttr<Chlo_Dialect, CHLO_Direction, "comparison_direction">;

def CHLO_CompareType : CHLO_Enum<"ComparisonType", "what is compared", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
  I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
  I32EnumAttrCase<"UNSIGNED", 4>
]>;
def CHLO_CompareTypeAttr
    : EnumAttr<Chlo_Dialect, CHLO_CompareType, "comparison_type">;

def CHLO_Precision : CHLO_Enum<"Precision", "operand precision", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
  I32EnumAttrCase<"HIGHEST", 2>
]>;
def CHLO_PrecisionAttr : EnumAttr<Chlo_Dialect, CHLO_Precision, "precision">;
def CHLO_PrecisionConfig
    : TypedArrayAttrBase<CHLO_PrecisionAttr, "a precision per operand">;

def CHLO_RaggedDotDims
    : AttrDef<Chlo_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "dimensions of a ragged dot";
  let parameters = (ins IO_Dims:$lhsBatch, IO_Dims:$rhsBatch,
                        IO_Dims:$lhsContracting, IO_Dims:$rhsContracting,
                        IO_Dims:$lhsRagged, IO_Dims:$rhsGroup);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// One operand: `chlo.erf %x : type -> type`
//===----------------------------------------------------------------------===//

class CHLO_Unary<string mnemonic, Type operand = IO_FloatOrComplexTensor,
                 Type res = operand>
    : CHLO_Op<mnemonic, [Pure, IO_SameShape]> {
  let arguments = (ins operand:$operand);
  let results = (outs res:$result);
  let assemblyFormat =
      "$operand attr-dict `:` type($operand) `->` type($result)";
}

def AsinAcosKernelOp : CHLO_Unary<"_asin_acos_kernel">;
def AcosOp : CHLO_Unary<"acos">;
def AcoshOp : CHLO_Unary<"acosh">;
def AsinOp : CHLO_Unary<"asin">;
def AsinhOp : CHLO_Unary<"asinh">;
def AtanOp : CHLO_Unary<"atan">;
def AtanhOp : CHLO_Unary<"atanh">;
def BesselI1eOp : CHLO_Unary<"bessel_i1e">;
def ConjOp : CHLO_Unary<"conj", IO_Tensor>;
def CoshOp : CHLO_Unary<"cosh">;
def DigammaOp : CHLO_Unary<"digamma">;
def ErfOp : CHLO_Unary<"erf">;
def ErfInvOp : CHLO_Unary<"erf_inv">;
def ErfcOp : CHLO_Unary<"erfc">;
def IsInfOp : CHLO_Unary<"is_inf", IO_FloatTensor, IO_PredTensor>;
def IsNegInfOp : CHLO_Unary<"is_neg_inf", IO_FloatTensor, IO_PredTensor>;
def IsPosInfOp : CHLO_Unary<"is_pos_inf", IO_FloatTensor, IO_PredTensor>;
def LgammaOp : CHLO_Unary<"lgamma">;
def SinhOp : CHLO_Unary<"sinh">;
def SquareOp : CHLO_Unary<"square", IO_Tensor>;
def TanOp : CHLO_Unary<"tan">;

//===----------------------------------------------------------------------===//
// Two operands of one shape: `chlo.zeta %x, %q : type, type -> type`
//===----------------------------------------------------------------------===//

class CHLO_Binary<string mnemonic, Type operand = IO_FloatTensor>
    : CHLO_Op<mnemonic, [Pure, IO_SameType]> {
  let arguments = (ins operand:$lhs, operand:$rhs);
  let results = (outs operand:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

def MulhiOp : CHLO_Binary<"mulhi", IO_IntTensor>;
def NextAfterOp : CHLO_Binary<"next_after">;
def PolygammaOp : CHLO_Binary<"polygamma">;
def ZetaOp : CHLO_Binary<"zeta">;

//===----------------------------------------------------------------------===//
// Implicit broadcasts: `chlo.broadcast_add %a, %b : (type, type) -> type`
//===----------------------------------------------------------------------===//

class CHLO_Broadcast<string mnemonic, Type operand = IO_Tensor,
                     Type res = operand>
    : CHLO_Op<mnemonic, [Pure]> {
  let arguments = (ins operand:$lhs, operand:$rhs,
                       IO_OptDims:$broadcast_dimensions);
  let results = (outs res:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def BroadcastAddOp : CHLO_Broadcast<"broadcast_add">;
def BroadcastAndOp : CHLO_Broadcast<"broadcast_and", IO_BitsTensor>;
def BroadcastAtan2Op : CHLO_Broadcast<"broadcast_atan2">;
def BroadcastComplexOp
    : CHLO_Broadcast<"broadcast_complex", IO_FloatTensor, IO_ComplexTensor>;
def BroadcastDivideOp : CHLO_Broadcast<"broadcast_divide">;
def BroadcastMaximumOp : CHLO_Broadcast<"broadcast_maximum">;
def BroadcastMinimumOp : CHLO_Broadcast<"broadcast_minimum">;
def BroadcastMultiplyOp : CHLO_Broadcast<"broadcast_multiply">;
def BroadcastNextAfterOp
    : CHLO_Broadcast<"broadcast_next_after", IO_FloatTensor>;
def BroadcastOrOp : CHLO_Broadcast<"broadcast_or", IO_BitsTensor>;
def BroadcastPolygammaOp
    : CHLO_Broadcast<"broadcast_polygamma", IO_FloatTensor>;
def BroadcastPowerOp : CHLO_Broadcast<"broadcast_power">;
def BroadcastRemainderOp : CHLO_Broadcast<"broadcast_remainder">;
def BroadcastShiftLeftOp : CHLO_Broadcast<"broadcast_shift_left">;
def BroadcastShiftRightArithmeticOp
    : CHLO_Broadcast<"broadcast_shift_right_arithmetic">;
def BroadcastShiftRightLogicalOp
    : CHLO_Broadcast<"broadcast_shift_right_logical">;
def BroadcastSubtractOp : CHLO_Broadcast<"broadcast_subtract">;
def BroadcastXorOp : CHLO_Broadcast<"broadcast_xor", IO_BitsTensor>;
def BroadcastZetaOp : CHLO_Broadcast<"broadcast_zeta", IO_FloatTensor>;

def BroadcastCompareOp : CHLO_Op<"broadcast_compare", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs,
                       IO_OptDims:$broadcast_dimensions,
                       CHLO_DirectionAttr:$comparison_direction,
                       OptionalAttr<CHLO_CompareTypeAttr>:$compare_type);
  let results = (outs IO_PredTensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def BroadcastSelectOp : CHLO_Op<"broadcast_select", [Pure]> {
  let arguments = (ins IO_PredTensor:$pred, IO_Tensor:$on_true,
                       IO_Tensor:$on_false);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict
      `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Constants, sorting, contraction, scans
//===----------------------------------------------------------------------===//

def ConstantOp : CHLO_Op<"constant", [Pure, AllTypesMatch<["value", "output"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs IO_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
}

def ConstantLikeOp : CHLO_Op<"constant_like", [Pure]> {
  let arguments = (ins TypedAttrInterface:$value, IO_Tensor:$operand);
  let results = (outs IO_Tensor:$result);
}

def TopKOp : CHLO_Op<"top_k", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, I64Attr:$k,
                       DefaultValuedOptionalAttr<BoolAttr, "true">:$is_stable);
  let results = (outs IO_Tensor:$values, IO_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable^)? `)`
      attr-dict `:` type($operand) `->`
      `(` type($values) `,` type($indices) `)`
  }];
  let hasVerifier = 1;
}

def RaggedDotOp : CHLO_Op<"ragged_dot", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs,
      IO_IntTensor:$group_sizes,
      CHLO_RaggedDotDims:$ragged_dot_dimension_numbers,
      OptionalAttr<CHLO_PrecisionConfig>:$precision_config);
  let results = (outs IO_Tensor:$result);
  let hasVerifier = 1;
}

def ScanOp : CHLO_Op<"scan", [RecursiveMemoryEffects, AttrSizedOperandSegments,
                              AttrSizedResultSegments]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs, Variadic<IO_Tensor>:$inits,
                       IO_NonNegative:$dimension,
                       OptionalAttr<IO_NonNegative>:$scan_dim_size,
                       IO_FalseAttr:$is_reverse,
                       OptionalAttr<BoolAttr>:$is_associative);
  let results = (outs Variadic<IO_Tensor>:$outputs,
                      Variadic<IO_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

#endif // PARTITA_IR_IO_CHLO_CHLO_TD
