// RUN: partita-opt %s --partita-export-stablehlo --split-input-file --verify-diagnostics

core.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'comm.reshard' has no StableHLO form}}
  %0 = comm.reshard %x from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

core.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'comm.all_reduce' on global shapes has no StableHLO form: export before collectives are made, or after localisation}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum from [#core.sharding<@mesh, [{}], unreduced={"x"}>] to [#core.sharding<@mesh, [{}]>] : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{a program of one device needs @main and a mesh to be exported}}
module {
  func.func @main(%x: tensor<4xf32> {core.global = tensor<8xf32>}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

core.mesh @mesh = <["x"=2]>
// expected-error@+2 {{argument 0 of @main, tensor<5xf32>, is split by #core.sharding<@mesh, [{"x"}]> into parts of different sizes, which StableHLO has no form for; choose a mesh that divides it}}
// expected-error@+1 {{result 0 of @main}}
func.func @main(%x: tensor<3xf32> {core.global = tensor<5xf32>, core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<3xf32> {core.global = tensor<5xf32>, core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  return %x : tensor<3xf32>
}
