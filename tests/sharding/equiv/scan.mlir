// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 1 results

// A batch is cut into micro-batches, each split over the devices; what comes of
// them is put together again.
core.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = core.reshape %a : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  %zeros = core.constant dense<0.0> : tensor<2x4x4xf32>
  %zero = core.constant dense<0> : tensor<i32>
  %one = core.constant dense<1> : tensor<i32>
  %two = core.constant dense<2> : tensor<i32>
  %1:3 = core.while (%0, %zero, %zeros) : (tensor<2x4x4xf32>, tensor<i32>, tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<i32>, tensor<2x4x4xf32>) cond {
  ^bb0(%xs: tensor<2x4x4xf32>, %i: tensor<i32>, %ys: tensor<2x4x4xf32>):
    %p = core.compare lt %i, %two : tensor<i32>
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%xs: tensor<2x4x4xf32>, %i: tensor<i32>, %ys: tensor<2x4x4xf32>):
    %x = core.dynamic_slice %xs at (%i, %zero, %zero) sizes [1, 4, 4] : (tensor<2x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %y = core.exp %x : tensor<1x4x4xf32>
    %next = core.dynamic_update_slice %ys, %y at (%i, %zero, %zero) : (tensor<2x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x4xf32>
    %j = core.add %i, %one : tensor<i32>
    core.yield %xs, %j, %next : tensor<2x4x4xf32>, tensor<i32>, tensor<2x4x4xf32>
  }
  %2 = core.reshape %1#2 : (tensor<2x4x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
