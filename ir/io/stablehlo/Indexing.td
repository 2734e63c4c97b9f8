//===- Indexing.td - StableHLO: gather, scatter, dynamic slices, sort -----===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_INDEXING_TD
#define PARTITA_IR_IO_STABLEHLO_INDEXING_TD

include "ir/io/stablehlo/Dialect.td"

def DynamicSliceOp : StableHLO_Op<"dynamic_slice", [Pure]> {
  let arguments = (ins IO_Tensor:$operand,
                       Variadic<IO_ScalarInt>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<OperandsThenAttribute>($start_indices)
      `sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def DynamicUpdateSliceOp : StableHLO_Op<"dynamic_update_slice", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_Tensor:$update,
                       Variadic<IO_ScalarInt>:$start_indices);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def GatherOp : StableHLO_Op<"gather", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_IntTensor:$start_indices,
                       StableHLO_GatherDims:$dimension_numbers,
                       DenseI64ArrayAttr:$slice_sizes,
                       IO_FalseAttr:$indices_are_sorted);
  let results = (outs IO_Tensor:$result);
  let hasVerifier = 1;
}

def DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_IntTensor:$start_indices,
                       IO_DimsTensor:$slice_sizes,
                       StableHLO_GatherDims:$dimension_numbers,
                       IO_FalseAttr:$indices_are_sorted);
  let results = (outs IO_Tensor:$result);
}

def ScatterOp
    : StableHLO_Op<"scatter", [RecursiveMemoryEffects,
                               SameVariadicOperandSize]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs,
                       IO_IntTensor:$scatter_indices,
                       Variadic<IO_Tensor>:$updates,
                       StableHLO_ScatterDims:$scatter_dimension_numbers,
                       IO_FalseAttr:$indices_are_sorted,
                       IO_FalseAttr:$unique_indices);
  let results = (outs Variadic<IO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasVerifier = 1;
}

def SortOp : StableHLO_Op<"sort", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs,
                       DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       IO_FalseAttr:$is_stable);
  let results = (outs Variadic<IO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let hasVerifier = 1;
}

def TorchIndexSelectOp : StableHLO_Op<"torch_index_select", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_Tensor:$index, I64Attr:$dim,
                       I64Attr:$batch_dims);
  let results = (outs IO_Tensor:$result);
}

#endif // PARTITA_IR_IO_STABLEHLO_INDEXING_TD
