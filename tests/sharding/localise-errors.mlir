// RUN: partita-opt --split-input-file --partita-localise --verify-diagnostics %s

core.mesh @mesh = <["x"=2]>
#split = #core.sharding<@mesh, [{"x"}]>
#whole = #core.sharding<@mesh, [{}]>

func.func @main(%a: tensor<8xf32> {core.sharding = #split}) -> (tensor<8xf32> {core.sharding = #whole}) {
  // expected-error @below {{'comm.reshard' op is still there; lower it to collectives before localising}}
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> {core.shardings = [#whole]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>
#split = #core.sharding<@mesh, [{"x"}]>
#whole = #core.sharding<@mesh, [{}]>

func.func @main(%a: tensor<8xf32> {core.sharding = #whole}) -> (tensor<8xf32> {core.sharding = #split}) {
  // expected-error @below {{'comm.permute' op makes 'tensor<8xf32>' of a device's part where 'tensor<4xf32>' is expected; its operand must lie as 'from' says}}
  %0 = comm.permute %a over @mesh {"x"} sources = [0, 1] targets = [0, 1] from [#split] to [#split] {core.shardings = [#split]} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
