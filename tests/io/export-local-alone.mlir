// RUN: partita-opt %s --partita-export-stablehlo | FileCheck %s

// Without a collective, the types of @main say that it is one device's program.

core.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK: sdy.manual_computation(%[[X]]) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%{{.*}}: tensor<2xf32>) {
func.func @main(%x: tensor<2xf32> {core.global = tensor<4xf32>, core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<2xf32> {core.global = tensor<4xf32>, core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.exp %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
