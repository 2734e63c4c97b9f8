//===- ControlOps.td - Meshes and control flow -------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_CONTROLOPS_TD
#define PARTITA_IR_CORE_CONTROLOPS_TD

include "ir/core/CoreOpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Core_MeshOp : Core_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A named mesh of devices";
  let example = [{
core.mesh @mesh = <["x"=2]>
func.func @on_mesh(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = core.neg %x : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
}];
  let arguments = (ins SymbolNameAttr:$sym_name, Core_MeshAttr:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

def Core_ShardingConstraintOp : Core_RuleOp<"sharding_constraint",
    [SameOperandsAndResultType]> {
  let summary = "The result lies on the mesh as the user said";
  let example = [{
core.mesh @mesh = <["x"=2]>
func.func @constraint(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = core.sharding_constraint %x <@mesh, [{"x"}, {} ]> : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
}];
  let arguments = (ins Core_Tensor:$operand, Core_ShardingAttr:$sharding);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::partita::IndexRule $cppClass::getIndexRule() {
      return ::partita::IndexRule::makePointwise(getOperation());
    }
  }];
}

def Core_BarrierOp : Core_Op<"barrier", [
    DeclareOpInterfaceMethods<IndexRuleOpInterface>,
    DeclareOpInterfaceMethods<EvaluableOpInterface>]> {
  let summary = "Keeps the order of what comes before and after (optimization_barrier)";
  let example = Core_Example<"barrier",
      "%x: tensor<4x6xf32>",
      "core.barrier %x : (tensor<4x6xf32>) -> tensor<4x6xf32>",
      "tensor<4x6xf32>">.text;
  let arguments = (ins Variadic<Core_Tensor>:$operands);
  let results = (outs Variadic<Core_Tensor>:$results);
  let assemblyFormat = "$operands attr-dict `:` functional-type($operands, $results)";
  let hasVerifier = 1;
}

def Core_YieldOp : Core_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["WhileOp", "IfOp"]>]> {
  let summary = "Ends a region with its results";
  let example = [{
func.func @yield(%n: tensor<i32>) -> tensor<i32> {
  %0 = core.while (%n) : (tensor<i32>) -> tensor<i32> cond {
  ^bb0(%i: tensor<i32>):
    %limit = core.constant dense<9> : tensor<i32>
    %goes_on = core.compare lt %i, %limit : tensor<i32>
    core.yield %goes_on : tensor<i1>
  } body {
  ^bb0(%i: tensor<i32>):
    %step = core.constant dense<2> : tensor<i32>
    %next = core.add %i, %step : tensor<i32>
    core.yield %next : tensor<i32>
  }
  return %0 : tensor<i32>
}
}];
  let arguments = (ins Variadic<Core_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def Core_WhileOp : Core_Op<"while", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "Runs the body as long as the condition holds";
  let description = [{
    Both regions take the carried values as arguments. The condition yields one
    tensor<i1>, the body the next carried values.
  }];
  let example = [{
func.func @while(%n: tensor<i32>) -> tensor<i32> {
  %0 = core.while (%n) : (tensor<i32>) -> tensor<i32> cond {
  ^bb0(%i: tensor<i32>):
    %limit = core.constant dense<9> : tensor<i32>
    %goes_on = core.compare lt %i, %limit : tensor<i32>
    core.yield %goes_on : tensor<i1>
  } body {
  ^bb0(%i: tensor<i32>):
    %step = core.constant dense<2> : tensor<i32>
    %next = core.add %i, %step : tensor<i32>
    core.yield %next : tensor<i32>
  }
  return %0 : tensor<i32>
}
}];
  let arguments = (ins Variadic<Core_Tensor>:$inits);
  let results = (outs Variadic<Core_Tensor>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inits `)` attr-dict `:` functional-type($inits, $results) `cond` $cond `body` $body
  }];
  let hasVerifier = 1;
}

def Core_IfOp : Core_Op<"if", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "Runs one of two regions";
  let description = [{
    The predicate is a tensor<i1>. The regions take no arguments; both yield the
    op's results.
  }];
  let example = [{
func.func @if(%p: tensor<i1>, %x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = core.if %p : (tensor<i1>) -> tensor<4x6xf32> then {
    core.yield %x : tensor<4x6xf32>
  } else {
    %negative = core.neg %x : tensor<4x6xf32>
    core.yield %negative : tensor<4x6xf32>
  }
  return %0 : tensor<4x6xf32>
}
}];
  let arguments = (ins Core_Tensor:$pred);
  let results = (outs Variadic<Core_Tensor>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $pred attr-dict `:` functional-type($pred, $results) `then` $then_region `else` $else_region
  }];
  let hasVerifier = 1;
}

#endif // PARTITA_IR_CORE_CONTROLOPS_TD
