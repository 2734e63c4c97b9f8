// RUN: partita-opt --split-input-file --partita-propagate --verify-diagnostics %s

core.mesh @mesh = <["x"=2]>
core.mesh @other = <["y"=4]>
// expected-error @+2 {{argument 1: mesh @other differs from mesh @mesh; a program is partitioned over one mesh}}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {core.sharding = #core.sharding<@other, [{"y"}]>}) -> tensor<8xf32> {
  %0 = core.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>
func.func @group(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // expected-note @below {{the other member is here}}
  %0 = core.sharding_constraint %a <@mesh, [{?}]> {core.group = 1 : i64} : tensor<8xf32>
  // expected-error @below {{sharding group 1 : i64 has a member of type 'tensor<4xf32>' and one of type 'tensor<8xf32>'; all must have one shape}}
  %1 = core.sharding_constraint %b <@mesh, [{?}]> {core.group = 1 : i64} : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// -----

core.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{lies outside of a manual computation, where programs are written for all devices as one}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
