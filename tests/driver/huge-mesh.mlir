// RUN: not partita run %s --mesh x=1000000000 2>&1 | FileCheck %s

// CHECK: huge-mesh.mlir:[[#@LINE+2]]:1: error: mesh @mesh has 1000000000 devices; one process holds at most 65536 virtual devices: give smaller sizes with --mesh

core.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
