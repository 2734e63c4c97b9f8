// RUN: partita-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{mesh has axis "a" twice}}
sdy.mesh @mesh = <["a"=2, "a"=4]>

// -----

// expected-error@+1 {{axis "a" has size 0, expected at least 1}}
sdy.mesh @mesh = <["a"=0]>

// -----

// expected-error@+1 {{the mesh has more than 2147483648 devices}}
sdy.mesh @mesh = <["a"=4294967296, "b"=4294967296]>

// -----

// expected-error@+1 {{device_ids must be a permutation of 0 to 1}}
sdy.mesh @mesh = <["a"=2], device_ids=[0, 2]>

// -----

// expected-error@+1 {{mesh has 4 devices, but 2 device_ids}}
sdy.mesh @mesh = <["a"=4], device_ids=[0, 1]>

// -----

// expected-error@+1 {{sharding of argument 0: there is no mesh @mesh; declare it with 'sdy.mesh'}}
func.func @no_mesh(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
sdy.mesh @mesh = <["x"=2]>
// expected-error@+1 {{sharding of argument 0: axis "z" is not in the mesh}}
func.func @unknown_axis(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) {
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
sdy.mesh @mesh = <["x"=2]>
func.func @twice(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{sharding: axis "x" is used twice}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
sdy.mesh @mesh = <["x"=4]>
func.func @twice_in_part(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{sharding: axis "x" is used twice}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}], unreduced={"x":(2)2}> : tensor<8x8xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
sdy.mesh @mesh = <["x"=4]>
func.func @no_factor(%a: tensor<8xf32>) {
  // expected-error@+1 {{is no factor of axis "x" of size 4}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(1)3}]> : tensor<8xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
sdy.mesh @mesh = <["x"=4]>
func.func @rank(%a: tensor<8xf32>) {
  // expected-error@+1 {{sharding 0: a sharding of 2 dimensions for 'tensor<8xf32>'}}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @count(%a: tensor<8xf32>) {
  // expected-error@+1 {{has 2 shardings for 1 values}}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}]>]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @kind(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.sharding' of an op must be a #sdy.sharding_per_value, got #sdy.sharding<@mesh, [{}]>}}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding<@mesh, [{}]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{expected 'replicated' or 'unreduced', got 'reduced'}}
func.func @clause(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], reduced={"x"}>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func @body(%a: tensor<8xf32>) {
  // expected-error@+1 {{the body has 0 arguments, expected 1}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} () {
    sdy.return %a : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @rule(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expected factors from 'i' to 'z', got 'a'}}
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([a, j])->([j]) {i=2, j=4}>} : (tensor<2x4xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{expected sum, max or min, got 'mul'}}
func.func @reduction(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=mul{"x"}>}) {
  return
}

// -----

func.func @factor(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expected a factor such as 'z_1' in 'z_0'}}
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_0, j])->([j]) {i=2, j=4}>} : (tensor<2x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @factor_size(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expected the size of factor 'i', got 'j'}}
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j]) {j=4, i=2}>} : (tensor<2x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @rule_kind(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{'sdy.sharding_rule' must be a #sdy.op_sharding_rule, got 1 : i64}}
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = 1} : (tensor<2x4xf32>) -> tensor<8xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
sdy.mesh @mesh = <["x"=4]>
func.func @token(%t: !stablehlo.token) {
  // expected-error@+1 {{a sharding with dimensions or axes for '!stablehlo.token'}}
  %0 = stablehlo.after_all %t, %t {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : !stablehlo.token
  return
}

// -----

// expected-error@+1 {{'sdy.sharding' of argument 0 must be a #sdy.sharding, got "x"}}
func.func @argument_kind(%a: tensor<8xf32> {sdy.sharding = "x"}) {
  return
}
