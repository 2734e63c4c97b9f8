// RUN: partita-opt %s --partita-lower-slices | FileCheck %s

core.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<3x8xf32>
// CHECK: %[[INDEX:.*]] = comm.axis_index over @mesh {"x"} : tensor<i32>
// CHECK: %[[SIZE:.*]] = core.constant dense<4>
// CHECK: %[[START:.*]] = core.mul %[[INDEX]], %[[SIZE]]
// CHECK: %[[ZERO:.*]] = core.constant dense<0>
// CHECK: core.dynamic_slice %[[A]] at(%[[ZERO]], %[[START]]) sizes [3, 4]
// CHECK-NOT: comm.slice
func.func @main(%a: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %0 = comm.slice %a over @mesh {"x"} dim = 1 : (tensor<3x8xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
