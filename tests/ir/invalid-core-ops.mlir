// RUN: partita-opt %s -split-input-file -verify-diagnostics

// Pointwise ops.

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs at least 1 exponent bit and 0 mantissa bits, not 0 and 10}}
  %0 = core.reduce_precision %x to e 0 m 10 : tensor<8xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{changes the width of elements; use 'core.repack'}}
  %0 = core.bitcast %x : (tensor<8xf32>) -> tensor<8xi64>
  return
}

// -----

// Shapes.

func.func @main() {
  // expected-error @below {{dimension 1 is not in 'tensor<8xi32>'}}
  %0 = core.iota dim = 1 : tensor<8xi32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{has 2 dims for an operand of rank 1}}
  %0 = core.broadcast %x, dims = [0, 1] : (tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{result dimension 2 is not in 'tensor<8x4xf32>'}}
  %0 = core.broadcast %x, dims = [2] : (tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @main(%x: tensor<8x8xf32>) {
  // expected-error @below {{result dimension 0 is given twice}}
  %0 = core.broadcast %x, dims = [0, 0] : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{operand dimension 0 of size 8 cannot become result dimension 1 of size 4}}
  %0 = core.broadcast %x, dims = [1] : (tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{changes the number of elements}}
  %0 = core.reshape %x : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{dimension 0 is not in 'tensor<8xf32>' or named twice}}
  %0 = core.reverse %x, dims = [0, 0] : tensor<8xf32>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{does not keep the bits; the narrower type needs a last dimension of size 2}}
  %0 = core.repack %x : (tensor<8xf32>) -> tensor<16xbf16>
  return
}

// -----

// Contractions.

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) {
  // expected-error @below {{left dimension 2 is out of range or named twice}}
  %0 = core.dot %x, %y batch [] x [] contract [2] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) {
  // expected-error @below {{needs as many left as right dimensions, batch and contracted}}
  %0 = core.dot %x, %y batch [] x [] contract [1] x [] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) {
  // expected-error @below {{left dimension 0 of size 4 meets right dimension 0 of size 8}}
  %0 = core.dot %x, %y batch [] x [] contract [0] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) {
  // expected-error @below {{result type 'tensor<2x4xf32>' should have shape [4, 2]}}
  %0 = core.dot %x, %y batch [] x [] contract [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<2x4xf32>
  return
}

// -----

// Slices at places that are computed.

func.func @main(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i: tensor<i32>) {
  // expected-error @below {{needs a scalar index per dimension of 'tensor<4x8xf32>'}}
  %0 = core.dynamic_update_slice %x, %u at (%i) : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @main(%x: tensor<4x8xf32>, %u: tensor<5x8xf32>, %i: tensor<i32>) {
  // expected-error @below {{the update 'tensor<5x8xf32>' does not fit into}}
  %0 = core.dynamic_update_slice %x, %u at (%i, %i) : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @main(%x: tensor<8xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @below {{core.reduce: max cannot reduce 'complex<f32>': complex numbers have no order}}
  %0 = core.reduce max %x, dims = [0] : (tensor<8xcomplex<f32>>) -> tensor<complex<f32>>
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @below {{core.reduce: xor cannot reduce 'f32': it takes integers}}
  %0 = core.reduce xor %x, dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return
}
