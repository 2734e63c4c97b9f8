// RUN: partita-opt %s --split-input-file --verify-diagnostics

// Shapes that do not fit, of pointwise ops, shape ops, products and reductions.

func.func @select(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{chooses between 'tensor<4xf32>' and 'tensor<5xf32>' for 'tensor<4xf32>'}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_pred(%p: tensor<3xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{has a predicate of type 'tensor<3xi1>', expected a scalar or the shape of 'tensor<4xf32>'}}
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<4xf32>
  return
}

// -----

func.func @clamp(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{has result type 'tensor<5xf32>' for operand type 'tensor<4xf32>'}}
  %0 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @clamp_bound(%x: tensor<4xf32>, %s: tensor<f32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{has a bound of type 'tensor<3xf32>', expected a scalar or the shape of 'tensor<4xf32>'}}
  %0 = stablehlo.clamp %b, %x, %s : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @compare(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{compares 'tensor<4xf32>' with 'tensor<4xi32>'}}
  %0 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @bitcast(%x: tensor<2x2x4xi8>) {
  // expected-error@+1 {{cannot cast 'tensor<2x2x4xi8>' to 'tensor<4xi32>': ranks may differ by one at most}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2x2x4xi8>) -> tensor<4xi32>
  return
}

// -----

func.func @interior(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has interior padding -1 in dimension 0}}
  %0 = stablehlo.pad %x, %z, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{leaves a negative size -1 of dimension 0}}
  %0 = stablehlo.pad %x, %z, low = [-3], high = [-2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @concatenate_none() {
  // expected-error@+1 {{has no operand}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_rank(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error@+1 {{cannot join 'tensor<4x1xf32>' to 'tensor<4xf32>'}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concatenate(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{cannot join 'tensor<4x3xf32>' to 'tensor<4x2xf32>' along dimension 0}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{has a value of type 'tensor<2xi32>' for result type 'tensor<3xi32>'}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

// -----

func.func @pairs(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{has 2 contracting dimensions on the left, but 1 on the right}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0, 1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @convolution(%x: tensor<1x8x3xf32>, %k: tensor<3x3xf32>) {
  // expected-error@+1 {{requires the same rank of at least 2 everywhere, got 'tensor<1x8x3xf32>', 'tensor<3x3xf32>' and 'tensor<1x6x16xf32>'}}
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3xf32>) -> tensor<1x6x16xf32>
  return
}

// -----

func.func @reduce_none() {
  // expected-error@+1 {{has no input}}
  "stablehlo.reduce"() <{dimensions = array<i64: 0>}> ({
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @reduce_results(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has 1 inputs but 2 results}}
  %0:2 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{requires the same shape of all inputs, got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0:2 = "stablehlo.reduce"(%x, %y, %z, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %c : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_init(%x: tensor<4xf32>, %z: tensor<2xf32>) {
  // expected-error@+1 {{has an init value of type 'tensor<2xf32>', expected a scalar}}
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>) -> tensor<f32>
  return
}
