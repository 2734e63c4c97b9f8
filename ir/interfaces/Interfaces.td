//===- Interfaces.td - What every core op can be asked -----*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_INTERFACES_INTERFACES_TD
#define PARTITA_IR_INTERFACES_INTERFACES_TD

include "mlir/IR/OpBase.td"

def IndexRuleOpInterface : OpInterface<"IndexRuleOpInterface"> {
  let description = [{
    The index rule of an op: which dimensions of its operands and results share
    a factor. Propagation, partitioning and cost ask nothing else of an op.
  }];
  let cppNamespace = "::partita";
  let methods = [
    InterfaceMethod<"The op's rule for its operand and result types.",
                    "::partita::IndexRule", "getIndexRule">
  ];
}

def EvaluableOpInterface : OpInterface<"EvaluableOpInterface"> {
  let description = [{
    The interpreter's step: computes the results from the operands. It is the
    definition of what an op means, so it is written to be read.
  }];
  let cppNamespace = "::partita";
  let methods = [
    InterfaceMethod<[{
        Computes the op's results. `operands` have the shapes and element types
        of the op's operand types; so must the results have of its result types.
        Fails after reporting at the op what cannot be computed.
      }],
      "::llvm::LogicalResult", "evaluate",
      (ins "::llvm::ArrayRef<::partita::HostTensor>":$operands,
           "::llvm::SmallVectorImpl<::partita::HostTensor> &":$results)>
  ];
}

def ScalarBodyOpInterface : OpInterface<"ScalarBodyOpInterface"> {
  let description = [{
    An op that computes each element of its result from the elements of its
    operands at the same index.
  }];
  let cppNamespace = "::partita";
  let methods = [
    InterfaceMethod<[{
        Builds the computation of one element from `args`, one per operand, as
        arith and math ops. Each argument is a scalar, or all are vectors of the
        same length. Integers are signless here: ui8 arrives as i8, and the op's
        own operand types say which signedness is meant. Complex numbers arrive
        as complex scalars, never as vectors.
      }],
      "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$args)>
  ];
}

#endif // PARTITA_IR_INTERFACES_INTERFACES_TD
