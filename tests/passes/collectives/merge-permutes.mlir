// RUN: partita-opt --partita-merge-permutes %s | FileCheck %s

core.mesh @mesh = <["x"=4]>

// The last wraps round, the others move up.
// CHECK-LABEL: func.func @ring
// CHECK: %[[SENT:.*]] = core.select %{{.*}}, %arg1, %arg0
// CHECK: %[[ALL:.*]] = comm.permute %[[SENT]] over @mesh {"x"} sources = [3, 0, 1, 2] targets = [0, 1, 2, 3]
// CHECK-NOT: comm.permute
// CHECK: %[[A:.*]] = core.select %{{.*}}, %[[ALL]], %{{.*}}
// CHECK: %[[B:.*]] = core.select %{{.*}}, %[[ALL]], %{{.*}}
// CHECK: return %[[A]], %[[B]]
func.func @ring(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = comm.permute %a over @mesh {"x"} sources = [3] targets = [0] : (tensor<2xf32>) -> tensor<2xf32>
  %1 = comm.permute %b over @mesh {"x"} sources = [0, 1, 2] targets = [1, 2, 3] : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @negative_same_sender
// CHECK: comm.permute %arg0
// CHECK: comm.permute %arg1
func.func @negative_same_sender(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = comm.permute %a over @mesh {"x"} sources = [0] targets = [1] : (tensor<2xf32>) -> tensor<2xf32>
  %1 = comm.permute %b over @mesh {"x"} sources = [0] targets = [2] : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @negative_dependent
// CHECK: comm.permute %arg0 {{.*}} sources = [0] targets = [1]
// CHECK: comm.permute %{{.*}} sources = [1] targets = [2]
func.func @negative_dependent(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = comm.permute %a over @mesh {"x"} sources = [0] targets = [1] : (tensor<2xf32>) -> tensor<2xf32>
  %1 = comm.permute %0 over @mesh {"x"} sources = [1] targets = [2] : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @negative_other_type
// CHECK: comm.permute %arg0
// CHECK: comm.permute %arg1
func.func @negative_other_type(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %0 = comm.permute %a over @mesh {"x"} sources = [3] targets = [0] : (tensor<2xf32>) -> tensor<2xf32>
  %1 = comm.permute %b over @mesh {"x"} sources = [0, 1, 2] targets = [1, 2, 3] : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<2xf32>, tensor<3xf32>
}

// What uses the first permute moves behind the third, and thereby behind the
// other permute of the second level.
// CHECK-LABEL: func.func @moved_past_each_other
// CHECK: %[[OTHER:.*]] = comm.permute %arg0 over @mesh {"x"} sources = [0] targets = [2]
// CHECK: comm.permute %{{.*}} over @mesh {"x"} sources = [0, 1] targets = [1, 0]
// CHECK: %[[SENT:.*]] = core.select %{{.*}}, %{{.*}}, %[[OTHER]]
// CHECK: comm.permute %[[SENT]] over @mesh {"x"} sources = [3, 2] targets = [2, 3]
// CHECK-NOT: comm.permute
func.func @moved_past_each_other(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = comm.permute %a over @mesh {"x"} sources = [0] targets = [1] : (tensor<2xf32>) -> tensor<2xf32>
  %1 = comm.permute %a over @mesh {"x"} sources = [0] targets = [2] : (tensor<2xf32>) -> tensor<2xf32>
  %2 = comm.permute %0 over @mesh {"x"} sources = [2] targets = [3] : (tensor<2xf32>) -> tensor<2xf32>
  %3 = comm.permute %1 over @mesh {"x"} sources = [3] targets = [2] : (tensor<2xf32>) -> tensor<2xf32>
  %4 = comm.permute %a over @mesh {"x"} sources = [1] targets = [0] : (tensor<2xf32>) -> tensor<2xf32>
  return %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
