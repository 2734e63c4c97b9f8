//===- CoreOpBase.td - Classes that core ops are made of ---*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_COREOPBASE_TD
#define PARTITA_IR_CORE_COREOPBASE_TD

include "ir/attrs/Attributes.td"
include "ir/core/CoreBase.td"
include "ir/interfaces/Interfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Core_Tensor : Type<AnyStaticShapeTensor.predicate, "statically shaped tensor",
                       "::mlir::RankedTensorType">;

/// A tensor whose element type satisfies `predicate`, C++ on `type`.
class Core_TensorOf<string predicate, string summary>
    : Type<And<[AnyStaticShapeTensor.predicate,
                CPred<"[](::mlir::Type type) { return " # predicate # "; }("
                      "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())">]>,
           "statically shaped tensor of " # summary, "::mlir::RankedTensorType">;

def Core_Bools : Core_TensorOf<"type.isInteger(1)", "i1">;
def Core_Floats : Core_TensorOf<"::llvm::isa<::mlir::FloatType>(type)", "floats">;
def Core_Integers : Core_TensorOf<"::llvm::isa<::mlir::IntegerType>(type)", "integers">;
def Core_Complexes : Core_TensorOf<"::llvm::isa<::mlir::ComplexType>(type)",
    "complex numbers">;
def Core_Inexacts : Core_TensorOf<
    "::llvm::isa<::mlir::FloatType, ::mlir::ComplexType>(type)",
    "floats or complex numbers">;
def Core_Reals : Core_TensorOf<"!::llvm::isa<::mlir::ComplexType>(type)",
    "integers or floats">;

/// Any core op. `example` is one complete function that uses the op: it is
/// parsed, printed, executed and put on the op's page.
class Core_Op<string mnemonic, list<Trait> traits = []>
    : Op<Core_Dialect, mnemonic, traits> {
  string example = "";
}

/// An op whose sharding rule is written in C++ next to its verifier: an op
/// without one does not link.
class Core_RuleOp<string mnemonic, list<Trait> traits = []>
    : Core_Op<mnemonic, traits # [
        Pure, DeclareOpInterfaceMethods<IndexRuleOpInterface>]>;

/// An op whose sharding rule is its index notation: "mk,kn->mn".
class Core_IndexOp<string mnemonic, string notation, list<Trait> traits = []>
    : Core_RuleOp<mnemonic, traits> {
  string indexRule = notation;
  let extraClassDefinition = [{
    ::partita::IndexRule $cppClass::getIndexRule() {
      return ::partita::IndexRule::parse("}] # notation # [{", getOperation());
    }
  }];
}

/// An op that computes each element from the elements at the same index.
/// `scalar` is C++ that returns the mlir::Value of one element; it sees
/// `builder`, `loc`, `args`, the element type `type` of the first operand and
/// the element type `to` of the result.
class Core_PointwiseOp<string mnemonic, list<Trait> traits, code scalar>
    : Core_RuleOp<mnemonic, traits # [
        Elementwise, DeclareOpInterfaceMethods<ScalarBodyOpInterface>]> {
  code scalarBody = scalar;
  let results = (outs Core_Tensor:$result);
  code pointwiseDefinition = [{
    ::partita::IndexRule $cppClass::getIndexRule() {
      return ::partita::IndexRule::makePointwise(getOperation());
    }
    ::mlir::Value $cppClass::buildScalar(::mlir::OpBuilder &builder,
                                         ::mlir::Location loc,
                                         ::mlir::ValueRange args) {
      [[maybe_unused]] ::mlir::Type type =
          ::mlir::getElementTypeOrSelf(getOperation()->getOperand(0).getType());
      [[maybe_unused]] ::mlir::Type to =
          ::mlir::getElementTypeOrSelf(getOperation()->getResult(0).getType());
    }] # scalar # [{
    }
  }];
  let extraClassDefinition = pointwiseDefinition;
}

/// One operand and a result of its type. `tensor` says which element types it has.
class Core_UnaryOp<string mnemonic, Type tensor, code scalar>
    : Core_PointwiseOp<mnemonic, [SameOperandsAndResultType], scalar> {
  let arguments = (ins tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

/// One operand; the result has the same shape and the element type that
/// `elementType`, C++ on the operand's `type`, says.
class Core_MappingOp<string mnemonic, Type tensor, string elementType, code scalar>
    : Core_PointwiseOp<mnemonic, [
        TypesMatchWith<"result has the operand's shape and the op's element type",
            "operand", "result",
            "::partita::core::mapElementType($_self, [](::mlir::Type type) {"
            " return ::mlir::Type(" # elementType # "); })">], scalar> {
  let arguments = (ins tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

/// Two operands and a result, all of one type.
class Core_BinaryOp<string mnemonic, Type tensor, code scalar, list<Trait> traits = []>
    : Core_PointwiseOp<mnemonic, traits # [SameOperandsAndResultType], scalar> {
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

#endif // PARTITA_IR_CORE_COREOPBASE_TD
