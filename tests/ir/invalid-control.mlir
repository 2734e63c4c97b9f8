// RUN: partita-opt %s -split-input-file -verify-diagnostics

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{operand and result types must be the same}}
  %0 = core.barrier %x : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) {
  // expected-error @below {{initial values and results must have the same types}}
  %0 = core.while (%x) : (tensor<8xf32>) -> tensor<4xf32> cond {
  ^bb0(%c: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%b: tensor<8xf32>):
    core.yield %b : tensor<8xf32>
  }
  return
}

// -----

func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) {
  // expected-error @below {{both regions must take arguments of types}}
  %0 = core.while (%x) : (tensor<8xf32>) -> tensor<8xf32> cond {
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%b: tensor<8xf32>):
    core.yield %b : tensor<8xf32>
  }
  return
}

// -----

func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) {
  // expected-error @below {{the body must yield}}
  %0 = core.while (%x) : (tensor<8xf32>) -> tensor<8xf32> cond {
  ^bb0(%c: tensor<8xf32>):
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%b: tensor<8xf32>):
    // expected-note @below {{yields}}
    core.yield %p : tensor<i1>
  }
  return
}

// -----

func.func @main(%x: tensor<8xf32>, %p: tensor<i32>) {
  // expected-error @below {{the predicate must be 'tensor<i1>', not 'tensor<i32>'}}
  %0 = core.if %p : (tensor<i32>) -> tensor<8xf32> then {
    core.yield %x : tensor<8xf32>
  } else {
    core.yield %x : tensor<8xf32>
  }
  return
}

// -----

func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) {
  // expected-error @below {{the else region must yield}}
  %0 = core.if %p : (tensor<i1>) -> tensor<8xf32> then {
    core.yield %x : tensor<8xf32>
  } else {
    // expected-note @below {{yields}}
    core.yield
  }
  return
}

// -----

func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) {
  // expected-error @below {{the then region must end with 'core.yield'}}
  %0 = core.if %p : (tensor<i1>) -> tensor<8xf32> then {
    stablehlo.return %x : tensor<8xf32>
  } else {
    core.yield %x : tensor<8xf32>
  }
  return
}
