// RUN: partita-opt %s --partita-simplify | FileCheck %s

// CHECK-LABEL: func.func @scatter_at_one_place(
// CHECK: core.constant dense<2>
// CHECK: core.dynamic_update_slice %arg0, %arg1 at
// CHECK-NOT: core.scatter
func.func @scatter_at_one_place(%x: tensor<8x4xf32>, %u: tensor<3x4xf32>) -> tensor<8x4xf32> {
  %at = core.constant dense<2> : tensor<1xi32>
  %0 = core.scatter %x at %at, %u {update_window_dims = array<i64: 0, 1>, inserted_window_dims = array<i64>, input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 0 : i64} : (tensor<8x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// One row, which the updates have no dimension for.
// CHECK-LABEL: func.func @scatter_inserted(
// CHECK: %[[ROW:.*]] = core.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK: core.dynamic_update_slice %arg0, %[[ROW]] at
func.func @scatter_inserted(%x: tensor<8x4xf32>, %u: tensor<4xf32>) -> tensor<8x4xf32> {
  %at = core.constant dense<[7, 0]> : tensor<2xi32>
  %0 = core.scatter %x at %at, %u {update_window_dims = array<i64: 0>, inserted_window_dims = array<i64: 0>, input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0, 1>, index_vector_dim = 0 : i64} : (tensor<8x4xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// What lies outside is dropped by a scatter, moved inside by an update.
// CHECK-LABEL: func.func @negative_scatter_outside(
// CHECK: core.scatter
func.func @negative_scatter_outside(%x: tensor<8xf32>, %u: tensor<3xf32>) -> tensor<8xf32> {
  %at = core.constant dense<6> : tensor<1xi32>
  %0 = core.scatter %x at %at, %u {update_window_dims = array<i64: 0>, inserted_window_dims = array<i64>, input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 0 : i64} : (tensor<8xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @negative_scatter_adds(
// CHECK: core.scatter
func.func @negative_scatter_adds(%x: tensor<8xf32>, %u: tensor<3xf32>) -> tensor<8xf32> {
  %at = core.constant dense<0> : tensor<1xi32>
  %0 = core.scatter with sum : %x at %at, %u {update_window_dims = array<i64: 0>, inserted_window_dims = array<i64>, input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 0 : i64} : (tensor<8xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @negative_scatter_at_several(
// CHECK: core.scatter
func.func @negative_scatter_at_several(%x: tensor<8xf32>, %u: tensor<2xf32>) -> tensor<8xf32> {
  %at = core.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %0 = core.scatter %x at %at, %u {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64} : (tensor<8xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A gather moves its window inside: here to rows 5, 6, 7.
// CHECK-LABEL: func.func @gather_at_one_place(
// CHECK-NEXT: %[[ROWS:.*]] = core.slice %arg0 [5, 0] to [8, 4] by [1, 1]
// CHECK-NEXT: return %[[ROWS]]
func.func @gather_at_one_place(%x: tensor<8x4xf32>) -> tensor<3x4xf32> {
  %at = core.constant dense<9> : tensor<1xi32>
  %0 = core.gather %x at %at {slice_sizes = array<i64: 3, 4>, offset_dims = array<i64: 0, 1>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 0 : i64} : (tensor<8x4xf32>, tensor<1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @dynamic_slice_at_constants(
// CHECK-NEXT: %[[S:.*]] = core.slice %arg0 [0, 1] to [2, 4] by [1, 1]
// CHECK-NEXT: return %[[S]]
func.func @dynamic_slice_at_constants(%x: tensor<8x4xf32>) -> tensor<2x3xf32> {
  %a = core.constant dense<-3> : tensor<i32>
  %b = core.constant dense<200> : tensor<ui8>
  %0 = core.dynamic_slice %x at (%a, %b) sizes [2, 3] : (tensor<8x4xf32>, tensor<i32>, tensor<ui8>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @negative_dynamic_slice(
// CHECK: core.dynamic_slice
func.func @negative_dynamic_slice(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %0 = core.dynamic_slice %x at (%i) sizes [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
