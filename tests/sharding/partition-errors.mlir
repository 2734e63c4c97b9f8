// RUN: partita-opt --split-input-file --partita-propagate --partita-partition --verify-diagnostics %s

core.mesh @mesh = <["x"=2]>
plan.kernel @k(%x: tensor<8xf32>) -> tensor<8xf32> {
  plan.return %x : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error @below {{'plan.launch' op has no index rule and cannot be partitioned}}
  %0 = plan.launch @k(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
