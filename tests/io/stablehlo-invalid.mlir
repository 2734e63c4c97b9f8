// RUN: partita-opt %s --split-input-file --verify-diagnostics

func.func @unknown_op(%x: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.ad' is unknown}}
  %0 = stablehlo.ad %x, %x : tensor<4xf32>
  return
}

// -----

func.func @types_differ(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{'stablehlo.add' op requires the same type everywhere, got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @element(%x: tensor<4xsi32>) {
  // expected-error@+1 {{operand #0 must be a ranked tensor of numbers, but got 'tensor<4xsi32>'}}
  %0 = stablehlo.negate %x : tensor<4xsi32>
  return
}

// -----

func.func @reshape(%x: tensor<4xf32>) {
  // expected-error@+1 {{cannot reshape 'tensor<4xf32>' with 4 elements to 'tensor<2x3xf32>' with 6}}
  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast(%x: tensor<3xf32>) {
  // expected-error@+1 {{cannot broadcast dimension 0 of size 3 to dimension 1 of size 4}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @transpose(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{dims has dimension 0 twice}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @result_shape(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{has result type 'tensor<3x4xf32>', but its operands and attributes give 'tensor<4x3xf32>'}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @slice(%x: tensor<4xf32>) {
  // expected-error@+1 {{cannot take [1:5:1] of dimension 0 of size 4}}
  %0 = stablehlo.slice %x [1:5] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dot(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{contracting dimensions 1 and 0 differ in size: 4 and 3}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @gather_field(%x: tensor<3x4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{unknown field 'offset'}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset = [1]>, slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @while(%x: tensor<f32>, %y: tensor<i32>) {
  // expected-error@+1 {{carries value 0 as 'tensor<f32>', but its body returns 'tensor<i32>'}}
  %0 = stablehlo.while(%a = %x) : tensor<f32>
   cond {
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    // expected-note@+1 {{returned here}}
    stablehlo.return %y : tensor<i32>
  }
  return
}

// -----

func.func @reducer(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{the reducer returns 2 values, expected 1}}
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note@+1 {{returned here}}
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @conv_dims(%x: tensor<1x8x3xf32>, %k: tensor<3x3x16xf32>) {
  // expected-error@+1 {{expected 'b' and 'f' once each, got 'b'}}
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, b]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x16xf32>) -> tensor<1x6x16xf32>
  return
}

// -----

// expected-error@+1 {{bounds have 1 entries for rank 2}}
func.func @bounds(%x: tensor<?x4xf32, #stablehlo.bounds<3>>) {
  return
}

// -----

func.func @tables(%x: tensor<4x2xi32>) {
  // expected-error@+1 {{has replica_groups of type 'tensor<2xi64>', expected a row of ids for each group}}
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x2xi32>) -> tensor<8x2xi32>
  return
}

// -----

func.func @pairs(%x: tensor<4x2xi32>) {
  // expected-error@+1 {{has source_target_pairs of type 'tensor<1x3xi64>', expected rows of 2 ids}}
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x2xi32>) -> tensor<4x2xi32>
  return
}

// -----

func.func @dimension(%x: tensor<4x2xi32>) {
  // expected-error@+1 {{has all_gather_dim = 2, which is no dimension of 'tensor<4x2xi32>'}}
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x2xi32>) -> tensor<8x2xi32>
  return
}

// -----

func.func @reducer(%x: tensor<4xi32>) {
  // expected-error@+1 {{needs a reducer of two scalars that returns one}}
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @counts(%x: tensor<4xi32>) {
  // expected-error@+1 {{has 1 operands and 2 results; each result needs an operand}}
  %0:2 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return
}

// -----

func.func @no_root(%x: tensor<4xi32>) {
  // expected-error@+1 {{has 1 operands and 1 results; each result needs an operand, and the roots are one more}}
  %0 = "stablehlo.collective_broadcast"(%x) {has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @roots(%x: tensor<4xi32>, %root: tensor<i64>) {
  // expected-error@+1 {{has roots of type 'tensor<i64>', expected 1 integers, one for each result}}
  %0 = "stablehlo.collective_broadcast"(%x, %root) {has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<i64>) -> tensor<4xi32>
  return
}

// -----

func.func @split_count(%x: tensor<4x2xi32>) {
  // expected-error@+1 {{has split_count = 4, but groups of 2 devices}}
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x2xi32>) -> tensor<1x8xi32>
  return
}
