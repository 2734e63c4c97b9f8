// RUN: partita-opt %s -split-input-file -verify-diagnostics

// Meshes.

// expected-error @below {{a mesh axis needs a name}}
core.mesh @mesh = <[""=4]>

// -----

// expected-error @below {{mesh axis "x" is declared twice}}
core.mesh @mesh = <["x"=4, "x"=2]>

// -----

// expected-error @below {{mesh axis "x" has size 0; it must be at least 1}}
core.mesh @mesh = <["x"=0]>

// -----

// expected-error @below {{the mesh has more than 2147483648 devices}}
core.mesh @mesh = <["x"=2147483648, "y"=2]>

// -----

// expected-error @below {{device_ids must be a permutation of 0 to 3}}
core.mesh @mesh = <["x"=4], device_ids=[0, 1, 2, 2]>

// -----

// expected-error @below {{device_ids must be a permutation of 0 to 3}}
core.mesh @mesh = <["x"=4], device_ids=[0, 1, 2]>

// -----

// expected-error @below {{device ids must not be negative}}
core.mesh @mesh = <[], device_ids=[-1]>

// -----

// The text of a sharding.

core.mesh @mesh = <["x"=4]>
// expected-error @below {{expected a priority such as 'p0' behind the axes of a dimension}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}first]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{'?' must be the last item of a dimension}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{?, "x"}]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{expected 'replicated' or 'unreduced'}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{}], partial={"x"}>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{unknown reduction kind 'avg'; expected sum, max, min, mul, and, or or xor}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{}], unreduced=avg{"x"}>}) { return }

// -----

// Shardings that do not fit the mesh or the tensor.

// expected-error @below {{no mesh named @mesh; declare it with 'core.mesh'}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{'core.sharding' must be a sharding, not 1}}
func.func @main(%a: tensor<8xf32> {core.sharding = 1 : i32}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{axis "y" is not in the mesh}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"y"}]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{axis "x" is used twice in one sharding}}
func.func @main(%a: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"x"}]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{axis "x" is used twice in one sharding}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}], replicated={"x"}>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{sub-axis "x":(1)3 does not divide axis "x" of size 4}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x":(1)3}]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{a sharding of 2 dimensions does not fit 'tensor<8xf32>' of rank 1}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{only a ranked tensor can have a sharding, not 'i32'}}
func.func @main(%a: i32 {core.sharding = #core.sharding<@mesh, []>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
// expected-error @below {{dimension 0 is empty and closed, and cannot have a priority}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{}p1]>}) { return }

// -----

core.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32>) {
  // expected-error @below {{'core.shardings' needs one sharding per result}}
  %0 = core.neg %a {core.shardings = []} : tensor<8xf32>
  return
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // expected-error @below {{no mesh named @mesh; declare it with 'core.mesh'}}
  %0 = core.sharding_constraint %a <@mesh, [{}]> : tensor<8xf32>
  return
}
