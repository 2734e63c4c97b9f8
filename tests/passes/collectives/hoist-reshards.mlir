// RUN: partita-opt --partita-hoist-reshards %s | FileCheck %s

core.mesh @mesh = <["x"=2]>

// A value from outside, and one that the body hands on unchanged.
// CHECK-LABEL: @invariant
// CHECK-DAG: %[[A:.*]] = comm.reshard %arg1
// CHECK-DAG: %[[B:.*]] = comm.reshard %arg2
// CHECK: core.while
// CHECK-NOT: comm.reshard
// CHECK: core.add %[[A]], %[[B]]
// CHECK: return
func.func @invariant(%p: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = core.while (%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) cond {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    %1 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    %2 = comm.reshard %y from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    %3 = core.add %1, %2 : tensor<8xf32>
    core.yield %3, %y : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0 : tensor<8xf32>
}

// A carried value that changes stays, and so does what may never run.
// CHECK-LABEL: @variant
// CHECK-NOT: comm.reshard
// CHECK: core.while
// CHECK: comm.reshard
// CHECK: core.if
// CHECK: comm.reshard
// CHECK: return
func.func @variant(%p: tensor<i1>, %a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = core.while (%a) : (tensor<8xf32>) -> tensor<8xf32> cond {
  ^bb0(%x: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>):
    %1 = comm.reshard %x from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    %2 = core.if %p : (tensor<i1>) -> tensor<8xf32> then {
      %3 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
      core.yield %3 : tensor<8xf32>
    } else {
      core.yield %1 : tensor<8xf32>
    }
    core.yield %2 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
