//===- Shape.td - StableHLO: shapes and data movement ------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_SHAPE_TD
#define PARTITA_IR_IO_STABLEHLO_SHAPE_TD

include "ir/io/stablehlo/Dialect.td"

/// An op whose text is its operands, attributes and a function type.
class Plain<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, [Pure] # traits> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

def ConstantOp : StableHLO_Op<"constant", [Pure]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs IO_Tensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def IotaOp : StableHLO_Op<"iota", [Pure]> {
  let arguments = (ins IO_NonNegative:$iota_dimension);
  let results = (outs IO_Tensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def BroadcastOp : StableHLO_Op<"broadcast", [Pure, IO_SameElement]> {
  let arguments = (ins IO_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes
      attr-dict `:` functional-type(operands, results)
  }];
}

def BroadcastInDimOp
    : StableHLO_Op<"broadcast_in_dim", [Pure, IO_SameElement]> {
  let arguments = (ins IO_Tensor:$operand,
                       DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def ReshapeOp : Plain<"reshape", [IO_SameElement]> {
  let arguments = (ins IO_Tensor:$operand);
  let results = (outs IO_Tensor:$result);
  let hasVerifier = 1;
}

def BitcastConvertOp : Plain<"bitcast_convert"> {
  let arguments = (ins IO_Tensor:$operand);
  let results = (outs IO_Tensor:$result);
  let hasVerifier = 1;
}

def TransposeOp : StableHLO_Op<"transpose", [Pure, IO_SameElement]> {
  let arguments = (ins IO_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def ReverseOp : StableHLO_Op<"reverse", [Pure, IO_SameType]> {
  let arguments = (ins IO_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions
      attr-dict `:` custom<OneType>(type($operand), type($result))
  }];
  let hasVerifier = 1;
}

def SliceOp : StableHLO_Op<"slice", [Pure, IO_SameElement]> {
  let arguments = (ins IO_Tensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices,
                       DenseI64ArrayAttr:$strides);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def PadOp : StableHLO_Op<"pad", [Pure, IO_SameElement]> {
  let arguments = (ins IO_Tensor:$operand, IO_Scalar:$padding_value,
                       DenseI64ArrayAttr:$edge_padding_low,
                       DenseI64ArrayAttr:$edge_padding_high,
                       DenseI64ArrayAttr:$interior_padding);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`
      `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def ConcatenateOp : StableHLO_Op<"concatenate", [Pure, IO_SameElement]> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs, IO_NonNegative:$dimension);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsThenAttribute>($inputs) `dim` `=` $dimension
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Dynamic shapes
//===----------------------------------------------------------------------===//

def DynamicBroadcastInDimOp
    : StableHLO_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_DimsTensor:$output_dimensions,
                       DenseI64ArrayAttr:$broadcast_dimensions,
                       IO_OptDims:$known_expanding_dimensions,
                       IO_OptDims:$known_nonexpanding_dimensions);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions
      attr-dict `:` functional-type(operands, results)
  }];
}

def DynamicIotaOp : StableHLO_Op<"dynamic_iota", [Pure]> {
  let arguments = (ins IO_DimsTensor:$output_shape,
                       IO_NonNegative:$iota_dimension);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension
      attr-dict `:` functional-type(operands, results)
  }];
}

def DynamicReshapeOp : Plain<"dynamic_reshape"> {
  let arguments = (ins IO_Tensor:$operand, IO_DimsTensor:$output_shape);
  let results = (outs IO_Tensor:$result);
}

def DynamicPadOp : Plain<"dynamic_pad"> {
  let arguments = (ins IO_Tensor:$operand, IO_Scalar:$padding_value,
                       IO_DimsTensor:$edge_padding_low,
                       IO_DimsTensor:$edge_padding_high,
                       IO_DimsTensor:$interior_padding);
  let results = (outs IO_Tensor:$result);
}

def RealDynamicSliceOp : Plain<"real_dynamic_slice"> {
  let arguments = (ins IO_Tensor:$operand, IO_DimsTensor:$start_indices,
                       IO_DimsTensor:$limit_indices, IO_DimsTensor:$strides);
  let results = (outs IO_Tensor:$result);
}

def GetDimensionSizeOp : StableHLO_Op<"get_dimension_size", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_NonNegative:$dimension);
  let results = (outs IO_ScalarInt:$result);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension
      attr-dict `:` functional-type(operands, results)
  }];
}

def SetDimensionSizeOp : StableHLO_Op<"set_dimension_size", [Pure]> {
  let arguments = (ins IO_Tensor:$operand, IO_ScalarInt:$size,
                       IO_NonNegative:$dimension);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension
      attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PARTITA_IR_IO_STABLEHLO_SHAPE_TD
