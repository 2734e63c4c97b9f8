//===- Passes.td - Cutting a program into kernels ----------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_FUSION_PASSES_TD
#define PARTITA_PASSES_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FusePass : Pass<"partita-fuse", "::mlir::ModuleOp"> {
  let summary = "Groups core ops into kernels and launches";
  let description = [{
    Elementwise ops join what they read or share a row with; broadcasts and
    other ops that only rename elements are repeated in every kernel that reads
    them; a product takes its elementwise consumers. Ops of the same structure
    share a kernel. Collectives, control flow and constants of several values
    stay outside.

    ```mlir
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = core.neg %a : tensor<4xf32>
      %1 = core.exp %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    // becomes
    plan.kernel @exp_0(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = core.neg %a : tensor<4xf32>
      %1 = core.exp %0 : tensor<4xf32>
      plan.return %1 : tensor<4xf32>
    }
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = plan.launch @exp_0(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::partita::core::CoreDialect", "::partita::plan::PlanDialect"];
}

#endif // PARTITA_PASSES_FUSION_PASSES_TD
