// RUN: partita-opt %s --split-input-file --verify-diagnostics

// What does not parse.

func.func @one_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 2 operand types and one result type, got '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = stablehlo.add %x, %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @tuple(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a tuple type, got 'tensor<4xf32>'}}
  %0 = stablehlo.tuple %x : tensor<4xf32>
  return
}

// -----

func.func @complex(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a tensor of complex numbers, got 'tensor<4xf32>'}}
  %0 = stablehlo.complex %x, %x : tensor<4xf32>
  return
}

// -----

func.func @select(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expected the types of predicate and result, or a function type}}
  %0 = stablehlo.select %p, %x, %x : tensor<4xf32>
  return
}

// -----

func.func @format(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a format such as e5m10, got e5}}
  %0 = stablehlo.reduce_precision %x, format = e5 : tensor<4xf32>
  return
}

// -----

func.func @precision(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected DEFAULT, HIGH or HIGHEST, got BEST}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [BEST, HIGH] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @spatial(%x: tensor<1x8x3xf32>, %k: tensor<3x3x16xf32>) {
  // expected-error@+1 {{spatial dimensions must be numbered from 0 without gaps}}
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x16xf32>) -> tensor<1x6x16xf32>
  return
}

// -----

func.func @missing(%x: tensor<1x8x3xf32>, %k: tensor<3x3x16xf32>) {
  // expected-error@+1 {{expected 'i' and 'o' once each}}
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x16xf32>) -> tensor<1x6x16xf32>
  return
}

// -----

func.func @window(%x: tensor<1x8x3xf32>, %k: tensor<3x3x16xf32>) {
  // expected-error@+1 {{unknown window field 'step'}}
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 0]], step = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x16xf32>) -> tensor<1x6x16xf32>
  return
}

// -----

func.func @attribute() attributes {a = #stablehlo.frob<1>} { // expected-error {{unknown attribute 'frob' in dialect 'stablehlo'}}
  return
}

// -----

func.func @applies(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{cannot apply stablehlo.frob here}}
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.frob across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @applies_two(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expected one result type, got '(tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)'}}
  %0:2 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{expected dense elements with a tensor type, got 1 : i32}}
  %0 = stablehlo.constant 1 : i32
  return
}

// -----

// expected-error@+1 {{dimension 0 has bound 3, but its size 3 is static}}
func.func @bounds(%x: tensor<3x4xf32, #stablehlo.bounds<3, ?>>) {
  return
}
