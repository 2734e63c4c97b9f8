// RUN: partita-opt %s --partita-import | FileCheck %s
// RUN: partita-opt %s --partita-import --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// CHECK: module @step attributes {core.num_partitions = 2 : i64} {
module @step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
// CHECK-NOT: sdy.mesh
// CHECK: core.mesh @mesh = <["x"=2]>
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func public @main
// CHECK-SAME: %[[W:.*]]: tensor<8x4xf32> {core.alias = 0 : i64, core.sharding = #core.sharding<@mesh, [{"x"}, {?}]>}
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {core.donated}
// CHECK-SAME: -> (tensor<8x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>, jax.result_info = "out"})
// LOC: #[[W:.*]] = loc("params['w']")
// LOC: %arg0: tensor<8x4xf32> {{.*}} loc("params['w']"
func.func public @main(
    %w: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>, tf.aliasing_output = 0 : i32} loc("params['w']"),
    %x: tensor<8x4xf32> {jax.buffer_donor = true, mhlo.layout_mode = "default"})
    -> (tensor<8x4xf32> {jax.result_info = "out", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: %[[C:.*]] = core.sharding_constraint %[[X]] <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK: %[[A:.*]] = core.add %[[W]], %[[C]] : tensor<8x4xf32>
  // CHECK: %[[AC:.*]] = core.sharding_constraint %[[A]] <@mesh, [{"x"}, {}]>
  %1 = stablehlo.add %w, %0 {mhlo.frontend_attributes = {a = "b"}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x4xf32>
  // CHECK: call @f(%[[AC]]) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = func.call @f(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func private @f
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: core.mul %arg0, %arg0 : tensor<8x4xf32>
  %0 = chlo.square %x : tensor<8x4xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @pointwise
func.func @pointwise(%x: tensor<4xf32>, %p: tensor<i1>, %s: tensor<f32>) {
  // CHECK: core.compare lt total %arg0, %arg0 : tensor<4xf32>
  %0 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: %[[P:.*]] = core.broadcast %arg1, dims = [] : (tensor<i1>) -> tensor<4xi1>
  // CHECK: core.select %[[P]], %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<4xf32>
  // CHECK: %[[LO:.*]] = core.broadcast %arg2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  // CHECK: core.clamp %[[LO]], %arg0, %{{.*}} : tensor<4xf32>
  %2 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: core.convert %arg0 : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: core.bitcast %arg0 : (tensor<4xf32>) -> tensor<4xi32>
  %4 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: %[[ABS:.*]] = core.abs %arg0
  // CHECK: %[[INF:.*]] = core.constant dense<0x7F800000> : tensor<4xf32>
  // CHECK: core.compare eq %[[ABS]], %[[INF]] : tensor<4xf32>
  %5 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @erf_inv
func.func @erf_inv(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  // CHECK: %[[X:.*]] = core.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
  // CHECK: core.log1p
  // CHECK: core.compare lt
  // CHECK: %[[Y:.*]] = core.mul %{{.*}}, %[[X]] : tensor<4xf32>
  // CHECK-NEXT: core.convert %[[Y]] : (tensor<4xf32>) -> tensor<4xbf16>
  %0 = chlo.erf_inv %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<4x8xf32>, %z: tensor<f32>) {
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // The init is the identity: it goes.
  // CHECK: core.reduce max %arg0, dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  // CHECK-NOT: core.max
  %0 = stablehlo.reduce(%x init: %inf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: %[[R:.*]] = core.reduce sum %arg0, dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  // CHECK: %[[Z:.*]] = core.broadcast %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK: core.add %[[R]], %[[Z]] : tensor<8xf32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<10x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>) {
  // CHECK: core.scatter with sum : %arg0 at %arg1, %arg2
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  // CHECK: core.scatter %arg0 at %arg1, %arg2
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  return
}

// CHECK-LABEL: func.func @control
func.func @control(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: core.while(%arg0, %arg1)
  // CHECK: core.compare lt
  // CHECK: core.yield %{{.*}} : tensor<i1>
  // CHECK: core.add
  // CHECK: core.yield %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
  %0:2 = stablehlo.while(%i = %n, %c = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %1, %c : tensor<i32>, tensor<4xf32>
  }
  // CHECK: %[[ZERO:.*]] = core.constant dense<0> : tensor<i32>
  // CHECK: %[[IS0:.*]] = core.compare eq %arg0, %[[ZERO]]
  // CHECK: core.if %[[IS0]]
  // CHECK: core.neg
  // CHECK: core.if
  // CHECK: core.exp
  // CHECK: core.log
  %2 = "stablehlo.case"(%n) ({
    %3 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }, {
    %3 = stablehlo.exponential %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }, {
    %3 = stablehlo.log %x : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  // A tuple that is taken apart leaves nothing behind.
  // CHECK-NOT: tuple
  %4 = stablehlo.tuple %n, %2 : tuple<tensor<i32>, tensor<4xf32>>
  %5 = stablehlo.get_tuple_element %4[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// CHECK-LABEL: func.func @checks
func.func @checks(%x: tensor<2xf32>) {
  // CHECK: %[[C:.*]] = core.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK: check.expect_eq %arg0, %[[C]] : tensor<2xf32>
  check.expect_eq_const %x, dense<1.0> : tensor<2xf32>
  // CHECK: check.expect_almost_eq %arg0, %{{.*}} : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32>
  // CHECK: check.expect_close %arg0, %arg0, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%x, %x) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
}
