//===- Passes.td - Import and export -----------------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_PASSES_TD
#define PARTITA_IR_IO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportPass : Pass<"partita-import", "::mlir::ModuleOp"> {
  let summary = "Turns StableHLO, CHLO and Shardy ops into core ops";
  let description = [{
    Ops with a counterpart are renamed; others are taken apart (`chlo.square`,
    a `stablehlo.reduce` whose init is not the identity). Meshes and shardings
    become `core.mesh`, `core.sharding` and `core.sharding_constraint`;
    `tf.aliasing_output` becomes `core.alias`, `jax.buffer_donor`
    `core.donated`, and `mhlo.num_partitions` `core.num_partitions`. Locations
    stay. Calls stay calls.

    ```mlir
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add
        across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    // becomes
    %0 = core.reduce sum %x, dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    ```

    An op that core has no form for is an error that names it, as are dynamic
    shapes. All such ops are reported before the pass fails. Ops of `check` and
    `interpreter` stay, in their form with operands only.
  }];
  let dependentDialects = ["::partita::core::CoreDialect",
                           "::partita::comm::CommDialect",
                           "::partita::check::CheckDialect",
                           "::mlir::func::FuncDialect"];
}

def ExportStablehloPass : Pass<"partita-export-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Turns core and comm ops into StableHLO, CHLO and Shardy ops";
  let description = [{
    The inverse of `--partita-import`, for other tools to read. A localised
    program keeps its meaning: the body of @main becomes an
    `sdy.manual_computation` over all axes, with `stablehlo.all_reduce` and its
    like over groups of devices.

    ```mlir
    %0 = core.reduce sum %x, dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    // becomes
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %cst) applies stablehlo.add
        across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    ```

    Collectives on global shapes have no StableHLO form: that is an error.
  }];
  let dependentDialects = ["::partita::stablehlo::StablehloDialect",
                           "::partita::chlo::ChloDialect",
                           "::partita::sdy::SdyDialect",
                           "::mlir::func::FuncDialect"];
}

#endif // PARTITA_IR_IO_PASSES_TD
