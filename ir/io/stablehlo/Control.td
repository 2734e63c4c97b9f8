//===- Control.td - StableHLO: control flow and calls ---------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_CONTROL_TD
#define PARTITA_IR_IO_STABLEHLO_CONTROL_TD

include "ir/io/stablehlo/Dialect.td"

def ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let arguments = (ins Variadic<IO_Value>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def IfOp : StableHLO_Op<"if", [RecursiveMemoryEffects]> {
  let arguments = (ins IO_PredTensor:$pred);
  let results = (outs Variadic<IO_Value>:$results);
  let regions = (region SizedRegion<1>:$true_branch,
                        SizedRegion<1>:$false_branch);
  let hasVerifier = 1;
}

def CaseOp : StableHLO_Op<"case", [RecursiveMemoryEffects]> {
  let arguments = (ins IO_ScalarInt:$index);
  let results = (outs Variadic<IO_Value>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let hasVerifier = 1;
}

def WhileOp : StableHLO_Op<"while", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<IO_Value>:$operand);
  let results = (outs Variadic<IO_Value>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def OptimizationBarrierOp
    : StableHLO_Op<"optimization_barrier", [Pure, IO_Pairwise]> {
  let arguments = (ins Variadic<IO_Value>:$operand);
  let results = (outs Variadic<IO_Value>:$result);
  // The attributes come first: an optional group cannot end in one.
  let assemblyFormat = [{
    attr-dict ($operand^ `:`
      custom<PairwiseTypes>(type($operand), type($result))):(`(` `)`)?
  }];
}

def TupleOp : StableHLO_Op<"tuple", [Pure]> {
  let arguments = (ins Variadic<IO_Value>:$val);
  let results = (outs IO_Tuple:$result);
  let assemblyFormat = [{
    $val attr-dict `:` custom<TupleTypes>(type($val), type($result))
  }];
  let hasVerifier = 1;
}

def GetTupleElementOp : StableHLO_Op<"get_tuple_element", [Pure]> {
  let arguments = (ins IO_Tuple:$operand,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$index);
  let results = (outs IO_Value:$result);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def CustomCallOp : StableHLO_Op<"custom_call"> {
  let arguments = (ins Variadic<IO_Value>:$inputs, StrAttr:$call_target_name,
      IO_FalseAttr:$has_side_effect,
      OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
      DefaultValuedOptionalAttr<StableHLO_ApiVersion,
        "::partita::stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL">:
        $api_version,
      DefaultValuedOptionalAttr<ArrayAttr, "{}">:$called_computations,
      OptionalAttr<ArrayAttr>:$operand_layouts,
      OptionalAttr<ArrayAttr>:$result_layouts,
      DefaultValuedOptionalAttr<ArrayAttr, "{}">:$output_operand_aliases,
      OptionalAttr<ArrayAttr>:$result_tilings);
  let results = (outs Variadic<IO_Value>:$results);
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)`
      attr-dict `:` functional-type(operands, results)
  }];
}

def CompositeOp : StableHLO_Op<"composite"> {
  let arguments = (ins Variadic<IO_Value>:$inputs, StrAttr:$name,
      OptionalAttr<DictionaryAttr>:$composite_attributes,
      FlatSymbolRefAttr:$decomposition,
      DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<IO_Value>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let assemblyFormat = [{
    $name operands (` ` `(` $composite_regions^ `)`)? attr-dict
      `:` functional-type(operands, results)
  }];
}

def AsyncStartOp : StableHLO_Op<"async_start"> {
  let arguments = (ins Variadic<IO_Value>:$operands);
  let results = (outs StableHLO_Future:$result);
  let regions = (region SizedRegion<1>:$body);
}

def AsyncDoneOp : StableHLO_Op<"async_done"> {
  let arguments = (ins StableHLO_Future:$operand);
  let results = (outs Variadic<IO_Value>:$results);
}

def RngOp : StableHLO_Op<"rng"> {
  let arguments = (ins IO_Scalar:$a, IO_Scalar:$b, IO_DimsTensor:$shape,
                       StableHLO_RngDistributionAttr:$rng_distribution);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution
      attr-dict `:` functional-type(operands, results)
  }];
}

def RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [Pure]> {
  let arguments = (ins StableHLO_RngAlgorithmAttr:$rng_algorithm,
                       IO_Tensor:$initial_state);
  let results = (outs IO_Tensor:$output_state, IO_Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` $rng_algorithm attr-dict
      `:` functional-type(operands, results)
  }];
}

#endif // PARTITA_IR_IO_STABLEHLO_CONTROL_TD
