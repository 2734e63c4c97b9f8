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
/// `builder`, `loc`, `args` and the op's own element type `type`.
class Core_PointwiseBase<string mnemonic, list<Trait> traits, code scalar>
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
    }] # scalar # [{
    }
  }];
  let extraClassDefinition = pointwiseDefinition;
}

class Core_UnaryOp<string mnemonic, code scalar>
    : Core_PointwiseBase<mnemonic, [SameOperandsAndResultType], scalar> {
  let arguments = (ins Core_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Core_BinaryOp<string mnemonic, code scalar, list<Trait> traits = []>
    : Core_PointwiseBase<mnemonic, traits # [SameOperandsAndResultType],
                         scalar> {
  let arguments = (ins Core_Tensor:$lhs, Core_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

#endif // PARTITA_IR_CORE_COREOPBASE_TD
