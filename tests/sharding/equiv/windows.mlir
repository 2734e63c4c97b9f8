// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 6 results

// Ops that shift indices along split dimensions, evenly split or not.
core.mesh @mesh = <["x"=4]>

func.func @main(%a: tensor<16x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<13xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %v: tensor<f32>)
    -> (tensor<15x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<13xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<19xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<26xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<13xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<5xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.slice %a [1, 0] to [16, 4] by [1, 1] : (tensor<16x4xf32>) -> tensor<15x4xf32>
  %1 = core.reverse %b, dims = [0] : tensor<13xf32>
  %2 = core.pad %b, %v low [2] high [4] interior [0] : (tensor<13xf32>, tensor<f32>) -> tensor<19xf32>
  %3 = core.concatenate %b, %1 dim 0 : (tensor<13xf32>, tensor<13xf32>) -> tensor<26xf32>
  %4 = core.slice %b [1] to [13] by [1] : (tensor<13xf32>) -> tensor<12xf32>
  %c = core.constant dense<0> : tensor<i32>
  %5 = core.dynamic_update_slice %b, %4 at (%c) : (tensor<13xf32>, tensor<12xf32>, tensor<i32>) -> tensor<13xf32>
  %6 = core.slice %b [2] to [11] by [2] : (tensor<13xf32>) -> tensor<5xf32>
  return %0, %1, %2, %3, %5, %6 : tensor<15x4xf32>, tensor<13xf32>, tensor<19xf32>, tensor<26xf32>, tensor<13xf32>, tensor<5xf32>
}
