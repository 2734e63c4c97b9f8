// MLIR bytecode is read like text, and keeps places and names.
//
// RUN: rm -rf %t && mkdir %t && partita-opt %s --emit-bytecode -o %t/p.mlirbc
// RUN: partita run %t/p.mlirbc --seed 1 | FileCheck %s
// RUN: partita compile - -o %t/p.partita < %t/p.mlirbc
// RUN: partita run %t/p.partita --seed 1 | FileCheck %s --check-prefix=PACKAGE
// RUN: not partita run %t/p.mlirbc --mesh none --memory-limit 1 2>&1 | FileCheck %s --check-prefix=PLACE
//
// A file that is cut short is refused, wherever that is.
// RUN: sh -c 'head -c 60 %t/p.mlirbc > %t/short.mlirbc'
// RUN: not partita run %t/short.mlirbc 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %{python} %S/inputs/damage.py "partita compile {} -o {}.out" %t/p.mlirbc 60 0

// CHECK: p on x=2: 2 devices
// PACKAGE: stdin on x=2: 2 devices
// SHORT: short.mlirbc: error: the bytecode is damaged, or of a version that is not known
// PLACE: bytecode.mlir:[[#@LINE+2]]:1: error: the program needs
core.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = core.neg %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
