// RUN: partita-opt --partita-sink-accumulations %s | FileCheck %s

core.mesh @mesh = <["x"=2]>

// CHECK-LABEL: @from_zero
// CHECK: %[[ZERO:.*]] = core.constant {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]} dense<0.0
// CHECK: %[[LOOP:.*]] = core.while(%[[ZERO]]) {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK-NOT: comm.reshard
// CHECK: core.add %{{.*}}, %arg1 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK: %[[SUM:.*]] = comm.reshard %[[LOOP]] from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]>
// CHECK-NEXT: return %[[SUM]]
func.func @from_zero(%p: tensor<i1>, %a: tensor<8xf32>) -> tensor<8xf32> {
  %zero = core.constant {core.shardings = [#core.sharding<@mesh, [{}]>]} dense<0.0> : tensor<8xf32>
  %0 = core.while (%zero) {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xf32>) -> tensor<8xf32> cond {
  ^bb0(%x: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>):
    %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
    %2 = core.add %x, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    core.yield %2 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// What it starts from is added at the end; the term is scattered there.
// CHECK-LABEL: @from_a_value
// CHECK: core.while
// CHECK-NOT: comm.reshard
// CHECK: core.neg
// CHECK: core.add
// CHECK: core.yield
// CHECK: %[[SUM:.*]] = comm.reshard %{{.*}} from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{"x"}]>
// CHECK-NEXT: %[[ALL:.*]] = core.add %arg2, %[[SUM]] {core.shardings = [#core.sharding<@mesh, [{"x"}]>]}
// CHECK-NEXT: return %[[ALL]]
func.func @from_a_value(%p: tensor<i1>, %a: tensor<8xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  %0 = core.while (%start) {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} : (tensor<8xf32>) -> tensor<8xf32> cond {
  ^bb0(%x: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>):
    %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{"x"}]> : tensor<8xf32>
    %2 = core.neg %1 {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} : tensor<8xf32>
    %3 = core.add %2, %x {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} : tensor<8xf32>
    core.yield %3 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// The body looks at the sum so far.
// CHECK-LABEL: @another_use
// CHECK: core.while(%arg1)
// CHECK: comm.reshard %arg1
// CHECK: core.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @another_use(%p: tensor<i1>, %a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = core.while (%a) {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xf32>) -> tensor<8xf32> cond {
  ^bb0(%x: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>):
    %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
    %2 = core.mul %1, %x {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    %3 = core.add %2, %x {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    core.yield %3 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// Adding up maxima is not linear; nor is a product.
// CHECK-LABEL: @not_linear
// CHECK: core.while
// CHECK: comm.reshard
// CHECK: comm.reshard
// CHECK: core.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @not_linear(%p: tensor<i1>, %a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = core.while (%a, %a) {core.shardings = [#core.sharding<@mesh, [{}]>, #core.sharding<@mesh, [{}]>]} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) cond {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    %1 = comm.reshard %a from <@mesh, [{}], unreduced=max{"x"}> to <@mesh, [{}]> : tensor<8xf32>
    %2 = core.add %x, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    %3 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
    %4 = core.mul %y, %3 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    core.yield %2, %4 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// Sums of single precision are twice as large as terms of half precision, but
// the loop runs more than twice.
// CHECK-LABEL: @converted_terms
// CHECK: core.while
// CHECK: core.add {{.*}}unreduced={"x"}
// CHECK: core.yield
// CHECK-NEXT: }
// CHECK: comm.reshard {{.*}} from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]>{{.*}}: tensor<8xf32>
func.func @converted_terms(%a: tensor<8xbf16>) -> tensor<8xf32> {
  %zero = core.constant {core.shardings = [#core.sharding<@mesh, [{}]>]} dense<0.0> : tensor<8xf32>
  %first = core.constant {core.shardings = [#core.sharding<@mesh, []>]} dense<0> : tensor<i32>
  %step = core.constant {core.shardings = [#core.sharding<@mesh, []>]} dense<1> : tensor<i32>
  %count = core.constant {core.shardings = [#core.sharding<@mesh, []>]} dense<4> : tensor<i32>
  %0:2 = core.while (%zero, %first) {core.shardings = [#core.sharding<@mesh, [{}]>, #core.sharding<@mesh, []>]} : (tensor<8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<i32>) cond {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %p = core.compare lt %i, %count {core.shardings = [#core.sharding<@mesh, []>]} : tensor<i32>
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xbf16>
    %2 = core.convert %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xbf16>) -> tensor<8xf32>
    %3 = core.add %x, %2 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    %4 = core.add %i, %step {core.shardings = [#core.sharding<@mesh, []>]} : tensor<i32>
    core.yield %3, %4 : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}

// The parts of a sum that is too large for half precision may not be.
// CHECK-LABEL: @negative_small_range
// CHECK: core.while
// CHECK: comm.reshard
// CHECK: core.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @negative_small_range(%a: tensor<8xf16>) -> tensor<8xf32> {
  %zero = core.constant {core.shardings = [#core.sharding<@mesh, [{}]>]} dense<0.0> : tensor<8xf32>
  %first = core.constant {core.shardings = [#core.sharding<@mesh, []>]} dense<0> : tensor<i32>
  %step = core.constant {core.shardings = [#core.sharding<@mesh, []>]} dense<1> : tensor<i32>
  %count = core.constant {core.shardings = [#core.sharding<@mesh, []>]} dense<4> : tensor<i32>
  %0:2 = core.while (%zero, %first) {core.shardings = [#core.sharding<@mesh, [{}]>, #core.sharding<@mesh, []>]} : (tensor<8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<i32>) cond {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %p = core.compare lt %i, %count {core.shardings = [#core.sharding<@mesh, []>]} : tensor<i32>
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%x: tensor<8xf32>, %i: tensor<i32>):
    %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf16>
    %2 = core.convert %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xf16>) -> tensor<8xf32>
    %3 = core.add %x, %2 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
    %4 = core.add %i, %step {core.shardings = [#core.sharding<@mesh, []>]} : tensor<i32>
    core.yield %3, %4 : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}
