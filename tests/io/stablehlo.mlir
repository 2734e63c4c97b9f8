// RUN: partita-opt %s --mlir-print-op-generic --mlir-print-debuginfo | partita-opt | FileCheck %s
// RUN: partita-opt %s | partita-opt | FileCheck %s

// CHECK-LABEL: func.func @pointwise
func.func @pointwise(%x: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %s: tensor<f32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  // CHECK: stablehlo.exponential %{{.*}} : tensor<4xf32>
  %1 = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.exponential %{{.*}} {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %2 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %4 = stablehlo.compare  LT, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %5 = stablehlo.select %b, %x, %x : tensor<4xi1>, tensor<4xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e5m10 : tensor<4xf32>
  %7 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf32>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
  %8 = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
  // CHECK: stablehlo.is_finite %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %9 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<3x8xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.constant {tag = 1 : i32} dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.constant {tag = 1 : i32} dense<[1, 2]> : tensor<2xi32>
  // CHECK: stablehlo.constant() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %1 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
  // CHECK: stablehlo.iota dim = 1 : tensor<2x5xi32>
  %2 = stablehlo.iota dim = 1 : tensor<2x5xi32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %4 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  // CHECK: stablehlo.slice %{{.*}} [1:3, 4:8:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
  %5 = stablehlo.slice %x [1:3, 4:8:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, 1], high = [1, 0], interior = [1, 0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<6x9xf32>
  %6 = stablehlo.pad %x, %s, low = [0, 1], high = [1, 0], interior = [1, 0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<6x9xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<6x8xf32>
  %7 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<6x8xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [1] : tensor<3x8xf32>
  %8 = stablehlo.reverse %x, dims = [1] : tensor<3x8xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<3x8xf32>) -> tensor<24xf32>
  %9 = stablehlo.reshape %x : (tensor<3x8xf32>) -> tensor<24xf32>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}0, 1], [1, 1]], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x6x16xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [1, 1]], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x6x16xf32>
  return
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<4x8xf32>, %z: tensor<f32>, %i: tensor<4x8xi32>, %zi: tensor<i32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // The op within has the reduction's location, so that the short form stays.
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.maximum across
  %4 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32> loc("elsewhere")
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) (%[[C:.*]]: tensor<i32>, %[[D:.*]]: tensor<i32>) {
  // CHECK: stablehlo.maximum %[[A]], %[[B]]
  // CHECK: stablehlo.add %[[C]], %[[D]]
  %1:2 = stablehlo.reduce(%x init: %z), (%i init: %zi) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    %3 = stablehlo.add %c, %d : tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return
}

// CHECK-LABEL: func.func @indexing
func.func @indexing(%x: tensor<10x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>, %s: tensor<i32>) {
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{{.*}}scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [2, 4] : (tensor<10x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %2 = stablehlo.dynamic_slice %x, %s, %s, sizes = [2, 4] : (tensor<10x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @control
func.func @control(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %{{.*}}:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}) : tensor<i32>, tensor<4xf32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.compare LT, %[[I]], %{{.*}}
  // CHECK: } do {
  // CHECK: stablehlo.return %{{.*}}, %[[X]]
  %0:2 = stablehlo.while(%i = %n, %c = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %1, %c : tensor<i32>, tensor<4xf32>
  }
  // CHECK: stablehlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
  %2:2 = stablehlo.optimization_barrier %x, %x : tensor<4xf32>, tensor<4xf32>
  // CHECK: %[[T:.*]] = stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<i32>, tensor<4xf32>>
  %3 = stablehlo.tuple %n, %x : tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: stablehlo.get_tuple_element %[[T]][1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  // CHECK: stablehlo.custom_call @"not an id"(%{{.*}}) {api_version = 4 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.custom_call @"not an id"(%x) {api_version = 4 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.composite "ns.name" %{{.*}} {decomposition = @control} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.composite "ns.name" %x {decomposition = @control} : (tensor<4xf32>) -> tensor<4xf32>
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @distribution
func.func @distribution(%x: tensor<4xf32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.partition_id : tensor<ui32>
  %0 = stablehlo.partition_id : tensor<ui32>
  // CHECK: "stablehlo.all_reduce"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  %1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.after_all %{{.*}}, %{{.*}} : !stablehlo.token
  %2 = stablehlo.after_all %t, %t : !stablehlo.token
  return
}

// CHECK-LABEL: func.func @bounded(%arg0: tensor<?x4xf32, #stablehlo.bounds<3, ?>>
func.func @bounded(%x: tensor<?x4xf32, #stablehlo.type_extensions<bounds = [3, ?]>>) {
  return
}

// Attributes of foreign dialects pass.
// CHECK-LABEL: func.func @foreign(%arg0: tensor<f32> {jax.buffer_donor = true, mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32})
func.func @foreign(%x: tensor<f32> {jax.buffer_donor = true, mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32}) {
  return
}
