// RUN: partita-opt %s | FileCheck %s

// Newer versions of MLIR print large constants of i1 with a byte an element.

// CHECK-LABEL: func.func @main
func.func @main() -> tensor<10xi1> {
  // CHECK: stablehlo.constant dense<[true, false, false, true, false, false, false, false, false, true]> : tensor<10xi1>
  %0 = stablehlo.constant dense<"0x01000001000000000001"> : tensor<10xi1>
  return %0 : tensor<10xi1>
}
