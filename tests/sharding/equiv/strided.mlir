// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 5 results

// Every second or third element of split dimensions, evenly split or not, and
// of what a margin was put around.
core.mesh @mesh = <["x"=4]>

func.func @main(%a: tensor<16x6xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<13xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %v: tensor<f32>)
    -> (tensor<8x2xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<5xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<2xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.slice %a [1, 1] to [16, 6] by [2, 3] : (tensor<16x6xf32>) -> tensor<8x2xf32>
  %1 = core.slice %b [0] to [13] by [3] : (tensor<13xf32>) -> tensor<5xf32>
  %2 = core.slice %b [3] to [13] by [3] : (tensor<13xf32>) -> tensor<4xf32>
  %3 = core.pad %b, %v low [2] high [1] interior [0] : (tensor<13xf32>, tensor<f32>) -> tensor<16xf32>
  %4 = core.slice %3 [1] to [16] by [2] : (tensor<16xf32>) -> tensor<8xf32>
  %5 = core.slice %b [1] to [12] by [7] : (tensor<13xf32>) -> tensor<2xf32>
  return %0, %1, %2, %4, %5 : tensor<8x2xf32>, tensor<5xf32>, tensor<4xf32>, tensor<8xf32>, tensor<2xf32>
}
