// RUN: partita-opt --partita-simplify %s | FileCheck %s

core.mesh @mesh = <["i"=2, "j"=2]>

// What is cut first, and put together last, lies so outside.
// CHECK-LABEL: func.func @parts
// CHECK: comm.manual %arg0 in [#core.sharding<@mesh, [{"i", "j"}]>] out [#core.sharding<@mesh, [{"i", "j"}]>]
// CHECK-NOT: comm.slice
// CHECK-NOT: comm.all_gather
// CHECK: comm.return %{{.*}} : tensor<2xf32>
func.func @parts(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.manual %a in [#core.sharding<@mesh, [{"i"}]>] out [#core.sharding<@mesh, [{"i"}]>] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<4xf32>):
    %1 = comm.slice %x over @mesh {"j"} dim = 0 : (tensor<4xf32>) -> tensor<2xf32>
    %2 = core.exp %1 : tensor<2xf32>
    %3 = comm.all_gather %2 over @mesh {"j"} dims = [0] : (tensor<2xf32>) -> tensor<4xf32>
    comm.return %3 : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}

// The whole is needed inside too, or the axis is used already.
// CHECK-LABEL: func.func @negative_whole
// CHECK: comm.manual %arg0 in [#core.sharding<@mesh, [{"i"}]>] out [#core.sharding<@mesh, [{"i"}]>, #core.sharding<@mesh, [{"i"}]>]
// CHECK: comm.slice
// CHECK: comm.all_gather
func.func @negative_whole(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  %0:2 = comm.manual %a in [#core.sharding<@mesh, [{"i"}]>] out [#core.sharding<@mesh, [{"i"}]>, #core.sharding<@mesh, [{"i"}]>] : (tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  ^bb0(%x: tensor<4xf32>):
    %1 = comm.slice %x over @mesh {"j"} dim = 0 : (tensor<4xf32>) -> tensor<2xf32>
    %2 = comm.all_gather %1 over @mesh {"j"} dims = [0] : (tensor<2xf32>) -> tensor<4xf32>
    %3 = core.add %2, %x : tensor<4xf32>
    %4 = comm.all_gather %x over @mesh {"i"} dims = [0] : (tensor<4xf32>) -> tensor<8xf32>
    comm.return %3, %4 : tensor<4xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<16xf32>
}
