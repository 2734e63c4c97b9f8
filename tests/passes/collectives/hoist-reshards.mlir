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

// Three parts are picked, of two layers: to gather both layers once sends less.
// CHECK-LABEL: @pick
// CHECK: %[[ALL:.*]] = comm.reshard %arg0 from <@mesh, [{}, {"x"}]> to <@mesh, [{}, {}]>
// CHECK: core.while
// CHECK: %[[PART:.*]] = core.dynamic_slice %[[ALL]] {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}]>]
// CHECK: %[[FLAT:.*]] = core.reshape %[[PART]] {core.shardings = [#core.sharding<@mesh, [{}]>]}
// CHECK-NEXT: core.add %{{.*}}, %[[FLAT]]
func.func @pick(%a: tensor<2x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  %zero = core.constant dense<0> : tensor<i32>
  %one = core.constant dense<1> : tensor<i32>
  %count = core.constant dense<3> : tensor<i32>
  %0:2 = core.while (%b, %zero) : (tensor<8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<i32>) cond {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %p = core.compare lt %i, %count : tensor<i32>
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %1 = core.dynamic_slice %a at (%i, %zero) sizes [1, 8] {core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>]} : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %2 = core.reshape %1 {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} : (tensor<1x8xf32>) -> tensor<8xf32>
    %3 = comm.reshard %2 from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    %4 = core.add %x, %3 : tensor<8xf32>
    %5 = core.add %i, %one : tensor<i32>
    core.yield %4, %5 : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}

// Each layer once: a device had better hold one at a time.
// CHECK-LABEL: @negative_each_once
// CHECK: core.while
// CHECK: core.dynamic_slice %arg0
// CHECK: comm.reshard
func.func @negative_each_once(%a: tensor<2x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  %zero = core.constant dense<0> : tensor<i32>
  %one = core.constant dense<1> : tensor<i32>
  %count = core.constant dense<2> : tensor<i32>
  %0:2 = core.while (%b, %zero) : (tensor<8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<i32>) cond {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %p = core.compare lt %i, %count : tensor<i32>
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %1 = core.dynamic_slice %a at (%i, %zero) sizes [1, 8] {core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>]} : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %2 = core.reshape %1 {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} : (tensor<1x8xf32>) -> tensor<8xf32>
    %3 = comm.reshard %2 from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    %4 = core.add %x, %3 : tensor<8xf32>
    %5 = core.add %i, %one : tensor<i32>
    core.yield %4, %5 : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}
