// Meshes of more devices than one process may hold, or than the memory of the
// machine has place for.
//
// RUN: not partita run %s --mesh x=1000000000 2>&1 | FileCheck %s
// RUN: not partita run %s --mesh x=65536 --out %t.npz 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: sh -c 'test ! -e %t.npz'

// MEMORY: partita: error: program 'huge-mesh' needs {{.*}} on each of its 65536 devices, but the machine has {{.*}} for all of them; use a smaller mesh or batch
// CHECK: huge-mesh.mlir:[[#@LINE+2]]:1: error: mesh @mesh has 1000000000 devices; one process holds at most 65536 virtual devices: give smaller sizes with --mesh

core.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4194304xf64>) -> tensor<4194304xf64> {
  %0 = core.exp %a : tensor<4194304xf64>
  return %0 : tensor<4194304xf64>
}
