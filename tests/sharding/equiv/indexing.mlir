// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 6 results

// Reads and writes at computed places of split tables; indices are random, so
// some are out of range.
core.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%table: tensor<15x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>},
                %ids: tensor<6x1xi32> {core.sharding = #core.sharding<@mesh, [{"y"}, {}]>},
                %rows: tensor<6x8xf32> {core.sharding = #core.sharding<@mesh, [{"y"}, {}]>},
                %i: tensor<i64>, %j: tensor<i32>, %u: tensor<3x8xf32>)
    -> (tensor<6x8xf32> {core.sharding = #core.sharding<@mesh, [{"y"}, {}]>},
        tensor<15x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<15x8xf32> {core.sharding = #core.sharding<@mesh, [{"y"}, {}]>},
        tensor<15x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<1x8xf32>, tensor<2x8xf32>) {
  %0 = core.gather %table at %ids {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64: 1>,
    operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 8>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}
    : (tensor<15x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %1 = core.scatter with sum : %table at %ids, %rows {index_vector_dim = 1 : i64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>,
    scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}
    : (tensor<15x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> tensor<15x8xf32>
  %zero = core.constant dense<0.0> : tensor<15x8xf32>
  %2 = core.scatter with max : %zero at %ids, %rows {index_vector_dim = 1 : i64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>,
    scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}
    : (tensor<15x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> tensor<15x8xf32>
  %c = core.constant dense<0> : tensor<i64>
  %3 = core.dynamic_update_slice %table, %u at (%i, %c) : (tensor<15x8xf32>, tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<15x8xf32>
  %z = core.constant dense<0> : tensor<i32>
  %4 = core.dynamic_slice %table at (%j, %z) sizes [1, 8] : (tensor<15x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %5 = core.dynamic_slice %table at (%j, %z) sizes [2, 8] : (tensor<15x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<6x8xf32>, tensor<15x8xf32>, tensor<15x8xf32>, tensor<15x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>
}
