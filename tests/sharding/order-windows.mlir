// RUN: partita-opt --split-input-file --partita-propagate --partita-order-windows %s | FileCheck %s

core.mesh @mesh = <["x"=2]>

// Two windows of a patch differ along the whole dimension alone: what they cut
// and pad along the split one is one value, whose rows devices exchange once.
// CHECK-LABEL: func.func @patch
// CHECK: %[[CUT:.*]] = core.slice %arg0 [0, 0] to [8, 7] by [1, 1]
// CHECK-NEXT: %[[PADDED:.*]] = core.pad %[[CUT]], %{{.*}} low [0, 1] high [0, 0] interior [0, 0]
// CHECK-NEXT: %[[LEFT:.*]] = core.slice %[[PADDED]] [0, 0] to [7, 8] by [1, 1]
// CHECK-NEXT: %[[MOVED:.*]] = core.pad %[[LEFT]], %{{.*}} low [1, 0] high [0, 0] interior [0, 0]
// CHECK-NEXT: core.add %[[MOVED]], %[[PADDED]]
func.func @patch(%a: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %v = core.constant dense<0.0> : tensor<f32>
  %0 = core.slice %a [0, 0] to [7, 7] by [1, 1] : (tensor<8x8xf32>) -> tensor<7x7xf32>
  %1 = core.pad %0, %v low [1, 1] high [0, 0] interior [0, 0] : (tensor<7x7xf32>, tensor<f32>) -> tensor<8x8xf32>
  %2 = core.slice %a [0, 0] to [8, 7] by [1, 1] : (tensor<8x8xf32>) -> tensor<8x7xf32>
  %3 = core.pad %2, %v low [0, 1] high [0, 0] interior [0, 0] : (tensor<8x7xf32>, tensor<f32>) -> tensor<8x8xf32>
  %4 = core.add %1, %3 : tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// To cut the split dimension of all rows would exchange eight times as much.
// CHECK-LABEL: func.func @negative_one_row
// CHECK: core.slice %arg0 [0, 1] to [1, 8] by [1, 1]
// CHECK-NEXT: return
func.func @negative_one_row(%a: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) -> tensor<1x7xf32> {
  %0 = core.slice %a [0, 1] to [1, 8] by [1, 1] : (tensor<8x8xf32>) -> tensor<1x7xf32>
  return %0 : tensor<1x7xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Corners would get the other value.
// CHECK-LABEL: func.func @negative_other_padding
// CHECK: %[[A:.*]] = core.pad %arg0, %{{.*}} low [1, 0]
// CHECK-NEXT: core.pad %[[A]], %{{.*}} low [0, 1]
func.func @negative_other_padding(%a: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) -> tensor<9x9xf32> {
  %v = core.constant dense<0.0> : tensor<f32>
  %w = core.constant dense<1.0> : tensor<f32>
  %0 = core.pad %a, %v low [1, 0] high [0, 0] interior [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<9x8xf32>
  %1 = core.pad %0, %w low [0, 1] high [0, 0] interior [0, 0] : (tensor<9x8xf32>, tensor<f32>) -> tensor<9x9xf32>
  return %1 : tensor<9x9xf32>
}
