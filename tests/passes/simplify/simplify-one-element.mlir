// RUN: partita-opt %s --partita-simplify | FileCheck %s

// A constant of one element stays one: this comes to an end.
// CHECK-LABEL: func.func @one_element
func.func @one_element(%x: tensor<1xi32>) -> tensor<1xi32> {
  // CHECK-NEXT: core.constant dense<7> : tensor<1xi32>
  // CHECK-NEXT: core.add
  %c = core.constant dense<7> : tensor<i32>
  %0 = core.broadcast %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %1 = core.add %x, %0 : tensor<1xi32>
  return %1 : tensor<1xi32>
}
