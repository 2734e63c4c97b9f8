//===- Passes.td - Cleaning a program up -------------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_SIMPLIFY_PASSES_TD
#define PARTITA_PASSES_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlineCallsPass : Pass<"partita-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inlines every call and removes the functions called";
  let description = [{
    Ops of a callee keep their location as the callee of a call site, so that a
    diagnostic names the place in the callee and, where that has none, the call.
    A sharding on an argument or result of a callee becomes a
    `core.sharding_constraint`.

    ```mlir
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = core.neg %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = core.neg %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    A function that calls itself is an error: programs have no recursion.
  }];
  let dependentDialects = ["::partita::core::CoreDialect"];
}

#endif // PARTITA_PASSES_SIMPLIFY_PASSES_TD
