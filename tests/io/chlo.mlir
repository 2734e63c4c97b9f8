// RUN: partita-opt %s --mlir-print-op-generic | partita-opt | FileCheck %s
// RUN: partita-opt %s | partita-opt | FileCheck %s

// CHECK-LABEL: func.func @ops
func.func @ops(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %r: tensor<8xf32>, %w: tensor<2x8x5xf32>, %g: tensor<2xi32>) {
  // CHECK: chlo.erf %{{.*}} : tensor<4x8xf32> -> tensor<4x8xf32>
  %0 = chlo.erf %x : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: chlo.is_inf %{{.*}} : tensor<4x8xf32> -> tensor<4x8xi1>
  %1 = chlo.is_inf %x : tensor<4x8xf32> -> tensor<4x8xi1>
  // CHECK: chlo.next_after %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = chlo.next_after %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: chlo.top_k(%{{.*}}, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %3:2 = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  // CHECK: chlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %4 = chlo.broadcast_add %x, %r : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK: chlo.broadcast_compare %{{.*}}, %{{.*}} {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  %5 = chlo.broadcast_compare %x, %r {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  // CHECK: chlo.constant dense<1> : tensor<i32>
  %6 = chlo.constant dense<1> : tensor<i32>
  // CHECK: "chlo.ragged_dot"(%{{.*}}, %{{.*}}, %{{.*}}) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
  %7 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<2x8x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  // CHECK: chlo.scan(%{{.*}}) inits (%{{.*}}) dimension=0 {
  // CHECK: } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  %8:2 = chlo.scan(%x) inits (%r) dimension=0 {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %9 = stablehlo.add %a, %b : tensor<8xf32>
    stablehlo.return %9, %9 : tensor<8xf32>, tensor<8xf32>
  } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  return
}
