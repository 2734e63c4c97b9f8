//===- ShapeOps.td - Constants and moves of elements -------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_SHAPEOPS_TD
#define PARTITA_IR_CORE_SHAPEOPS_TD

include "ir/core/CoreOpBase.td"

def Core_ConstantOp : Core_RuleOp<"constant", [ConstantLike,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "A constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Core_IotaOp : Core_RuleOp<"iota"> {
  let summary = "Indices along one dimension";
  let arguments = (ins I64Attr:$dim);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Core_BroadcastOp : Core_RuleOp<"broadcast"> {
  let summary = "Repeats the operand along new or size-one dimensions";
  let description = [{
    Dimension i of the operand becomes dimension dims[i] of the result, and has
    its size, or size 1.
  }];
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dims attr-dict `:` functional-type($operand, $result)
  }];
  let hasVerifier = 1;
}

def Core_ReshapeOp : Core_RuleOp<"reshape"> {
  let summary = "The same elements, row-major, under another shape";
  let arguments = (ins Core_Tensor:$operand);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type($operand, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Core_TransposeOp : Core_RuleOp<"transpose"> {
  let summary = "Permutes dimensions: result dimension i is operand dimension permutation[i]";
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `permutation` `=` $permutation attr-dict `:` functional-type($operand, $result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // PARTITA_IR_CORE_SHAPEOPS_TD
