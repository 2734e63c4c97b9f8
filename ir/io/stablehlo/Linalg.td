//===- Linalg.td - StableHLO: contraction, convolution, linear algebra ----===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_LINALG_TD
#define PARTITA_IR_IO_STABLEHLO_LINALG_TD

include "ir/io/stablehlo/Dialect.td"

def DotOp : StableHLO_Op<"dot", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs,
                       OptionalAttr<StableHLO_PrecisionConfig>:$precision_config);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionConfig>($precision_config)
      attr-dict `:` functional-type(operands, results)
  }];
}

def DotGeneralOp : StableHLO_Op<"dot_general", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs,
      StableHLO_DotDims:$dot_dimension_numbers,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config,
      OptionalAttr<StableHLO_DotAlgorithm>:$algorithm);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDims>($dot_dimension_numbers) ``
      custom<PrecisionAndAlgorithm>($precision_config, $algorithm)
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def EinsumOp : StableHLO_Op<"einsum", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config
      attr-dict `:` functional-type(operands, results)
  }];
}

def UnaryEinsumOp : StableHLO_Op<"unary_einsum", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config
      attr-dict `:` functional-type(operands, results)
  }];
}

def ConvolutionOp : StableHLO_Op<"convolution", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs,
      IO_OptDims:$window_strides, OptionalAttr<IO_Elements>:$padding,
      IO_OptDims:$lhs_dilation, IO_OptDims:$rhs_dilation,
      OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
      StableHLO_ConvDims:$dimension_numbers,
      IO_Positive:$feature_group_count, IO_Positive:$batch_group_count,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvDims>($dimension_numbers) `,`
      `window` `=` `{` custom<Window>($window_strides, $padding, $lhs_dilation,
                                      $rhs_dilation, $window_reversal) `}`
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def DynamicConvOp : StableHLO_Op<"dynamic_conv", [Pure]> {
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs, IO_Tensor:$padding,
      IO_OptDims:$window_strides, IO_OptDims:$lhs_dilation,
      IO_OptDims:$rhs_dilation,
      OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
      StableHLO_ConvDims:$dimension_numbers,
      IO_Positive:$feature_group_count, IO_Positive:$batch_group_count,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config);
  let results = (outs IO_Tensor:$result);
}

def CholeskyOp : StableHLO_Op<"cholesky", [Pure, IO_SameType]> {
  let arguments = (ins IO_FloatOrComplexTensor:$a, IO_FalseAttr:$lower);
  let results = (outs IO_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict
      `:` custom<OneType>(type($a), type($result))
  }];
}

def TriangularSolveOp : StableHLO_Op<"triangular_solve", [Pure]> {
  let arguments = (ins IO_FloatOrComplexTensor:$a, IO_FloatOrComplexTensor:$b,
                       BoolAttr:$left_side, BoolAttr:$lower,
                       BoolAttr:$unit_diagonal,
                       StableHLO_TransposeAttr:$transpose_a);
  let results = (outs IO_FloatOrComplexTensor:$result);
}

def FftOp : StableHLO_Op<"fft", [Pure]> {
  let arguments = (ins IO_FloatOrComplexTensor:$operand,
                       StableHLO_FftTypeAttr:$fft_type,
                       DenseI64ArrayAttr:$fft_length);
  let results = (outs IO_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length
      attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PARTITA_IR_IO_STABLEHLO_LINALG_TD
