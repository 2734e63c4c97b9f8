// RUN: partita run %s --seed 1 | FileCheck %s
// RUN: partita run %s --seed 1 --backend ref | FileCheck %s

// CHECK: xla-sharding on devices=4: 4 devices
// CHECK: step    1 {{.*}} r0 = 
func.func @main(%a: tensor<6x8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"},
                %b: tensor<6x8xf32> {mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dim_replicate}"}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %b : tensor<6x8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x8xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
