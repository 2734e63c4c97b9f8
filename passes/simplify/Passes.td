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

def SimplifyPass : Pass<"partita-simplify", "::mlir::ModuleOp"> {
  let summary = "Removes what a program can do without";
  let description = [{
    Folds what folds, drops dead code, and applies rewrites that make the
    program smaller or cheaper wherever they apply: neutral operands, conversions
    there and back, arithmetic that is the same for all elements, broadcasts of
    broadcasts, reductions over dimensions of size 1, transposes that a product
    can do. Constants of one value become broadcasts of a scalar, so that they
    can be split like anything else.

    ```mlir
    %0 = core.broadcast %x, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %1 = core.broadcast %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
    // becomes
    %1 = core.broadcast %x, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let dependentDialects = ["::partita::core::CoreDialect"];
}

def LowerSlicesPass : Pass<"partita-lower-slices", "::mlir::ModuleOp"> {
  let summary = "Takes each device's part of a value by its coordinate";
  let description = [{
    Works on local shapes, before fusion.

    ```mlir
    %1 = comm.slice %0 over @mesh {"x"} dim = 0 : (tensor<8xf32>) -> tensor<4xf32>
    // becomes
    %i = comm.axis_index over @mesh {"x"} : tensor<i32>
    %n = core.constant dense<4> : tensor<i32>
    %s = core.mul %i, %n : tensor<i32>
    %1 = core.dynamic_slice %0 at (%s) sizes [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::partita::core::CoreDialect",
                           "::partita::comm::CommDialect"];
}

#endif // PARTITA_PASSES_SIMPLIFY_PASSES_TD
