// RUN: partita-opt --split-input-file --partita-propagate --partita-partition --partita-lower-reshards --partita-localise %s | FileCheck %s

core.mesh @mesh = <["x"=4]>

// Each device needs one row of its neighbour.
// CHECK-LABEL: func.func @shift
// CHECK: %[[ROW:.*]] = core.slice %arg0 [0, 0] to [1, 4]
// CHECK: comm.permute %[[ROW]] over @mesh {"x"} sources = [1, 2, 3] targets = [0, 1, 2] : (tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NOT: comm.permute
func.func @shift(%a: tensor<16x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<15x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = core.slice %a [1, 0] to [16, 4] by [1, 1] : (tensor<16x4xf32>) -> tensor<15x4xf32>
  return %0 : tensor<15x4xf32>
}

// -----

core.mesh @mesh = <["x"=4]>

// Whole shards change places, and turn round.
// CHECK-LABEL: func.func @reverse
// CHECK: %[[OTHER:.*]] = comm.permute %arg0 over @mesh {"x"} sources = [3, 2, 1, 0] targets = [0, 1, 2, 3]
// CHECK: core.reverse %[[OTHER]], dims = [0] : tensor<4xf32>
func.func @reverse(%a: tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.reverse %a, dims = [0] : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Zeros come from the padding value, the rest from below.
// CHECK-LABEL: func.func @pad
// CHECK: core.slice %arg0 [3] to [4] by [1]
// CHECK: comm.permute {{.*}} sources = [0] targets = [1] : (tensor<1xf32>) -> tensor<1xf32>
// CHECK: core.select {{.*}} : {{.*}}tensor<5xf32>
func.func @pad(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %v: tensor<f32>)
    -> (tensor<10xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.pad %a, %v low [2] high [0] interior [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

core.mesh @mesh = <["x"=4]>

// One layer of eight: its owner answers, the others add zeros.
// CHECK-LABEL: func.func @pick
// CHECK: core.clamp
// CHECK: core.dynamic_slice %arg0 {{.*}} : (tensor<2x16xf32>
// CHECK: core.select
// CHECK: comm.all_reduce
func.func @pick(%a: tensor<8x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>)
    -> (tensor<1x16xf32> {core.sharding = #core.sharding<@mesh, [{}, {}]>}) {
  %z = core.constant dense<0> : tensor<i32>
  %0 = core.dynamic_slice %a at (%i, %z) sizes [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// -----

core.mesh @mesh = <["x"=4]>

// Parts shorter than the number of devices: no one gathers what is rolled.
// CHECK-LABEL: func.func @roll
// CHECK: comm.permute {{.*}} sources = [3] targets = [0] : (tensor<1xi32>)
// CHECK: comm.permute {{.*}} sources = [0, 1, 2] targets = [1, 2, 3] : (tensor<1xi32>)
// CHECK-NOT: comm.all_gather
func.func @roll(%a: tensor<16xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<16xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.slice %a [15] to [16] by [1] : (tensor<16xi32>) -> tensor<1xi32>
  %1 = core.slice %a [0] to [15] by [1] : (tensor<16xi32>) -> tensor<15xi32>
  %2 = core.concatenate %0, %1 dim 0 : (tensor<1xi32>, tensor<15xi32>) -> tensor<16xi32>
  return %2 : tensor<16xi32>
}

// -----

core.mesh @mesh = <["x"=4]>

// Everyone has what is put in front: only the rest moves.
// CHECK-LABEL: func.func @beside_whole
// CHECK: core.dynamic_slice
// CHECK: comm.permute {{.*}} sources = [0, 1, 2] targets = [1, 2, 3] : (tensor<2xf32>)
// CHECK-NOT: comm.permute
func.func @beside_whole(%w: tensor<2xf32> {core.sharding = #core.sharding<@mesh, [{}]>},
                        %a: tensor<14xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.concatenate %w, %a dim 0 : (tensor<2xf32>, tensor<14xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

core.mesh @mesh = <["x"=4]>

// The owner of the row answers, the others add zeros.
// CHECK-LABEL: func.func @row
// CHECK: core.slice %arg0 [1, 0] to [2, 4] by [1, 1]
// CHECK: %[[OWN:.*]] = core.select
// CHECK: comm.all_reduce %[[OWN]] over @mesh {"x"} sum
func.func @row(%a: tensor<16x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1x4xf32> {core.sharding = #core.sharding<@mesh, [{}, {}]>}) {
  %0 = core.slice %a [5, 0] to [6, 4] by [1, 1] : (tensor<16x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
