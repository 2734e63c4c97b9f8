// What is passed on as it is keeps its value, -0 as well, on several devices.
//
// RUN: split-file %s %t
// RUN: partita run %t/parts.mlir --backend ref
// RUN: partita run %t/parts.mlir
// RUN: partita run %t/whole.mlir --seed 1 --out %t/several.npz
// RUN: partita run %t/whole.mlir --seed 1 --out %t/ref.npz --backend ref
// RUN: partita run %t/whole.mlir --seed 1 --out %t/one.npz --mesh none
// RUN: cmp %t/several.npz %t/one.npz
// RUN: cmp %t/ref.npz %t/one.npz

//--- parts.mlir
sdy.mesh @mesh = <["x"=2]>

func.func @main() {
  %0 = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<2xf32>
  %2 = stablehlo.slice %1 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  check.expect_eq_const %2, dense<-0.0> : tensor<1xf32>
  %at = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.dynamic_slice %1, %at, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<1xf32>
  check.expect_eq_const %3, dense<-0.0> : tensor<1xf32>
  return
}

//--- whole.mlir
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xi32> {
  return %x : tensor<2xi32>
}
