// RUN: partita-opt --partita-simplify-collectives %s | FileCheck %s

core.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: @slice_of_gather
// CHECK-NEXT: return %arg0
func.func @slice_of_gather(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.all_gather %a over @mesh {"x"} dims = [0] : (tensor<4xf32>) -> tensor<8xf32>
  %1 = comm.slice %0 over @mesh {"x"} dim = 0 : (tensor<8xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @slice_of_gather_over_other_axes
// CHECK: comm.all_gather
// CHECK: comm.slice
func.func @slice_of_gather_over_other_axes(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.all_gather %a over @mesh {"x"} dims = [0] : (tensor<4xf32>) -> tensor<8xf32>
  %1 = comm.slice %0 over @mesh {"y"} dim = 0 : (tensor<8xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @slice_of_gather_of_another_dim
// CHECK: comm.all_gather
// CHECK: comm.slice
func.func @slice_of_gather_of_another_dim(%a: tensor<4x4xf32>) -> tensor<8x2xf32> {
  %0 = comm.all_gather %a over @mesh {"x"} dims = [0] : (tensor<4x4xf32>) -> tensor<8x4xf32>
  %1 = comm.slice %0 over @mesh {"x"} dim = 1 : (tensor<8x4xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// CHECK-LABEL: @gather_of_slice
// CHECK: return %arg0
func.func @gather_of_slice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.slice %a over @mesh {"x"} dim = 0 : (tensor<8xf32>) -> tensor<4xf32>
  %1 = comm.all_gather %0 over @mesh {"x"} dims = [0] : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: @slice_of_reduction
// CHECK-NEXT: %[[RS:.*]] = comm.reduce_scatter %arg0 over @mesh {"x"} max dims = [1]
// CHECK-SAME: from [#core.sharding<@mesh, [{}, {}], unreduced=max{"x"}>] to [#core.sharding<@mesh, [{}, {"x"}]>]
// CHECK-NEXT: return %[[RS]]
func.func @slice_of_reduction(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = comm.all_reduce %a over @mesh {"x"} max from [#core.sharding<@mesh, [{}, {}], unreduced=max{"x"}>] to [#core.sharding<@mesh, [{}, {}]>] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = comm.slice %0 over @mesh {"x"} dim = 1 from [#core.sharding<@mesh, [{}, {}]>] to [#core.sharding<@mesh, [{}, {"x"}]>] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: @reduction_used_twice
// CHECK: comm.all_reduce
// CHECK: comm.slice
func.func @reduction_used_twice(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %1 = comm.slice %0 over @mesh {"x"} dim = 0 : (tensor<8xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// The order of axes is of no matter to a sum.
// CHECK-LABEL: @equal
// CHECK-NEXT: %[[AR:.*]] = comm.all_reduce
// CHECK-NEXT: return %[[AR]], %[[AR]]
func.func @equal(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x", "y"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %1 = comm.all_reduce %a over @mesh {"y", "x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// But to a gather it is.
// CHECK-LABEL: @not_equal
// CHECK-COUNT-2: comm.all_gather
// CHECK-COUNT-2: comm.all_reduce
func.func @not_equal(%a: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = comm.all_gather %a over @mesh {"x", "y"} dims = [0] : (tensor<2xf32>) -> tensor<8xf32>
  %1 = comm.all_gather %a over @mesh {"y", "x"} dims = [0] : (tensor<2xf32>) -> tensor<8xf32>
  %2 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<2xf32>) -> tensor<2xf32>
  %3 = comm.all_reduce %a over @mesh {"x"} max : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>
}
