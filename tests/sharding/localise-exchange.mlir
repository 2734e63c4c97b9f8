// RUN: partita-opt --partita-lower-reshards --partita-localise %s | FileCheck %s

core.mesh @mesh = <["x"=4, "y"=2]>

// Tiles of 4 x 8 become tiles of 8 x 4: halves of tiles move, in two rounds.
// CHECK-LABEL: func.func @tiles
// CHECK-COUNT-2: comm.permute {{.*}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NOT: comm.permute
// CHECK: return {{.*}} : tensor<8x4xf32>
func.func @tiles(%a: tensor<16x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<16x16xf32> {core.sharding = #core.sharding<@mesh, [{"x":(1)2}, {"x":(2)2, "y"}]>}) {
  %0 = comm.reshard %a from <@mesh, [{"x"}, {"y"}]> to <@mesh, [{"x":(1)2}, {"x":(2)2, "y"}]> {core.shardings = [#core.sharding<@mesh, [{"x":(1)2}, {"x":(2)2, "y"}]>]} : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
