// RUN: partita-opt %s --partita-export-stablehlo | FileCheck %s
// RUN: partita-opt %s --partita-export-stablehlo | partita-opt

// The program of one device runs inside of a manual computation; @main takes
// and gives whole arrays.

core.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK: sdy.manual_computation(%[[X]]) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%{{.*}}: tensor<2x4xf32>) {
func.func @main(%x: tensor<2x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<2xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  // CHECK: stablehlo.reduce(
  %0 = core.reduce sum %x, dims = [1] : (tensor<2x4xf32>) -> tensor<2xf32>
  // CHECK: "stablehlo.all_reduce"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}>
  %1 = comm.all_reduce %0 over @mesh {"y"} sum : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[AT:.*]] = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi32>
  // CHECK: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK: stablehlo.dynamic_slice %[[AT]], %[[ID]], sizes = [1]
  %2 = comm.axis_index over @mesh {"x"} : tensor<i32>
  // CHECK: "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
  %3 = comm.all_gather %1 over @mesh {"x"} dims = [0] : (tensor<2xf32>) -> tensor<4xf32>
  // CHECK: sdy.return
  return %1 : tensor<2xf32>
}
