// RUN: partita-opt %s --partita-plan-memory -split-input-file -verify-diagnostics | FileCheck %s

plan.kernel @inplace(%x: tensor<16xf32>) -> tensor<16xf32> attributes {inplace = [array<i64: 0, 0>]} {
  %0 = core.neg %x : tensor<16xf32>
  plan.return %0 : tensor<16xf32>
}

// An argument that is fed by the result is overwritten in place: one
// allocation, no arena.
// CHECK-LABEL: func.func @main
// CHECK-SAME: plan.allocations = [array<i64: 0, 0>, array<i64: 2, 64>]
// CHECK-SAME: plan.places = {{\[}}[[IN:array<i64: 1, 0>]]]
// CHECK-SAME: plan.result_places = {{\[}}[[IN]]]
// CHECK: plan.launch @inplace({{.*}}plan.places = {{\[}}[[IN]]]
// CHECK: plan.launch @inplace({{.*}}plan.places = {{\[}}[[IN]]]
func.func @main(%a: tensor<16xf32> {core.alias = 0 : i64}) -> tensor<16xf32> {
  %0 = plan.launch @inplace(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = plan.launch @inplace(%0) : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

plan.kernel @apart(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = core.reverse %x, dims = [0] : tensor<16xf32>
  plan.return %0 : tensor<16xf32>
}

// A kernel that may not overwrite its operand gets other memory; an argument
// that nothing feeds is kept. The dead make room: two temporaries, not three.
// CHECK-LABEL: func.func @main
// CHECK-SAME: plan.allocations = [array<i64: 0, 128>, array<i64: 2, 64>, array<i64: 2, 64>]
// CHECK: plan.launch @apart({{.*}}plan.places = [array<i64: 0, [[A:[0-9]+]]>]
// CHECK: plan.launch @apart({{.*}}plan.places = [array<i64: 0, [[B:[0-9]+]]>]
// CHECK: plan.launch @apart({{.*}}plan.places = [array<i64: 0, [[A]]>]
// CHECK: plan.launch @apart({{.*}}plan.places = [array<i64: 2, 0>]
func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  %0 = plan.launch @apart(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = plan.launch @apart(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = plan.launch @apart(%1) : (tensor<16xf32>) -> tensor<16xf32>
  %3 = plan.launch @apart(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

plan.kernel @test(%x: tensor<16xf32>) -> tensor<i1> {
  %0 = core.constant dense<true> : tensor<i1>
  plan.return %0 : tensor<i1>
}
plan.kernel @step(%x: tensor<16xf32>) -> tensor<16xf32> attributes {inplace = [array<i64: 0, 0>]} {
  %0 = core.neg %x : tensor<16xf32>
  plan.return %0 : tensor<16xf32>
}
plan.kernel @make() -> tensor<16xf32> {
  %0 = core.constant dense<1.0> : tensor<16xf32>
  plan.return %0 : tensor<16xf32>
}

// What a loop carries, what its body makes, and an all-reduce: one place.
// CHECK-LABEL: func.func @main
// CHECK: plan.launch @make({{.*}}plan.places = {{\[}}[[LOOP:array<i64: [0-9]+, [0-9]+>]]]
// CHECK: core.while{{.*}}plan.places = {{\[}}[[LOOP]]]
// CHECK: plan.launch @step({{.*}}plan.places = {{\[}}[[LOOP]]]
// CHECK: comm.all_reduce{{.*}}plan.places = {{\[}}[[LOOP]]]
func.func @main() -> tensor<16xf32> {
  %0 = plan.launch @make() : () -> tensor<16xf32>
  %1 = core.while (%0) : (tensor<16xf32>) -> tensor<16xf32> cond {
  ^bb0(%x: tensor<16xf32>):
    %2 = plan.launch @test(%x) : (tensor<16xf32>) -> tensor<i1>
    core.yield %2 : tensor<i1>
  } body {
  ^bb0(%x: tensor<16xf32>):
    %2 = plan.launch @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %3 = comm.all_reduce %2 over @mesh {"x"} sum : (tensor<16xf32>) -> tensor<16xf32>
    core.yield %3 : tensor<16xf32>
  }
  return %1 : tensor<16xf32>
}

// -----

plan.kernel @test(%x: tensor<16xf32>) -> tensor<i1> {
  %0 = core.constant dense<true> : tensor<i1>
  plan.return %0 : tensor<i1>
}

// Values that a loop swaps are set aside before the copies; what it hands
// through unchanged stays in its argument's place.
// CHECK-LABEL: func.func @main
// CHECK-SAME: plan.places = [array<i64: 1, 0>, array<i64: 2, 0>, array<i64: 3, 0>]
// CHECK: core.while{{.*}}plan.places = [array<i64: 4, 0>, array<i64: 5, 0>, array<i64: 3, 0>]
// CHECK: core.yield {plan.staging = [array<i64: 0, {{[0-9]+}}>, array<i64: 0, {{[0-9]+}}>, array<i64: -1, 0>]}
func.func @main(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>)
    -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %0:3 = core.while (%a, %b, %c) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
      -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) cond {
  ^bb0(%x: tensor<16xf32>, %y: tensor<16xf32>, %z: tensor<16xf32>):
    %2 = plan.launch @test(%z) : (tensor<16xf32>) -> tensor<i1>
    core.yield %2 : tensor<i1>
  } body {
  ^bb0(%x: tensor<16xf32>, %y: tensor<16xf32>, %z: tensor<16xf32>):
    core.yield %y, %x, %z : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@below {{must be part of a kernel before memory is planned}}
  %0 = core.neg %a : tensor<16xf32>
  return %0 : tensor<16xf32>
}
