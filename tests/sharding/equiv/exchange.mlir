// REQUIRES: partita-equiv
// RUN: %partita-equiv %s | FileCheck %s
// CHECK: equal: 4 results

// Boxes of all sizes change places.
core.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<10xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
                %b: tensor<16x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>},
                %c: tensor<7x9xi32> {core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<10xf32> {core.sharding = #core.sharding<@mesh, [{"y", "x"}]>},
        tensor<16x16xf32> {core.sharding = #core.sharding<@mesh, [{"x":(1)2}, {"x":(2)2, "y"}]>},
        tensor<7x9xi32> {core.sharding = #core.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<7x9xi32> {core.sharding = #core.sharding<@mesh, [{"y", "x":(1)2}, {"x":(2)2}]>}) {
  %0 = core.neg %a : tensor<10xf32>
  %1 = core.neg %b : tensor<16x16xf32>
  %2 = core.neg %c : tensor<7x9xi32>
  return %0, %1, %2, %2 : tensor<10xf32>, tensor<16x16xf32>, tensor<7x9xi32>, tensor<7x9xi32>
}
