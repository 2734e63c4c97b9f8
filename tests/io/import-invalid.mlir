// RUN: partita-opt %s --partita-import --split-input-file --verify-diagnostics

func.func @custom_call(%x: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' @foo has no core form yet}}
  %0 = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.fft' has no core form yet}}
  %1 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @often(%x: tensor<4xf32>) {
  // expected-remark@+2 {{'stablehlo.custom_call' @foo occurs 1 more times}}
  // expected-error@+1 {{'stablehlo.custom_call' @foo has no core form yet}}
  %0 = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{argument 0 of @dynamic has type 'tensor<?xf32>', whose shape is dynamic: export the program with fixed sizes}}
func.func @dynamic(%x: tensor<?xf32>) {
  // expected-error@+1 {{'stablehlo.negate' has a value of type 'tensor<?xf32>', whose shape is dynamic: export the program with fixed sizes}}
  %0 = stablehlo.negate %x : tensor<?xf32>
  return
}

// -----

// expected-error@+1 {{argument 0 of @token has type '!stablehlo.token', which core has no values of: only tensors can be compiled yet}}
func.func @token(%x: !stablehlo.token) {
  return
}

// -----

func.func @quantized(%x: tensor<2xf32>) {
  // expected-error@+1 {{which is quantized: quantized types cannot be compiled yet}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

// expected-error@+1 {{the module has mhlo.num_replicas = 2; shard it over a mesh instead of replicas}}
module attributes {mhlo.num_replicas = 2 : i32} {
}

// -----

func.func @reducer(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.reduce' with a reducer other than a single add, multiply, minimum, maximum, and, or, xor has no core form yet}}
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return
}

// -----

func.func @erf_inv(%x: tensor<4xf64>) {
  // expected-error@+1 {{'chlo.erf_inv' of f64 has no core form yet}}
  %0 = chlo.erf_inv %x : tensor<4xf64> -> tensor<4xf64>
  return
}

// -----

func.func @composite(%x: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.composite' "ns.f" has no decomposition @f of its type}}
  %0 = stablehlo.composite "ns.f" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @barrier(%x: tensor<4xf32>) {
  // expected-warning@+1 {{'sdy.propagation_barrier' is ignored: shardings pass it in both directions; constrain the values on its sides where they should lie differently}}
  %0 = sdy.propagation_barrier %x allowed_direction=NONE : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{argument 0 of @wide has type 'tensor<4xi128>', whose elements core cannot compute with: use integers of up to 64 bits, floats of up to 64 bits, or complex numbers of such floats}}
func.func @wide(%x: tensor<4xi128>) {
  return
}

// -----

// expected-error@+1 {{@blocks has several blocks: use stablehlo.while and stablehlo.if for control flow}}
func.func @blocks(%x: tensor<4xf32>) {
  return
^bb1:
  return
}

// -----

// expected-error@+1 {{'builtin.module' has no core form yet}}
module {
  func.func @inner() {
    return
  }
}
func.func @outer() {
  return
}

// -----

func.func @inside(%x: tensor<8xf32>, %p: tensor<i1>) {
  %0 = core.if %p : (tensor<i1>) -> tensor<8xf32> then {
    // expected-error@+1 {{'stablehlo.custom_call' @foo has no core form yet}}
    %1 = stablehlo.custom_call @foo(%x) : (tensor<8xf32>) -> tensor<8xf32>
    core.yield %1 : tensor<8xf32>
  } else {
    core.yield %x : tensor<8xf32>
  }
  return
}

// -----

func.func @complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'chlo.cosh' of complex<f32> has no core form yet}}
  %0 = chlo.cosh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return
}
