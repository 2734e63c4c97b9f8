// RUN: partita-opt %s --partita-inline-calls -split-input-file -verify-diagnostics -mlir-print-debuginfo | FileCheck %s

core.mesh @mesh = <["data"=2]>

// Calls of calls are gone, and so are the functions called.
// CHECK-NOT: call @
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4xf32>
// CHECK: %[[INNER:.*]] = core.neg %[[A]] : tensor<4xf32> loc(#[[NEG:loc[0-9]+]])
// CHECK: %[[OUTER:.*]] = core.exp %[[INNER]]
// CHECK: return %[[OUTER]]
// CHECK-NOT: func.func
// CHECK: #[[NEG]] = loc(callsite(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outer(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = core.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = core.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

core.mesh @mesh = <["data"=2]>

// What the callee says of its arguments and results stays said.
// CHECK-LABEL: func.func @constrained
// CHECK: %[[IN:.*]] = core.sharding_constraint %{{.*}} <@mesh, [{"data"}]>
// CHECK: %[[NEG:.*]] = core.neg %[[IN]]
// CHECK: %[[OUT:.*]] = core.sharding_constraint %[[NEG]] <@mesh, [{}]>
// CHECK: return %[[OUT]]
func.func @constrained(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"data"}]>})
    -> (tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{}]>}) {
  %0 = core.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-note@below {{the function is defined here}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{calls @f, which is called by itself; a program cannot recurse}}
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{calls @f, which has no body to inline}}
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
