// RUN: not partita-opt --partita-localise %s 2>&1 | FileCheck %s

core.mesh @mesh = <["x"=2]>
#split = #core.sharding<@mesh, [{"x"}]>
#whole = #core.sharding<@mesh, [{}]>

// CHECK: error: 'comm.reshard' op is still there; lower it to collectives before localising
func.func @main(%a: tensor<8xf32> {core.sharding = #split}) -> (tensor<8xf32> {core.sharding = #whole}) {
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> {core.shardings = [#whole]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
