// RUN: partita-opt %s --split-input-file --verify-diagnostics

func.func @unknown_op(%x: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'chlo.erfx' is unknown}}
  %0 = chlo.erfx %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{requires the same shape everywhere, got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @top_k(%x: tensor<4xf32>) {
  // expected-error@+1 {{takes the first 5 of 4 elements}}
  %0:2 = chlo.top_k(%x, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return
}

// -----

func.func @ragged(%x: tensor<4x8xf32>, %w: tensor<2x8x5xf32>, %g: tensor<2xi32>) {
  // expected-error@+1 {{has 0 ragged dimensions, expected one}}
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<2x8x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @top_k_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{has an operand of rank 0}}
  %0:2 = chlo.top_k(%x, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @scan(%x: tensor<4x8xf32>, %r: tensor<8xf32>) {
  // expected-error@+1 {{expected at least 2 result types, got '(tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>'}}
  %0 = chlo.scan(%x) inits (%r, %r) dimension=0 {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>):
    stablehlo.return %b, %c : tensor<8xf32>, tensor<8xf32>
  } : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}
