// RUN: partita-opt %s --split-input-file --verify-diagnostics

func.func @types(%x: tensor<2xf32>) {
  // expected-error@+1 {{failed to verify that all of {lhs, value} have same type}}
  "check.expect_eq_const"(%x) {value = dense<1> : tensor<2xi32>} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @grid(%x: tensor<2xf32>) {
  // expected-error@+1 {{has programs [@f], expected a grid of functions such as [[@f], [@f]]}}
  %0 = "interpreter.run_parallel"(%x) {programs = [@f]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @rows(%x: tensor<2xf32>) {
  // expected-error@+1 {{has rows of programs of different lengths}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@f], [@f, @f]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @none() {
  // expected-error@+1 {{runs no programs}}
  "interpreter.run_parallel"() {programs = []} : () -> ()
  return
}

// -----

func.func @queue() {
  // expected-error@+1 {{has infeed [1], expected a list of functions such as [@f, @g]}}
  "interpreter.run_parallel"() {infeed = [1], programs = [[@queue]]} : () -> ()
  return
}
