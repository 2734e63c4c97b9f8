//===- ContractionOps.td - Products and reductions ---------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_CONTRACTIONOPS_TD
#define PARTITA_IR_CORE_CONTRACTIONOPS_TD

include "ir/core/CoreOpBase.td"

def Core_DotOp : Core_RuleOp<"dot"> {
  let summary = "Product of two tensors, summed over the contracted dimensions";
  let description = [{
    The result has the batch dimensions, then the free dimensions of the left
    operand, then those of the right. Products are summed in f32 where the
    element type is narrower.
  }];
  let example = Core_Example<"dot",
      "%x: tensor<2x4x6xf32>, %y: tensor<2x6x8xf32>",
      "core.dot %x, %y batch [0] x [0] contract [2] x [1] : "
      "(tensor<2x4x6xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>",
      "tensor<2x4x8xf32>">.text;
  let arguments = (ins Core_Tensor:$lhs, Core_Tensor:$rhs,
                       DenseI64ArrayAttr:$lhs_batch,
                       DenseI64ArrayAttr:$rhs_batch,
                       DenseI64ArrayAttr:$lhs_contract,
                       DenseI64ArrayAttr:$rhs_contract);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `batch` $lhs_batch `x` $rhs_batch
    `contract` $lhs_contract `x` $rhs_contract
    attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Core_ReduceOp : Core_RuleOp<"reduce", [InferTypeOpAdaptor]> {
  let summary = "Combines the elements along dimensions";
  let description = [{
    Starts from the identity of the kind: 0 for sum, -inf or the lowest integer
    for max. i1 and integers take and, or, xor; f32 accumulates narrower floats.
  }];
  let example = Core_Example<"reduce",
      "%x: tensor<4x6xf32>",
      "core.reduce max %x, dims = [1] : (tensor<4x6xf32>) -> "
      "tensor<4xf32>",
      "tensor<4xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$dims,
                       Core_ReductionAttr:$kind);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $kind $operand `,` `dims` `=` $dims attr-dict `:` functional-type($operand, $result)
  }];
}

#endif // PARTITA_IR_CORE_CONTRACTIONOPS_TD
