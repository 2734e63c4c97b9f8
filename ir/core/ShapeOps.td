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
  let example = Core_Example<"constant",
      "",
      "core.constant dense<[1.0, 2.0]> : tensor<2xf32>",
      "tensor<2xf32>">.text;
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Core_IotaOp : Core_RuleOp<"iota"> {
  let summary = "Indices along one dimension";
  let example = Core_Example<"iota",
      "",
      "core.iota dim = 1 : tensor<4x6xi32>",
      "tensor<4x6xi32>">.text;
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
  let example = Core_Example<"broadcast",
      "%x: tensor<4x1xf32>",
      "core.broadcast %x, dims = [1, 2] : (tensor<4x1xf32>) -> "
      "tensor<2x4x6xf32>",
      "tensor<2x4x6xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dims attr-dict `:` functional-type($operand, $result)
  }];
  let hasVerifier = 1;
}

def Core_ReshapeOp : Core_RuleOp<"reshape"> {
  let summary = "The same elements, row-major, under another shape";
  let example = Core_Example<"reshape",
      "%x: tensor<4x6xf32>",
      "core.reshape %x : (tensor<4x6xf32>) -> tensor<2x12xf32>",
      "tensor<2x12xf32>">.text;
  let arguments = (ins Core_Tensor:$operand);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type($operand, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Core_TransposeOp : Core_RuleOp<"transpose", [InferTypeOpAdaptor]> {
  let summary = "Permutes dimensions: result dimension i is operand dimension permutation[i]";
  let example = Core_Example<"transpose",
      "%x: tensor<4x6xf32>",
      "core.transpose %x, permutation = [1, 0] : (tensor<4x6xf32>) -> "
      "tensor<6x4xf32>",
      "tensor<6x4xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `permutation` `=` $permutation attr-dict `:` functional-type($operand, $result)
  }];
  let hasFolder = 1;
}

def Core_ReverseOp : Core_RuleOp<"reverse", [SameOperandsAndResultType]> {
  let summary = "Reverses the order along dimensions";
  let example = Core_Example<"reverse",
      "%x: tensor<4x6xf32>",
      "core.reverse %x, dims = [1] : tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand `,` `dims` `=` $dims attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Core_RepackOp : Core_RuleOp<"repack"> {
  let summary = "The same bits as elements of another width";
  let description = [{
    Wider elements become a last dimension of narrower ones, least significant
    first: tensor<4xi32> and tensor<4x2xi16>. Narrower elements join likewise.
  }];
  let example = Core_Example<"repack",
      "%x: tensor<4x6xf32>",
      "core.repack %x : (tensor<4x6xf32>) -> tensor<4x6x2xi16>",
      "tensor<4x6x2xi16>">.text;
  let arguments = (ins Core_Tensor:$operand);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type($operand, $result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

def Core_SliceOp : Core_RuleOp<"slice", [InferTypeOpAdaptor]> {
  let summary = "The elements starts[d], starts[d] + strides[d], … below limits[d] of each dimension d";
  let example = Core_Example<"slice",
      "%x: tensor<4x6xf32>",
      "core.slice %x [0, 1] to [4, 6] by [1, 2] : (tensor<4x6xf32>) -> "
      "tensor<4x3xf32>",
      "tensor<4x3xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$limits, DenseI64ArrayAttr:$strides);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand $starts `to` $limits `by` $strides attr-dict `:` functional-type($operand, $result)
  }];
  let hasFolder = 1;
}

def Core_PadOp : Core_RuleOp<"pad", [InferTypeOpAdaptor]> {
  let summary = "Adds elements of one value before, after and between those of the operand";
  let description = [{
    Along dimension d there are low[d] elements before the first, high[d] after
    the last, and interior[d] between two. Negative low and high cut elements
    off, after the interior ones were added.
  }];
  let example = Core_Example<"pad",
      "%x: tensor<4x6xf32>, %v: tensor<f32>",
      "core.pad %x, %v low [0, 1] high [0, -2] interior [0, 1] : "
      "(tensor<4x6xf32>, tensor<f32>) -> tensor<4x10xf32>",
      "tensor<4x10xf32>">.text;
  let arguments = (ins Core_Tensor:$operand, Core_Tensor:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$interior);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $value `low` $low `high` $high `interior` $interior attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Core_ConcatenateOp : Core_RuleOp<"concatenate", [InferTypeOpAdaptor]> {
  let summary = "Joins tensors along a dimension";
  let example = Core_Example<"concatenate",
      "%x: tensor<4x6xf32>, %y: tensor<4x2xf32>",
      "core.concatenate %x, %y dim 1 : (tensor<4x6xf32>, "
      "tensor<4x2xf32>) -> tensor<4x8xf32>",
      "tensor<4x8xf32>">.text;
  let arguments = (ins Variadic<Core_Tensor>:$operands, I64Attr:$dim);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operands `dim` $dim attr-dict `:` functional-type($operands, $result)
  }];
  let hasFolder = 1;
}

#endif // PARTITA_IR_CORE_SHAPEOPS_TD
