// RUN: partita-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{takes and gives tensors of static shape only, not 'tensor<?xf32>'}}
plan.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  plan.return %x : tensor<?xf32>
}

// -----

// expected-error @below {{'inplace' holds pairs of an argument and a result, not 1}}
plan.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inplace = [1 : i64]} {
  plan.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'inplace' pair array<i64: 0, 1> is not within 1 arguments and 1 results}}
plan.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inplace = [array<i64: 0, 1>]} {
  plan.return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @below {{launches 'k', which is no kernel of this module}}
  %0 = plan.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @below {{kernel defined here}}
plan.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  plan.return %x : tensor<4xf32>
}
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{does not match the type of its kernel,}}
  %0 = plan.launch @k(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

plan.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{returns other types than its kernel,}}
  plan.return
}
