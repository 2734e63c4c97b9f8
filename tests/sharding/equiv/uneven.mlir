// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 7 results

// Nothing divides: 10 rows and 7 columns over 4 and 2 devices.
core.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<10x7xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<7x9xf32> {core.sharding = #core.sharding<@mesh, [{"y"}, {}]>},
                %i: tensor<10xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<10x9xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<9x10xf32> {core.sharding = #core.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<7xf32> {core.sharding = #core.sharding<@mesh, [{}]>},
        tensor<10xf32> {core.sharding = #core.sharding<@mesh, [{"y", "x"}]>},
        tensor<f32>, tensor<i32>, tensor<10x7xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = core.dot %a, %b batch [] x [] contract [1] x [0] : (tensor<10x7xf32>, tensor<7x9xf32>) -> tensor<10x9xf32>
  %1 = core.transpose %0, permutation = [1, 0] : (tensor<10x9xf32>) -> tensor<9x10xf32>
  %2 = core.reduce max %a, dims = [0] : (tensor<10x7xf32>) -> tensor<7xf32>
  %3 = core.reduce mul %a, dims = [1] : (tensor<10x7xf32>) -> tensor<10xf32>
  %4 = core.reduce min %a, dims = [0, 1] : (tensor<10x7xf32>) -> tensor<f32>
  %5 = core.reduce xor %i, dims = [0] : (tensor<10xi32>) -> tensor<i32>
  %6 = core.iota dim = 0 : tensor<10x7xf32>
  %7 = core.add %a, %6 : tensor<10x7xf32>
  return %0, %1, %2, %3, %4, %5, %7 : tensor<10x9xf32>, tensor<9x10xf32>, tensor<7xf32>, tensor<10xf32>, tensor<f32>, tensor<i32>, tensor<10x7xf32>
}
