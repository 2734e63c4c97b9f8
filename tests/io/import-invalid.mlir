// RUN: partita-opt %s --partita-import --split-input-file --verify-diagnostics

func.func @custom_call(%x: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.custom_call' @foo has no core form yet}}
  %0 = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'chlo.bessel_i1e' has no core form yet}}
  %1 = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
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

// expected-error@+1 {{argument 0 of @tuple has type 'tuple<tensor<2xf32>>', which core has no values of: only tensors can be compiled yet}}
func.func @tuple(%x: tuple<tensor<2xf32>>) {
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
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    // expected-error@+1 {{'stablehlo.custom_call' within a reducer has no core form yet}}
    %1 = stablehlo.custom_call @foo(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return
}

// -----

func.func @outside(%x: tensor<4xf32>, %p: tensor<i1>) {
  // expected-remark@+2 {{'stablehlo.sort' that uses values from outside occurs 1 more times}}
  // expected-error@+1 {{'stablehlo.sort' that uses values from outside has no core form yet}}
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @long(%x: tensor<8193xf32>, %y: tensor<4096xcomplex<f32>>, %k: tensor<600x1x1xf32>, %l: tensor<1x1200x1xf32>) {
  // expected-error@+1 {{'chlo.top_k' of more than 8192 elements a row has no core form yet}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<8193xf32> -> (tensor<2xf32>, tensor<2xi32>)
  // expected-error@+1 {{'stablehlo.fft' of more than 2048 elements has no core form yet}}
  %1 = stablehlo.fft %y, type = FFT, length = [4096] : (tensor<4096xcomplex<f32>>) -> tensor<4096xcomplex<f32>>
  // expected-error@+1 {{'stablehlo.convolution' of more than 512 elements of kernel and result has no core form yet}}
  %2 = stablehlo.convolution(%l, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1200x1xf32>, tensor<600x1x1xf32>) -> tensor<1x601x1xf32>
  return
}

// -----

func.func @scatters(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.select_and_scatter' with a scatter region other than a single op has no core form yet}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
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

func.func @random(%x: tensor<2xui64>, %y: tensor<4xui64>) {
  // expected-error@+1 {{'stablehlo.rng_bit_generator' of elements other than integers of 32 or 64 bits has no core form yet}}
  %0:2 = stablehlo.rng_bit_generator %x, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui8>)
  // expected-error@+1 {{'stablehlo.rng_bit_generator' has a state of type 'tensor<4xui64>'; a key and a counter are 'tensor<2xui64>', for Philox also 'tensor<3xui64>'}}
  %1:2 = stablehlo.rng_bit_generator %y, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}

// -----

func.func @placement(%x: tensor<4xf32>) {
  // expected-warning@+1 {{the value is not moved to 'pinned_host': devices have one memory each}}
  %0 = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @annotate_device_placement(%0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4xf32>) -> tensor<4xf32>
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
  // expected-error@+1 {{'chlo.lgamma' of complex numbers has no core form yet}}
  %1 = chlo.lgamma %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @no_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' without a mesh has no core form yet}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @groups(%x: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' names number 4; here are numbers 0 to 3}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  // expected-error@+1 {{'stablehlo.all_gather' names number 1 twice in its groups}}
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  // expected-error@+1 {{'stablehlo.collective_permute' names number -1; here are numbers 0 to 3}}
  %2 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    // expected-error@+1 {{'stablehlo.custom_call' within a reducer has no core form yet}}
    %s = stablehlo.custom_call @foo(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @captured(%x: tensor<4xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{'sdy.manual_computation' that uses values from outside has no core form yet}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %y : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @free_axis(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    // expected-error@+1 {{a collective joins devices along axes that are not manual here; add the axes to manual_axes, or leave them out of the groups}}
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @told_apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    // expected-error@+1 {{a collective joins devices along axes that are not manual here}}
    %2 = "stablehlo.collective_permute"(%1) <{source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %2 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
