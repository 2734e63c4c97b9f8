//===- IndexingOps.td - Reads and writes at computed places ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_INDEXINGOPS_TD
#define PARTITA_IR_CORE_INDEXINGOPS_TD

include "ir/core/CoreOpBase.td"

def Core_DynamicSliceOp : Core_RuleOp<"dynamic_slice", [InferTypeOpAdaptor]> {
  let summary = "A part of fixed size at a computed place";
  let description = [{
    There is one scalar index per dimension. Indices are clamped so that the
    part lies within the operand.
  }];
  let example = Core_Example<"dynamic_slice",
      "%x: tensor<4x6xf32>, %i: tensor<i32>, %j: tensor<i32>",
      "core.dynamic_slice %x at (%i, %j) sizes [4, 2] : "
      "(tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>",
      "tensor<4x2xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, Variadic<Core_Integers>:$indices,
                       DenseI64ArrayAttr:$sizes);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `at` `(` $indices `)` `sizes` $sizes attr-dict
    `:` functional-type(operands, $result)
  }];
}

def Core_DynamicUpdateSliceOp : Core_RuleOp<"dynamic_update_slice", [
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "The operand with a part at a computed place replaced";
  let description = [{
    There is one scalar index per dimension. Indices are clamped so that the
    update lies within the operand.
  }];
  let example = Core_Example<"dynamic_update_slice",
      "%x: tensor<4x6xf32>, %y: tensor<4x2xf32>, %i: tensor<i32>, %j: "
      "tensor<i32>",
      "core.dynamic_update_slice %x, %y at (%i, %j) : (tensor<4x6xf32>, "
      "tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, Core_Tensor:$update,
                       Variadic<Core_Integers>:$indices);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $update `at` `(` $indices `)` attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Core_GatherOp : Core_RuleOp<"gather", [InferTypeOpAdaptor]> {
  let summary = "Slices of the operand at places listed in a tensor";
  let description = [{
    As StableHLO's gather. Dimension `index_vector_dim` of `indices` (or an
    implied last dimension of size 1) holds index vectors; component k indexes
    operand dimension start_index_map[k]. Indices are clamped so that slices lie
    within the operand. The result's dimensions are those of the indices without
    index_vector_dim, and, at `offset_dims`, those of the slice without
    collapsed and batching dimensions.

    On several devices a collapsed, indexed dimension may be split: each device
    answers for indices in its own range and gives 0 for others; results are
    summed.
  }];
  let example = Core_Example<"gather",
      "%x: tensor<4x6xf32>, %ids: tensor<8x1xi32>",
      "core.gather %x at %ids {offset_dims = array<i64: 1>, "
      "collapsed_slice_dims = array<i64: 0>, operand_batching_dims = "
      "array<i64>, start_indices_batching_dims = array<i64>, "
      "start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, "
      "slice_sizes = array<i64: 1, 6>} : (tensor<4x6xf32>, "
      "tensor<8x1xi32>) -> tensor<8x6xf32>",
      "tensor<8x6xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, Core_Integers:$indices,
                       DenseI64ArrayAttr:$offset_dims,
                       DenseI64ArrayAttr:$collapsed_slice_dims,
                       DenseI64ArrayAttr:$operand_batching_dims,
                       DenseI64ArrayAttr:$start_indices_batching_dims,
                       DenseI64ArrayAttr:$start_index_map,
                       I64Attr:$index_vector_dim,
                       DenseI64ArrayAttr:$slice_sizes,
                       UnitAttr:$indices_are_sorted);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `at` $indices attr-dict `:` functional-type(operands, $result)
  }];
}

def Core_ScatterOp : Core_RuleOp<"scatter", [
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "The operand combined with updates at places listed in a tensor";
  let description = [{
    As StableHLO's scatter with a combination of the given kind; without a kind
    updates replace what was there. What would lie outside the operand is
    dropped. Several updates of one element combine in the
    order of the indices.

    On several devices a dimension of the operand that is indexed by single
    elements may be split: each device applies the updates in its own range. The
    updates may be split with their indices when there is a kind: results are
    then partial and combine by the kind, so the operand must count once: it is
    the kind's identity on all devices but those at coordinate 0.
  }];
  let example = Core_Example<"scatter",
      "%x: tensor<4x6xf32>, %ids: tensor<8x1xi32>, %u: tensor<8x6xf32>",
      "core.scatter with sum : %x at %ids, %u {update_window_dims = "
      "array<i64: 1>, inserted_window_dims = array<i64: 0>, "
      "input_batching_dims = array<i64>, scatter_indices_batching_dims = "
      "array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, "
      "index_vector_dim = 1 : i64} : (tensor<4x6xf32>, tensor<8x1xi32>, "
      "tensor<8x6xf32>) -> tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, Core_Integers:$indices,
                       Core_Tensor:$updates,
                       DenseI64ArrayAttr:$update_window_dims,
                       DenseI64ArrayAttr:$inserted_window_dims,
                       DenseI64ArrayAttr:$input_batching_dims,
                       DenseI64ArrayAttr:$scatter_indices_batching_dims,
                       DenseI64ArrayAttr:$scatter_dims_to_operand_dims,
                       I64Attr:$index_vector_dim,
                       OptionalAttr<Core_ReductionAttr>:$kind,
                       UnitAttr:$indices_are_sorted, UnitAttr:$unique_indices);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    (`with` $kind^ `:`)? $operand `at` $indices `,` $updates attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // PARTITA_IR_CORE_INDEXINGOPS_TD
