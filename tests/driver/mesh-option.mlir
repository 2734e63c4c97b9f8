// RUN: partita compile %s --to simplify --mesh data=3 | FileCheck %s --check-prefix=RESIZED
// RUN: partita compile %s --to simplify --mesh none | FileCheck %s --check-prefix=NONE
// RUN: not partita compile %s --to simplify --mesh pipe=2 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sh -c 'partita compile %s --mesh data; test $? = 2' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sh -c 'partita compile %s --mesh data=0; test $? = 2' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: sh -c 'partita compile %s --mesh data=2,data=2; test $? = 2' 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sh -c 'partita compile %s --mesh a=65536,b=65536; test $? = 2' 2>&1 | FileCheck %s --check-prefix=MANY

// The named axis takes its size, the other keeps its own.
// RESIZED: core.num_partitions = 6
// RESIZED: core.mesh @mesh = <["data"=3, "model"=2]>
// RESIZED: core.sharding_constraint

// NONE-NOT: core.mesh
// NONE-NOT: core.sharding
// NONE: func.func @main
// NONE-NOT: core.sharding

// UNKNOWN: mesh-option.mlir:[[#@LINE+6]]:1: error: --mesh gives a size for axis 'pipe', which mesh @mesh does not have; its axes are 'data', 'model'
// SIZE: 'data' is no mesh axis; write NAME=SIZE, as in data=4,model=2
// ZERO: mesh axis 'data' has size 0; it must be at least 1
// TWICE: mesh axis 'data' is given twice
// MANY: a mesh of more than 2147483648 devices

core.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%a: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"data"}]>}) -> tensor<4xf32> {
  %0 = core.neg %a : tensor<4xf32>
  %1 = core.sharding_constraint %0 <@mesh, [{"model"}]> : tensor<4xf32>
  return %1 : tensor<4xf32>
}
