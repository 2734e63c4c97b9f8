//===- Dialect.td - StableHLO: dialect, types, enums -------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_DIALECT_TD
#define PARTITA_IR_IO_STABLEHLO_DIALECT_TD

include "ir/io/Base.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::partita::stablehlo";
  let summary = "StableHLO's text form, for import and export";
  let description = [{
    Text-compatible with StableHLO 1.20. Every op of the specification parses,
    is verified structurally and prints. Nothing is optimised at this level:
    `--partita-import` turns the ops into `core`, and
    `--partita-export-stablehlo` comes back.

    Upstream's StableHLO cannot be loaded into the same context.
  }];
  let dependentDialects = [
    "::mlir::quant::QuantDialect", "::mlir::func::FuncDialect"
  ];
  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

    void addPointwiseOps();
    void addShapeOps();
    void addIndexingOps();
    void addControlOps();
    void addReductionOps();
    void addLinalgOps();
    void addDistributionOps();
    void addAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def StableHLO_Token : TypeDef<Stablehlo_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "orders side effects";
}

def StableHLO_Future : TypeDef<Stablehlo_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "results of an asynchronous op that has been started";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class StableHLO_Enum<string cppName, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<cppName, text, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::partita::stablehlo";
}
class StableHLO_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Stablehlo_Dialect, info, mnemonic>;

def StableHLO_Precision : StableHLO_Enum<"Precision", "operand precision", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
  I32EnumAttrCase<"HIGHEST", 2>
]>;
def StableHLO_PrecisionAttr
    : StableHLO_EnumAttr<StableHLO_Precision, "precision">;
def StableHLO_PrecisionConfig
    : TypedArrayAttrBase<StableHLO_PrecisionAttr, "a precision per operand">;

def StableHLO_AccuracyMode
    : StableHLO_Enum<"ResultAccuracyMode", "result accuracy", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
  I32EnumAttrCase<"TOLERANCE", 2>
]>;
def StableHLO_AccuracyModeAttr
    : StableHLO_EnumAttr<StableHLO_AccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def StableHLO_FftType : StableHLO_Enum<"FftType", "kind of transform", [
  I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>,
  I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>
]>;
def StableHLO_FftTypeAttr : StableHLO_EnumAttr<StableHLO_FftType, "fft_type">;

def StableHLO_Direction
    : StableHLO_Enum<"ComparisonDirection", "comparison", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
  I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
  I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>
]>;
def StableHLO_DirectionAttr
    : StableHLO_EnumAttr<StableHLO_Direction, "comparison_direction">;

def StableHLO_CompareType
    : StableHLO_Enum<"ComparisonType", "what is compared", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
  I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
  I32EnumAttrCase<"UNSIGNED", 4>
]>;
def StableHLO_CompareTypeAttr
    : StableHLO_EnumAttr<StableHLO_CompareType, "comparison_type">;

def StableHLO_Transpose : StableHLO_Enum<"Transpose", "transposition", [
  I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
  I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>
]>;
def StableHLO_TransposeAttr
    : StableHLO_EnumAttr<StableHLO_Transpose, "transpose">;

def StableHLO_RngDistribution
    : StableHLO_Enum<"RngDistribution", "distribution", [
  I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>
]>;
def StableHLO_RngDistributionAttr
    : StableHLO_EnumAttr<StableHLO_RngDistribution, "rng_distribution">;

def StableHLO_RngAlgorithm : StableHLO_Enum<"RngAlgorithm", "generator", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>,
  I32EnumAttrCase<"PHILOX", 2>
]>;
def StableHLO_RngAlgorithmAttr
    : StableHLO_EnumAttr<StableHLO_RngAlgorithm, "rng_algorithm">;

def StableHLO_ApiVersion : I32EnumAttr<"CustomCallApiVersion", "call ABI", [
  I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>,
  I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
  I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>,
  I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
  I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>
]> {
  let cppNamespace = "::partita::stablehlo";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class StableHLO_Attr<string cppName, string theMnemonic, string text,
                     list<Trait> traits = []>
    : AttrDef<Stablehlo_Dialect, cppName, traits> {
  let mnemonic = theMnemonic;
  let summary = text;
}

def StableHLO_DotDims
    : StableHLO_Attr<"DotDimensionNumbers", "dot", "dimensions of a dot"> {
  let parameters = (ins IO_Dims:$lhsBatch, IO_Dims:$rhsBatch,
                        IO_Dims:$lhsContracting, IO_Dims:$rhsContracting);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_GatherDims
    : StableHLO_Attr<"GatherDimensionNumbers", "gather",
                     "dimensions of a gather"> {
  let parameters = (ins IO_Dims:$offsetDims, IO_Dims:$collapsedSliceDims,
                        IO_Dims:$operandBatchingDims,
                        IO_Dims:$startIndicesBatchingDims,
                        IO_Dims:$startIndexMap, "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ScatterDims
    : StableHLO_Attr<"ScatterDimensionNumbers", "scatter",
                     "dimensions of a scatter"> {
  let parameters = (ins IO_Dims:$updateWindowDims,
                        IO_Dims:$insertedWindowDims,
                        IO_Dims:$inputBatchingDims,
                        IO_Dims:$scatterIndicesBatchingDims,
                        IO_Dims:$scatterDimsToOperandDims,
                        "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ConvDims
    : StableHLO_Attr<"ConvDimensionNumbers", "conv",
                     "dimensions of a convolution"> {
  let parameters = (ins
    "int64_t":$inputBatch, "int64_t":$inputFeature, IO_Dims:$inputSpatial,
    "int64_t":$kernelInputFeature, "int64_t":$kernelOutputFeature,
    IO_Dims:$kernelSpatial,
    "int64_t":$outputBatch, "int64_t":$outputFeature, IO_Dims:$outputSpatial);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_DotAlgorithm
    : StableHLO_Attr<"DotAlgorithm", "dot_algorithm",
                     "how a dot is to be computed"> {
  let parameters = (ins
    "::mlir::Type":$lhsPrecisionType, "::mlir::Type":$rhsPrecisionType,
    "::mlir::Type":$accumulationType, "int64_t":$lhsComponentCount,
    "int64_t":$rhsComponentCount, "int64_t":$numPrimitiveOperations,
    "bool":$allowImpreciseAccumulation);
  let assemblyFormat = [{
    `<` `lhs_precision_type` `=` $lhsPrecisionType `,`
        `rhs_precision_type` `=` $rhsPrecisionType `,`
        `accumulation_type` `=` $accumulationType `,`
        `lhs_component_count` `=` $lhsComponentCount `,`
        `rhs_component_count` `=` $rhsComponentCount `,`
        `num_primitive_operations` `=` $numPrimitiveOperations `,`
        `allow_imprecise_accumulation` `=` $allowImpreciseAccumulation `>`
  }];
}

def StableHLO_OutputOperandAlias
    : StableHLO_Attr<"OutputOperandAlias", "output_operand_alias",
                     "a custom call's result that lies in an operand"> {
  let parameters = (ins IO_Dims:$outputTupleIndices, "int64_t":$operandIndex,
                        IO_Dims:$operandTupleIndices);
  let assemblyFormat = [{
    `<` `output_tuple_indices` `=` $outputTupleIndices `,`
        `operand_index` `=` $operandIndex `,`
        `operand_tuple_indices` `=` $operandTupleIndices `>`
  }];
}

def StableHLO_ChannelHandle
    : StableHLO_Attr<"ChannelHandle", "channel_handle", "a channel"> {
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_Bounds
    : StableHLO_Attr<"Bounds", "bounds",
                     "upper bounds of dynamic dimensions, as a tensor encoding",
                     [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ResultAccuracy
    : StableHLO_Attr<"ResultAccuracy", "result_accuracy",
                     "accuracy asked of a transcendental op"> {
  let parameters = (ins "::mlir::FloatAttr":$atol, "::mlir::FloatAttr":$rtol,
                        "int64_t":$ulps, StableHLO_AccuracyModeAttr:$mode);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_SubAxisInfo
    : StableHLO_Attr<"SubAxisInfo", "sub_axis_info", "a factor of an axis"> {
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `)` `` $size";
}

def StableHLO_AxisRef
    : StableHLO_Attr<"AxisRef", "axis_ref", "an axis or a factor of it"> {
  let parameters = (ins StringRefParameter<"name">:$name,
                        OptionalParameter<"SubAxisInfoAttr">:$sub_axis_info);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_MeshAxis
    : StableHLO_Attr<"MeshAxis", "mesh_axis", "an axis of a mesh"> {
  let parameters = (ins StringRefParameter<"name">:$name, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_Mesh : StableHLO_Attr<"Mesh", "mesh", "a mesh of devices"> {
  let parameters = (ins
    ArrayRefParameter<"::partita::stablehlo::MeshAxisAttr">:$axes,
    OptionalParameter<"::mlir::DenseIntElementsAttr">:$device_ids);
  let assemblyFormat = [{
    `<` `axes` `` `=` `` `[` $axes `]`
        (`,` `device_ids` `` `=` `` $device_ids^)? `>`
  }];
}

def StableHLO_ReplicaGroupMeshAxes
    : StableHLO_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes",
                     "groups of devices along axes of a mesh"> {
  let parameters = (ins "::mlir::Attribute":$mesh, "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_ReplicaGroups
    : AnyAttrOf<[IO_Elements, StableHLO_ReplicaGroupMeshAxes],
                "groups of devices">;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : IO_Op<Stablehlo_Dialect, mnemonic, traits>;

#endif // PARTITA_IR_IO_STABLEHLO_DIALECT_TD
