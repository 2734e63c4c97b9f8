// RUN: not partita run %s --mesh none 2>&1 | FileCheck %s

core.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<i32> {
  // CHECK: mesh-none.mlir:[[#@LINE+1]]:8: error: works over the devices of a mesh, so the program cannot run with --mesh none
  %0 = comm.axis_index over @mesh {"x"} : tensor<i32>
  return %0 : tensor<i32>
}
