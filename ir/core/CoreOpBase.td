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

/// A tensor of the program. `predicate` is C++ on the element type `type`;
/// `domains` names the interpreter's domains of such types (Elements.h).
/// `exampleType` is the element type in examples.
class Core_TensorOf<string predicate, string summary, string domains,
                    string exampleType>
    : Type<And<[AnyStaticShapeTensor.predicate,
                CPred<"[](::mlir::Type type) { return ::partita::toDType(type)"
                      " && (" # predicate # "); }("
                      "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())">]>,
           "statically shaped tensor of " # summary, "::mlir::RankedTensorType"> {
  string evalDomains = "::partita::core::eval::" # domains;
  string exampleElement = exampleType;
}

def Core_Tensor : Core_TensorOf<"true", "numbers", "All", "f32">;
def Core_Bools : Core_TensorOf<"type.isInteger(1)", "i1", "Bools", "i1">;
def Core_Floats : Core_TensorOf<"::llvm::isa<::mlir::FloatType>(type)",
    "floats", "Floats", "f32">;
def Core_Integers : Core_TensorOf<"::llvm::isa<::mlir::IntegerType>(type)",
    "integers", "Integers", "i32">;
def Core_Inexacts : Core_TensorOf<
    "::llvm::isa<::mlir::FloatType, ::mlir::ComplexType>(type)",
    "floats or complex numbers", "Inexacts", "f32">;
def Core_Reals : Core_TensorOf<"!::llvm::isa<::mlir::ComplexType>(type)",
    "integers or floats", "Reals", "f32">;

/// Any core op. `example` is one complete function that uses the op: it is
/// parsed, printed, executed and put on the op's page.
class Core_Op<string mnemonic, list<Trait> traits = []>
    : Op<Core_Dialect, mnemonic, traits> {
  string example = "";
}

/// A complete function around one op, `line`, that gives a value of `type`.
class Core_Example<string name, string arguments, string line, string type> {
  string text = "func.func @" # name # "(" # arguments # ") -> " # type # " {\n"
      "  %0 = " # line # "\n  return %0 : " # type # "\n}\n";
}

/// An op whose sharding rule and interpreter step are written in C++ next to
/// its verifier: an op without one does not link.
class Core_RuleOp<string mnemonic, list<Trait> traits = []>
    : Core_Op<mnemonic, traits # [
        Pure, DeclareOpInterfaceMethods<IndexRuleOpInterface>,
        DeclareOpInterfaceMethods<EvaluableOpInterface>]>;

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
/// the element type `to` of the result. `evaluation` is C++ that returns the
/// LogicalResult of the interpreter's step from `operands` and `results`; it
/// sees the width `bits` of the first operand's element type.
class Core_PointwiseOp<string mnemonic, list<Trait> traits, code evaluation,
                       code scalar>
    : Core_RuleOp<mnemonic, traits # [
        Elementwise, DeclareOpInterfaceMethods<ScalarBodyOpInterface>]> {
  code scalarBody = scalar;
  let results = (outs Core_Tensor:$result);
  code pointwiseDefinition = [{
    ::partita::IndexRule $cppClass::getIndexRule() {
      return ::partita::IndexRule::makePointwise(getOperation());
    }
    ::llvm::LogicalResult $cppClass::evaluate(
        ::llvm::ArrayRef<::partita::HostTensor> operands,
        ::llvm::SmallVectorImpl<::partita::HostTensor> &results) {
      [[maybe_unused]] int bits = ::partita::getBitWidth(operands[0].getDType());
      }] # evaluation # [{
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

/// The interpreter's step of an op whose operands have one type. `expression`
/// is C++ on the elements `a`, `b`, `c`.
class Core_Evaluation<Core_TensorOf tensor, int arity, string expression> {
  code text = "return eval::evaluatePointwise<" # tensor.evalDomains # ", "
      # arity # ">(getOperation(), operands, results, [=, this]("
      # !interleave(!foreach(name, !cond(!eq(arity, 1): ["a"], !eq(arity, 2): ["a", "b"],
                                         true: ["a", "b", "c"]), "auto " # name), ", ")
      # ") { (void)this; return " # expression # "; });";
}

/// One operand and a result of its type. `tensor` says which element types it
/// has, `expression` is the element computed from `a`.
class Core_UnaryOp<string mnemonic, Core_TensorOf tensor, string expression,
                   code scalar>
    : Core_PointwiseOp<mnemonic, [SameOperandsAndResultType],
                       Core_Evaluation<tensor, 1, expression>.text, scalar> {
  let arguments = (ins tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  defvar type = "tensor<4x6x" # tensor.exampleElement # ">";
  let example = Core_Example<mnemonic, "%x: " # type,
      "core." # mnemonic # " %x : " # type, type>.text;
}

/// One operand; the result has the same shape and the element type that
/// `elementType`, C++ on the operand's `type`, says.
class Core_MappingOp<string mnemonic, Core_TensorOf tensor, string elementType,
                     string expression, code scalar>
    : Core_PointwiseOp<mnemonic, [
        TypesMatchWith<"result has the operand's shape and the op's element type",
            "operand", "result",
            "::partita::core::mapElementType($_self, [](::mlir::Type type) {"
            " return ::mlir::Type(" # elementType # "); })">],
        Core_Evaluation<tensor, 1, expression>.text, scalar> {
  let arguments = (ins tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  defvar type = "tensor<4x6x" # tensor.exampleElement # ">";
  let example = Core_Example<mnemonic, "%x: " # type,
      "core." # mnemonic # " %x : " # type, type>.text;
}

/// Two operands and a result, all of one type. `expression` is the element
/// computed from `a` and `b`.
class Core_BinaryOp<string mnemonic, Core_TensorOf tensor, string expression,
                    code scalar, list<Trait> traits = []>
    : Core_PointwiseOp<mnemonic, traits # [SameOperandsAndResultType],
                       Core_Evaluation<tensor, 2, expression>.text, scalar> {
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  defvar type = "tensor<4x6x" # tensor.exampleElement # ">";
  let example = Core_Example<mnemonic, "%x: " # type # ", %y: " # type,
      "core." # mnemonic # " %x, %y : " # type, type>.text;
}

#endif // PARTITA_IR_CORE_COREOPBASE_TD
