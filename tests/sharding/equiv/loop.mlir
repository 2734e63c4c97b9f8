// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 2 results

// Gradients of four micro-batches add up in a loop.
core.mesh @mesh = <["data"=4]>

func.func @main(%x: tensor<4x8x6xf32> {core.sharding = #core.sharding<@mesh, [{}, {"data"}, {}]>},
                %w: tensor<6x5xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<6x5xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>}, tensor<i32>) {
  %zero = core.constant dense<0.0> : tensor<6x5xf32>
  %first = core.constant dense<0> : tensor<i32>
  %0:2 = core.while (%first, %zero) : (tensor<i32>, tensor<6x5xf32>) -> (tensor<i32>, tensor<6x5xf32>) cond {
  ^bb0(%i: tensor<i32>, %g: tensor<6x5xf32>):
    %n = core.constant dense<4> : tensor<i32>
    %more = core.compare lt %i, %n : tensor<i32>
    core.yield %more : tensor<i1>
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<6x5xf32>):
    %z = core.constant dense<0> : tensor<i32>
    %1 = core.dynamic_slice %x at (%i, %z, %z) sizes [1, 8, 6] : (tensor<4x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %2 = core.reshape %1 : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %3 = core.dot %2, %w batch [] x [] contract [1] x [0] : (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
    %4 = core.tanh %3 : tensor<8x5xf32>
    %5 = core.dot %2, %4 batch [] x [] contract [0] x [0] : (tensor<8x6xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
    %6 = core.add %g, %5 : tensor<6x5xf32>
    %one = core.constant dense<1> : tensor<i32>
    %7 = core.add %i, %one : tensor<i32>
    core.yield %7, %6 : tensor<i32>, tensor<6x5xf32>
  }
  return %0#1, %0#0 : tensor<6x5xf32>, tensor<i32>
}
