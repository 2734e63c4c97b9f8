//===- Reduction.td - StableHLO: reductions, windows, normalisation -------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_REDUCTION_TD
#define PARTITA_IR_IO_STABLEHLO_REDUCTION_TD

include "ir/io/stablehlo/Dialect.td"

def ReduceOp
    : StableHLO_Op<"reduce", [RecursiveMemoryEffects,
                              SameVariadicOperandSize]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs,
                       Variadic<IO_Tensor>:$init_values,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<IO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def ReduceWindowOp
    : StableHLO_Op<"reduce_window", [RecursiveMemoryEffects,
                                     SameVariadicOperandSize]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs,
                       Variadic<IO_Tensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions,
                       IO_OptDims:$window_strides, IO_OptDims:$base_dilations,
                       IO_OptDims:$window_dilations,
                       OptionalAttr<IO_Elements>:$padding);
  let results = (outs Variadic<IO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def SelectAndScatterOp
    : StableHLO_Op<"select_and_scatter", [RecursiveMemoryEffects]> {
  let arguments = (ins IO_Tensor:$operand, IO_Tensor:$source,
                       IO_Tensor:$init_value, IO_OptDims:$window_dimensions,
                       IO_OptDims:$window_strides,
                       OptionalAttr<IO_Elements>:$padding);
  let results = (outs IO_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasVerifier = 1;
}

def MapOp : StableHLO_Op<"map", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs IO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

def BatchNormGradOp : StableHLO_Op<"batch_norm_grad", [Pure]> {
  let arguments = (ins IO_FloatTensor:$operand, IO_FloatTensor:$scale,
                       IO_FloatTensor:$mean, IO_FloatTensor:$variance,
                       IO_FloatTensor:$grad_output, F32Attr:$epsilon,
                       IO_NonNegative:$feature_index);
  let results = (outs IO_FloatTensor:$grad_operand, IO_FloatTensor:$grad_scale,
                      IO_FloatTensor:$grad_offset);
}

def BatchNormInferenceOp : StableHLO_Op<"batch_norm_inference", [Pure]> {
  let arguments = (ins IO_FloatTensor:$operand, IO_FloatTensor:$scale,
                       IO_FloatTensor:$offset, IO_FloatTensor:$mean,
                       IO_FloatTensor:$variance, F32Attr:$epsilon,
                       IO_NonNegative:$feature_index);
  let results = (outs IO_FloatTensor:$result);
}

def BatchNormTrainingOp : StableHLO_Op<"batch_norm_training", [Pure]> {
  let arguments = (ins IO_FloatTensor:$operand, IO_FloatTensor:$scale,
                       IO_FloatTensor:$offset, F32Attr:$epsilon,
                       IO_NonNegative:$feature_index);
  let results = (outs IO_FloatTensor:$output, IO_FloatTensor:$batch_mean,
                      IO_FloatTensor:$batch_var);
}

#endif // PARTITA_IR_IO_STABLEHLO_REDUCTION_TD
