//===- Interpreter.td - Runs programs in test programs --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_CHECK_INTERPRETER_TD
#define PARTITA_IR_IO_CHECK_INTERPRETER_TD

include "ir/io/Base.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::partita::interpreter";
  let summary = "What StableHLO's test programs ask of an interpreter";
}

class INTERPRETER_Op<string mnemonic, list<Trait> traits = []>
    : IO_Op<Interpreter_Dialect, mnemonic, traits>;

def RunParallelOp : INTERPRETER_Op<"run_parallel"> {
  let summary = "Runs a program on each device of a grid";
  let description = [{
    `programs` is a grid of functions, replicas by partitions. The operands are
    their arguments and the results their results, device by device.
  }];
  let arguments = (ins Variadic<IO_Value>:$inputs,
                       OptionalAttr<ArrayAttr>:$infeed, ArrayAttr:$programs);
  let results = (outs Variadic<IO_Value>:$results);
  let hasVerifier = 1;
}

def PrintOp : INTERPRETER_Op<"print"> {
  let summary = "Prints a value";
  let arguments = (ins IO_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def ProbeOp : INTERPRETER_Op<"probe", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Records a value under a name";
  let arguments = (ins IO_Tensor:$operand, StrAttr:$probe_id);
  let results = (outs IO_Tensor:$result);
  let assemblyFormat =
      "$operand `,` `probe_id` `=` $probe_id attr-dict `:` type($result)";
}

#endif // PARTITA_IR_IO_CHECK_INTERPRETER_TD
