// Sizes need not divide by the mesh: shards are padded, and the results are
// those of one device.
//
// RUN: rm -rf %t && mkdir %t
// RUN: partita run %s --seed 1 --mesh none --backend ref --out %t/one.npz
// RUN: partita run %s --seed 1 --out %t/cpu.npz
// RUN: partita run %s --seed 1 --backend ref --out %t/ref.npz
// RUN: partita run %s --seed 1 --mesh x=7 --out %t/more.npz
// RUN: %{python} %S/inputs/same_results.py %t/one.npz %t/cpu.npz %t/ref.npz %t/more.npz

core.mesh @mesh = <["x"=3]>
func.func @main(%a: tensor<5x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<4x2xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<5x2xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, tensor<2xf32>) {
  %0 = core.dot %a, %b batch [] x [] contract [1] x [0] : (tensor<5x4xf32>, tensor<4x2xf32>) -> tensor<5x2xf32>
  %1 = core.reduce max %0, dims = [0] : (tensor<5x2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<5x2xf32>, tensor<2xf32>
}
