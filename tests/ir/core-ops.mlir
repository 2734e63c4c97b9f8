// RUN: partita-opt %s | partita-opt | FileCheck %s
// RUN: partita-opt %s --mlir-print-op-generic | partita-opt | FileCheck %s

// CHECK-LABEL: @pointwise
func.func @pointwise(%x: tensor<4xf32>, %n: tensor<4xi32>, %p: tensor<4xi1>, %z: tensor<4xcomplex<f32>>) {
  // CHECK: core.neg %{{.*}} : tensor<4xf32>
  %0 = core.neg %x : tensor<4xf32>
  // CHECK: core.abs %{{.*}} : tensor<4xcomplex<f32>>
  %1 = core.abs %z : tensor<4xcomplex<f32>>
  // The absolute value of complex numbers is real.
  // CHECK: core.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %2 = core.add %0, %1 : tensor<4xf32>
  // CHECK: core.compare lt %{{.*}}, %{{.*}} : tensor<4xf32>
  %3 = core.compare lt %x, %2 : tensor<4xf32>
  // CHECK: core.compare eq total %{{.*}}, %{{.*}} : tensor<4xf32>
  %4 = core.compare eq total %x, %2 : tensor<4xf32>
  %5 = core.and %3, %4 : tensor<4xi1>
  // CHECK: core.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %6 = core.select %5, %x, %2 : tensor<4xi1>, tensor<4xf32>
  // CHECK: core.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
  %7 = core.convert %6 : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: core.reduce_precision %{{.*}} to e 5 m 10 : tensor<4xbf16>
  %8 = core.reduce_precision %7 to e 5 m 10 : tensor<4xbf16>
  // CHECK: core.complex %{{.*}}, %{{.*}} : tensor<4xf32>
  %9 = core.complex %x, %x : tensor<4xf32>
  // CHECK: core.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
  %10 = core.clamp %x, %0, %2 : tensor<4xf32>
  return
}

// CHECK-LABEL: @shapes
func.func @shapes(%x: tensor<4x6xf32>, %v: tensor<f32>) {
  // CHECK: core.transpose %{{.*}}, permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %0 = core.transpose %x, permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // CHECK: core.slice %{{.*}} [0, 1] to [4, 6] by [1, 2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = core.slice %x [0, 1] to [4, 6] by [1, 2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  // CHECK: core.pad %{{.*}}, %{{.*}} low [1, -1] high [0, 2] interior [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
  %2 = core.pad %x, %v low [1, -1] high [0, 2] interior [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
  // CHECK: core.concatenate %{{.*}}, %{{.*}} dim 1 : (tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<4x9xf32>
  %3 = core.concatenate %x, %1 dim 1 : (tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<4x9xf32>
  // CHECK: core.reverse %{{.*}}, dims = [0] : tensor<4x6xf32>
  %4 = core.reverse %x, dims = [0] : tensor<4x6xf32>
  // CHECK: core.repack %{{.*}} : (tensor<4x6xf32>) -> tensor<4x6x2xbf16>
  %5 = core.repack %x : (tensor<4x6xf32>) -> tensor<4x6x2xbf16>
  // CHECK: core.reduce max %{{.*}}, dims = [1] : (tensor<4x6xf32>) -> tensor<4xf32>
  %6 = core.reduce max %x, dims = [1] : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @indexing
func.func @indexing(%x: tensor<8x6xf32>, %i: tensor<i32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>, %row: tensor<1x6xf32>) {
  // CHECK: core.dynamic_slice %{{.*}} at(%{{.*}}, %{{.*}}) sizes [1, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  %0 = core.dynamic_slice %x at (%i, %i) sizes [1, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  // CHECK: core.dynamic_update_slice %{{.*}}, %{{.*}} at(%{{.*}}, %{{.*}}) : (tensor<8x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  %1 = core.dynamic_update_slice %x, %row at (%i, %i) : (tensor<8x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  // CHECK: core.gather %{{.*}} at %{{.*}} {{{.*}}slice_sizes = array<i64: 1, 6>{{.*}}} : (tensor<8x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  %2 = core.gather %x at %ids {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>,
    operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>,
    start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>}
    : (tensor<8x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  // CHECK: core.scatter with sum : %{{.*}} at %{{.*}}, %{{.*}} {
  %3 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}
