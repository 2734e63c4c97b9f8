// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 4 results

// Elements put between those of split dimensions, evenly split or not, with
// margins and with cuts.
core.mesh @mesh = <["x"=4]>

func.func @main(%a: tensor<8x3xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<5xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %v: tensor<f32>)
    -> (tensor<16x5xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<19xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<9xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
        tensor<18x3xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = core.pad %a, %v low [1, 0] high [0, 0] interior [1, 1] : (tensor<8x3xf32>, tensor<f32>) -> tensor<16x5xf32>
  %1 = core.pad %b, %v low [4] high [2] interior [2] : (tensor<5xf32>, tensor<f32>) -> tensor<19xf32>
  %2 = core.pad %b, %v low [-3] high [-1] interior [2] : (tensor<5xf32>, tensor<f32>) -> tensor<9xf32>
  %3 = core.pad %a, %v low [-2, 0] high [5, 0] interior [1, 0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<18x3xf32>
  return %0, %1, %2, %3 : tensor<16x5xf32>, tensor<19xf32>, tensor<9xf32>, tensor<18x3xf32>
}
