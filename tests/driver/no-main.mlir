// RUN: not partita compile %s --to simplify 2>&1 | FileCheck %s

// CHECK: no-main.mlir: error: the module has no function @main to run
// CHECK: no-main.mlir:[[#@LINE+1]]:1: note: there is @step; rename the one to run
func.func @step(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
