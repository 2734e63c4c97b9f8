//===- Base.td - What the text dialects share --------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, traits and op classes that several text dialects use. The text
// dialects only carry programs in and out: their ops verify what import relies
// on, and have no folders, patterns or builders.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_BASE_TD
#define PARTITA_IR_IO_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class IO_TypeIf<string predicate, string text, string cppType = "::mlir::Type">
    : Type<CPred<"::partita::io::" # predicate # "($_self)">, text, cppType>;

class IO_TensorIf<string predicate, string text>
    : IO_TypeIf<predicate, text, "::mlir::RankedTensorType">;

def IO_Tensor : IO_TensorIf<"isTensor", "a ranked tensor of numbers">;
def IO_IntTensor : IO_TensorIf<"isIntTensor", "a ranked tensor of integers">;
def IO_PredTensor : IO_TensorIf<"isPredTensor", "a ranked tensor of i1">;
def IO_BitsTensor
    : IO_TensorIf<"isBitsTensor", "a ranked tensor of i1 or integers">;
def IO_FloatTensor
    : IO_TensorIf<"isFloatTensor", "a ranked tensor of floats or quantized">;
def IO_ComplexTensor
    : IO_TensorIf<"isComplexTensor", "a ranked tensor of complex numbers">;
def IO_FloatOrComplexTensor
    : IO_TensorIf<"isFloatOrComplexTensor",
                  "a ranked tensor of floats, complex or quantized">;
def IO_QuantizedTensor
    : IO_TensorIf<"isQuantizedTensor", "a ranked tensor of quantized numbers">;
def IO_DimsTensor
    : IO_TensorIf<"isDimsTensor", "a rank-1 tensor of integers or index">;
def IO_ScalarInt : IO_TensorIf<"isScalarInt", "a rank-0 tensor of integers">;
def IO_Scalar : IO_TensorIf<"isScalar", "a rank-0 tensor">;
/// Anything that flows between ops: tensor, token, tuple, future, buffer.
def IO_Value : IO_TypeIf<"isValue", "a tensor, token, tuple or buffer">;
def IO_Tuple : IO_TypeIf<"isTuple", "a tuple", "::mlir::TupleType">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Optional DenseElements of i64 (padding, source-target pairs).
def IO_Elements : ElementsAttrBase<
    CPred<"::llvm::isa<::mlir::DenseIntElementsAttr>($_self)">,
    "integer elements"> {
  let storageType = "::mlir::DenseIntElementsAttr";
  let returnType = "::mlir::DenseIntElementsAttr";
  let convertFromStorage = "$_self";
}

def IO_NonNegative : ConfinedAttr<I64Attr, [IntNonNegative]>;
def IO_Positive : ConfinedAttr<I64Attr, [IntPositive]>;
def IO_FalseAttr : DefaultValuedOptionalAttr<BoolAttr, "false">;
def IO_OptDims : OptionalAttr<DenseI64ArrayAttr>;

/// A list of dimension numbers within an attribute; `?` for -1.
def IO_Dims : ArrayRefParameter<"int64_t", "dimension numbers"> {
  let parser = "::partita::io::parseDimList($_parser)";
  let printer = "::partita::io::printDimList($_printer, $_self)";
}

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

/// Operands and results have compatible shapes and the same element type
/// (where one is quantized, the same expressed type).
def IO_SameType : NativeOpTrait<"SameType"> {
  let cppNamespace = "::partita::io";
}
/// Operands and results have compatible shapes.
def IO_SameShape : NativeOpTrait<"SameShape"> {
  let cppNamespace = "::partita::io";
}
/// Result i has the type of operand i.
def IO_Pairwise : NativeOpTrait<"Pairwise"> {
  let cppNamespace = "::partita::io";
}
/// The elements of operands and results have the same type.
def IO_SameElement : NativeOpTrait<"SameElement"> {
  let cppNamespace = "::partita::io";
}

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

class IO_Op<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, traits> {
  // Tables drive import and export: one builder is enough, and spares a good
  // part of the time that these files take to compile.
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<
      (ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<::mlir::NamedAttribute>":$attributes),
      [{
        $_state.addTypes(types);
        $_state.addOperands(operands);
        $_state.addAttributes(attributes);
      }]>];
}

#endif // PARTITA_IR_IO_BASE_TD
