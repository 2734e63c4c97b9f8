// RUN: partita-opt --partita-simplify-reshards %s | FileCheck %s

core.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: @identity
// CHECK-NEXT: return %arg0
func.func @identity(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{"x", ?}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A gather and a slice: an all-to-all sends less.
// CHECK-LABEL: @chain
// CHECK-NEXT: %[[R:.*]] = comm.reshard %arg0 from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {"x"}]>
// CHECK-NEXT: return %[[R]]
func.func @chain(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = comm.reshard %0 from <@mesh, [{}, {}]> to <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// There and back again.
// CHECK-LABEL: @round_trip
// CHECK-NEXT: return %arg0
func.func @round_trip(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %1 = comm.reshard %0 from <@mesh, [{}, {"y"}]> to <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// The whole value is needed anyway, and slicing it is free.
// CHECK-LABEL: @chain_with_another_use
// CHECK: %[[R0:.*]] = comm.reshard %arg0
// CHECK: comm.reshard %[[R0]] from <@mesh, [{}, {}]> to <@mesh, [{}, {"x"}]>
func.func @chain_with_another_use(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = comm.reshard %a from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = comm.reshard %0 from <@mesh, [{}, {}]> to <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: @equal
// CHECK-NEXT: %[[R:.*]] = comm.reshard
// CHECK-NEXT: return %[[R]], %[[R]]
func.func @equal(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = comm.reshard %a from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %1 = comm.reshard %a from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Not equal: other axes.
// CHECK-LABEL: @not_equal
// CHECK-COUNT-2: comm.reshard %arg0
func.func @not_equal(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<16xf32>
  %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x", "y"}> to <@mesh, [{}]> : tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}

// Equal ones in the branches of an if: neither dominates the other.
// CHECK-LABEL: @branches
// CHECK: then
// CHECK: comm.reshard
// CHECK: else
// CHECK: comm.reshard
// CHECK: return
func.func @branches(%p: tensor<i1>, %a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = core.if %p : (tensor<i1>) -> tensor<8xf32> then {
    %1 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    core.yield %1 : tensor<8xf32>
  } else {
    %1 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
    %2 = core.neg %1 : tensor<8xf32>
    core.yield %2 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// The sum is needed whole: the scattered one is a slice of it, even though it
// comes first.
// CHECK-LABEL: @from_another
// CHECK-NEXT: %[[WHOLE:.*]] = comm.reshard %arg0 from {{.*}} to <@mesh, [{}]>
// CHECK-NEXT: %[[PART:.*]] = comm.reshard %[[WHOLE]] from <@mesh, [{}]> to <@mesh, [{"x"}]>
// CHECK-NEXT: return %[[PART]], %[[WHOLE]]
func.func @from_another(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @unused
// CHECK-NEXT: return
func.func @unused(%a: tensor<8xf32>) {
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
  return
}
