// Kernels are the CPU's.
//
// RUN: not partita run %s --backend ref 2>&1 | FileCheck %s
// RUN: partita run %s

plan.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  plan.return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: ref-kernel.mlir:[[#@LINE+1]]:8: error: 'plan.launch' op cannot be run by the reference back-end
  %0 = plan.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
