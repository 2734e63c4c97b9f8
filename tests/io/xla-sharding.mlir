// RUN: partita-opt %s --partita-import --split-input-file | FileCheck %s

// XLA's own sharding text becomes sub-axes of one axis of all devices.

// CHECK: core.mesh @mesh = <["devices"=8]>
// CHECK-LABEL: func.func @strings(
// CHECK-SAME: #core.sharding<@mesh, [{"devices":(1)2}, {}]>
// CHECK-SAME: #core.sharding<@mesh, [{"devices":(2)4}, {"devices":(1)2}]>
// CHECK-SAME: #core.sharding<@mesh, [{}, {}]>
// CHECK-SAME: #core.sharding<@mesh, [{"devices"}, {}]>
// CHECK-SAME: -> (tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"devices":(1)4}]>})
func.func @strings(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
                   %b: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"},
                   %c: tensor<8x8xf32> {mhlo.sharding = "{replicated}"},
                   %d: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7 metadata={op_name=\"d\"}}"})
    -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4,2]<=[8] last_tile_dims={replicated}}"}) {
  // CHECK: %[[SUM:.*]] = core.add
  // CHECK: %[[HERE:.*]] = core.sharding_constraint %[[SUM]] <@mesh, [{"devices":(1)2}, {"devices":(2)4}]>
  %0 = stablehlo.add %a, %b {mhlo.sharding = "{devices=[2,4]<=[8]}"} : tensor<8x8xf32>
  // CHECK: %[[CALL:.*]] = core.sharding_constraint %[[HERE]] <@mesh, [{?}, {"devices":(1)2}]>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: return %[[CALL]]
  return %1 : tensor<8x8xf32>
}

// -----

// Where the program has a mesh, it is that mesh's axes.
// CHECK: core.mesh @grid = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @on_mesh(
// CHECK-SAME: #core.sharding<@grid, [{"x"}, {"y"}]>
// CHECK-SAME: #core.sharding<@grid, [{"y"}, {"x"}]>
// CHECK-SAME: #core.sharding<@grid, [{"x", "y":(1)2}, {}]>
// CHECK-SAME: #core.sharding<@grid, [{"y"}, {}]>
sdy.mesh @grid = <["x"=2, "y"=4]>
func.func @on_mesh(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
                   %b: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"},
                   %c: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"},
                   %d: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}", sdy.sharding = #sdy.sharding<@grid, [{"y"}, {}]>}) {
  return
}

// -----

// All devices hold the whole of it.
// CHECK: core.mesh @mesh = <["devices"=4]>
// CHECK-LABEL: func.func @copies(
// CHECK-SAME: #core.sharding<@mesh, [{}]>
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @copies(%a: tensor<8xf32> {mhlo.sharding = "{replicated}"}) {
    return
  }
}

// -----

// CHECK-LABEL: func.func @one_device(%arg0: tensor<8xf32>)
func.func @one_device(%a: tensor<8xf32> {mhlo.sharding = "{replicated}"}) {
  return
}
