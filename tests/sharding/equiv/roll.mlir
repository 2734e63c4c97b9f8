// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 6 results

// Rolls, parts shorter than the number of devices, one element whose owner
// answers, whole values put beside split ones.
core.mesh @mesh = <["x"=4]>

func.func @main(%a: tensor<16xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
                %b: tensor<13x3xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<3xi32> {core.sharding = #core.sharding<@mesh, [{}]>}, %v: tensor<f32>)
    -> (tensor<16xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<19xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<1x2xf32> {core.sharding = #core.sharding<@mesh, [{}, {}]>},
        tensor<1xi32> {core.sharding = #core.sharding<@mesh, [{}]>},
        tensor<14x3xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<6xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.slice %a [15] to [16] by [1] : (tensor<16xi32>) -> tensor<1xi32>
  %1 = core.slice %a [0] to [15] by [1] : (tensor<16xi32>) -> tensor<15xi32>
  %2 = core.concatenate %0, %1 dim 0 : (tensor<1xi32>, tensor<15xi32>) -> tensor<16xi32>
  %3 = core.concatenate %a, %w dim 0 : (tensor<16xi32>, tensor<3xi32>) -> tensor<19xi32>
  %4 = core.slice %b [9, 0] to [10, 3] by [1, 2] : (tensor<13x3xf32>) -> tensor<1x2xf32>
  %5 = core.slice %a [6] to [7] by [1] : (tensor<16xi32>) -> tensor<1xi32>
  %6 = core.slice %b [12, 0] to [13, 3] by [1, 1] : (tensor<13x3xf32>) -> tensor<1x3xf32>
  %7 = core.concatenate %6, %b dim 0 : (tensor<1x3xf32>, tensor<13x3xf32>) -> tensor<14x3xf32>
  %8 = core.slice %w [1] to [3] by [1] : (tensor<3xi32>) -> tensor<2xi32>
  %9 = core.slice %a [3] to [7] by [1] : (tensor<16xi32>) -> tensor<4xi32>
  %10 = core.concatenate %8, %9 dim 0 : (tensor<2xi32>, tensor<4xi32>) -> tensor<6xi32>
  return %2, %3, %4, %5, %7, %10 : tensor<16xi32>, tensor<19xi32>, tensor<1x2xf32>, tensor<1xi32>, tensor<14x3xf32>, tensor<6xi32>
}
