// Tokens become flags; @main neither takes nor gives them.
//
// RUN: partita-opt %s --partita-import | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32> {core.alias = 1 : i64}, %[[Y:.*]]: tensor<3xf32> {core.alias = 0 : i64})
// CHECK-SAME: -> (tensor<3xf32>, tensor<2xf32>)
func.func @main(%t: !stablehlo.token, %x: tensor<2xf32> {tf.aliasing_output = 3 : i32}, %y: tensor<3xf32> {tf.aliasing_output = 1 : i32}) -> (!stablehlo.token, tensor<3xf32>, !stablehlo.token, tensor<2xf32>) {
  // CHECK: %[[GIVEN:.*]] = core.constant dense<false> : tensor<i1>
  // CHECK: %[[MADE:.*]] = core.constant dense<false> : tensor<i1>
  %0 = stablehlo.after_all %t : !stablehlo.token
  // CHECK: %[[CALL:.*]]:2 = call @ordered(%[[X]], %[[MADE]]) : (tensor<2xf32>, tensor<i1>) -> (tensor<2xf32>, tensor<i1>)
  %1:2 = func.call @ordered(%x, %0) : (tensor<2xf32>, !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  // CHECK: return %[[Y]], %[[CALL]]#0 : tensor<3xf32>, tensor<2xf32>
  return %1#1, %y, %t, %1#0 : !stablehlo.token, tensor<3xf32>, !stablehlo.token, tensor<2xf32>
}

// CHECK: func.func private @ordered(%[[X:.*]]: tensor<2xf32>, %[[T:.*]]: tensor<i1>) -> (tensor<2xf32>, tensor<i1>)
func.func private @ordered(%x: tensor<2xf32>, %t: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
  // CHECK: core.barrier %[[X]], %[[T]] : (tensor<2xf32>, tensor<i1>)
  %0:2 = stablehlo.optimization_barrier %x, %t : tensor<2xf32>, !stablehlo.token
  return %0#0, %0#1 : tensor<2xf32>, !stablehlo.token
}
