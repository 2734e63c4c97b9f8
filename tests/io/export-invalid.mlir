// RUN: partita-opt %s --partita-export-stablehlo --split-input-file --verify-diagnostics

core.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'comm.reshard' has no StableHLO form}}
  %0 = comm.reshard %x from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
