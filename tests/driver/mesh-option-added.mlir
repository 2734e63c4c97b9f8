// RUN: partita compile %s --to simplify --mesh x=2,y=3 | FileCheck %s

// A program without a mesh gets the option's.
// CHECK: core.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = core.neg %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
