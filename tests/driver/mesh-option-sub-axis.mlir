// RUN: not partita compile %s --to simplify --mesh x=6 2>&1 | FileCheck %s

// CHECK: mesh-option-sub-axis.mlir:[[#@LINE+3]]:{{[0-9]+}}: error:
// CHECK-SAME: sub-axis "x":(2)2 does not divide axis "x" of size 6
core.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x":(2)2}]>}) -> tensor<4xf32> {
  %0 = core.neg %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
