// RUN: partita-opt %s --partita-export-stablehlo | FileCheck %s
// RUN: partita-opt %s --partita-export-stablehlo | partita-opt --partita-import | FileCheck %s --check-prefix=BACK

// CHECK: module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
// CHECK: sdy.mesh @mesh = <["x"=2]>
core.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: %[[W:.*]]: tensor<8x3xf32> {jax.buffer_donor = true}
// BACK-LABEL: func.func @main
// BACK-SAME: {core.alias = 0 : i64, core.sharding = #core.sharding<@mesh, [{"x"}, {?}]>}
func.func @main(%x: tensor<4x8xf32> {core.alias = 0 : i64, core.sharding = #core.sharding<@mesh, [{"x"}, {?}]>},
                %w: tensor<8x3xf32> {core.donated}) -> tensor<4xf32> {
  // CHECK: stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  // BACK: core.dot
  %0 = core.dot %x, %w batch [] x [] contract [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x"}, {}]> : tensor<4x3xf32>
  // BACK: core.sharding_constraint
  %1 = core.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x3xf32>
  // CHECK: %[[LOW:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %[[LOW]]) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  // BACK: core.reduce max
  // BACK-NOT: core.max
  %2 = core.reduce max %1, dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
  // CHECK: chlo.erf %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  // BACK: core.erf
  %3 = core.erf %2 : tensor<4xf32>
  // CHECK: stablehlo.compare GE, %{{.*}}, %{{.*}}, FLOAT
  // BACK: core.compare ge
  %4 = core.compare ge %3, %2 : tensor<4xf32>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  // BACK: core.select
  %5 = core.select %4, %3, %2 : tensor<4xi1>, tensor<4xf32>
  // CHECK: stablehlo.while(
  // CHECK: stablehlo.return %{{.*}} : tensor<i1>
  // CHECK: } do {
  // CHECK: stablehlo.exponential
  // BACK: core.while
  %6 = core.while(%5) : (tensor<4xf32>) -> tensor<4xf32> cond {
  ^bb0(%a: tensor<4xf32>):
    %7 = core.constant dense<false> : tensor<i1>
    core.yield %7 : tensor<i1>
  } body {
  ^bb0(%a: tensor<4xf32>):
    %7 = core.exp %a : tensor<4xf32>
    core.yield %7 : tensor<4xf32>
  }
  return %6 : tensor<4xf32>
}

// Many flags leave as numbers: versions of MLIR differ in how they print them.
// CHECK-LABEL: func.func @flags
// CHECK: %[[BYTES:.*]] = stablehlo.constant dense<"0x0100000100000100
// CHECK-SAME: "> : tensor<101xui8>
// CHECK: stablehlo.convert %[[BYTES]] : (tensor<101xui8>) -> tensor<101xi1>
func.func @flags() -> tensor<101xi1> {
  %0 = core.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false]> : tensor<101xi1>
  return %0 : tensor<101xi1>
}
