// RUN: partita-opt --partita-partition %s | FileCheck %s

core.mesh @mesh = <["x"=2]>

// Both values stay split along the same axis; the third is moved by itself.
// CHECK-LABEL: @barrier
// CHECK-NOT: comm.reshard %arg0
// CHECK-NOT: comm.reshard %arg1
// CHECK: %[[C:.*]] = comm.reshard %arg2 from <@mesh, [{}]> to <@mesh, [{"x"}]>
// CHECK: core.barrier %arg0, %arg1, %[[C]]
// CHECK-NOT: comm.reshard
// CHECK: return
func.func @barrier(%a: tensor<4x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                   %b: tensor<4x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>},
                   %c: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{}]>})
    -> (tensor<4x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
        tensor<4x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>},
        tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0:3 = core.barrier %a, %b, %c {core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>, #core.sharding<@mesh, [{}, {"x"}]>, #core.sharding<@mesh, [{"x"}]>]} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>
}

// What no one uses stays as it comes.
// CHECK-LABEL: @unused
// CHECK-NOT: comm.reshard
// CHECK: core.barrier {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}]>, #core.sharding<@mesh, [{"x"}]>]
func.func @unused(%a: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
                  %b: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0:2 = core.barrier %a, %b {core.shardings = [#core.sharding<@mesh, [{}]>, #core.sharding<@mesh, [{"x"}]>]} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}
