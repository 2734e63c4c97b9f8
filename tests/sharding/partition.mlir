// RUN: partita-opt --split-input-file --partita-propagate --partita-partition --verify-diagnostics %s | FileCheck %s

core.mesh @mesh = <["model"=8]>

// Megatron: the first product is split by columns, the second by rows; one
// partial sum is left.
// CHECK-LABEL: func.func @tensor_parallel
func.func @tensor_parallel(%x: tensor<48x64xf32> {core.sharding = #core.sharding<@mesh, [{}, {}]>},
                           %w1: tensor<64x256xf32> {core.sharding = #core.sharding<@mesh, [{}, {"model"}]>},
                           %w2: tensor<256x16xf32> {core.sharding = #core.sharding<@mesh, [{"model"}, {}]>})
    -> (tensor<48x16xf32> {core.sharding = #core.sharding<@mesh, [{}, {}]>}) {
  // CHECK-NOT: comm.reshard
  %0 = core.dot %x, %w1 batch [] x [] contract [1] x [0] : (tensor<48x64xf32>, tensor<64x256xf32>) -> tensor<48x256xf32>
  %1 = core.exp %0 : tensor<48x256xf32>
  // CHECK: core.dot {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}], unreduced={"model"}>]
  // CHECK: comm.reshard {{.*}} from <@mesh, [{}, {}], unreduced={"model"}> to <@mesh, [{}, {}]>
  // CHECK-NOT: comm.reshard
  %2 = core.dot %1, %w2 batch [] x [] contract [1] x [0] : (tensor<48x256xf32>, tensor<256x16xf32>) -> tensor<48x16xf32>
  return %2 : tensor<48x16xf32>
}

// -----

core.mesh @mesh = <["data"=8]>

// Fully sharded: the weight is gathered once for both of its uses, and its
// gradient goes from partial sums straight to shards.
// CHECK-LABEL: func.func @fully_sharded
// CHECK: %[[W:.*]] = comm.reshard %arg1 from <@mesh, [{"data"}, {}]> to <@mesh, [{}, {}]>
// CHECK: core.dot %arg0, %[[W]]
// CHECK: core.dot {{.*}}, %[[W]]
// CHECK: core.dot %arg0
// CHECK: comm.reshard {{.*}} from <@mesh, [{}, {}], unreduced={"data"}> to <@mesh, [{"data"}, {}]>
// CHECK-NOT: comm.reshard
func.func @fully_sharded(%x: tensor<48x64xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>},
                         %w: tensor<64x256xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<48x64xf32>, tensor<64x256xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = core.dot %x, %w batch [] x [] contract [1] x [0] : (tensor<48x64xf32>, tensor<64x256xf32>) -> tensor<48x256xf32>
  %1 = core.exp %0 : tensor<48x256xf32>
  %2 = core.dot %1, %w batch [] x [] contract [1] x [1] : (tensor<48x256xf32>, tensor<64x256xf32>) -> tensor<48x64xf32>
  %3 = core.dot %x, %1 batch [] x [] contract [0] x [0] : (tensor<48x64xf32>, tensor<48x256xf32>) -> tensor<64x256xf32>
  return %2, %3 : tensor<48x64xf32>, tensor<64x256xf32>
}

// -----

core.mesh @mesh = <["model"=8]>

// Sequence parallel: gathered in front of the block, reduced to shards behind.
// CHECK-LABEL: func.func @sequence_parallel
// CHECK: comm.reshard %arg0 from <@mesh, [{"model"}, {}]> to <@mesh, [{}, {}]>
// CHECK: comm.reshard {{.*}} from <@mesh, [{}, {}], unreduced={"model"}> to <@mesh, [{"model"}, {}]>
// CHECK-NOT: comm.reshard
func.func @sequence_parallel(%x: tensor<384x32xf32> {core.sharding = #core.sharding<@mesh, [{"model"}, {}]>},
                             %w1: tensor<32x128xf32> {core.sharding = #core.sharding<@mesh, [{}, {"model"}]>},
                             %w2: tensor<128x32xf32> {core.sharding = #core.sharding<@mesh, [{"model"}, {}]>})
    -> (tensor<384x32xf32> {core.sharding = #core.sharding<@mesh, [{"model"}, {}]>}) {
  %0 = core.dot %x, %w1 batch [] x [] contract [1] x [0] : (tensor<384x32xf32>, tensor<32x128xf32>) -> tensor<384x128xf32>
  %1 = core.exp %0 : tensor<384x128xf32>
  %2 = core.sharding_constraint %1 <@mesh, [{}, {"model"}]> : tensor<384x128xf32>
  %3 = core.dot %2, %w2 batch [] x [] contract [1] x [0] : (tensor<384x128xf32>, tensor<128x32xf32>) -> tensor<384x32xf32>
  %4 = core.add %x, %3 : tensor<384x32xf32>
  return %4 : tensor<384x32xf32>
}

// -----

core.mesh @mesh = <["x"=4]>

// Maxima are combined as maxima, sums as sums.
// CHECK-LABEL: func.func @kinds
// CHECK: core.reduce max
// CHECK: comm.reshard {{.*}} unreduced=max{"x"}> to <@mesh, [{}]>
// CHECK: core.reduce sum
// CHECK: comm.reshard {{.*}} unreduced={"x"}> to <@mesh, [{}]>
func.func @kinds(%a: tensor<4x64xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = core.reduce max %a, dims = [1] : (tensor<4x64xf32>) -> tensor<4xf32>
  %1 = core.reduce sum %a, dims = [1] : (tensor<4x64xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// What a loop does not change is moved before the loop.
// CHECK-LABEL: func.func @loop
// CHECK: %[[B:.*]] = comm.reshard %arg1
// CHECK: core.while
// CHECK: core.dot {{.*}}, %[[B]]
// CHECK-NOT: comm.reshard
func.func @loop(%a: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, %p: tensor<i1>)
    -> tensor<8x8xf32> {
  %0:2 = core.while (%a, %p) : (tensor<8x8xf32>, tensor<i1>) -> (tensor<8x8xf32>, tensor<i1>) cond {
  ^bb0(%v: tensor<8x8xf32>, %q: tensor<i1>):
    core.yield %q : tensor<i1>
  } body {
  ^bb0(%v: tensor<8x8xf32>, %q: tensor<i1>):
    %1 = core.dot %v, %b batch [] x [] contract [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    core.yield %1, %q : tensor<8x8xf32>, tensor<i1>
  }
  return %0#0 : tensor<8x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Halves of six elements are not whole rows of two: the op says so.
// CHECK-LABEL: func.func @whole
func.func @whole(%a: tensor<6xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<3x2xf32> {
  // CHECK: comm.reshard %arg0 from <@mesh, [{"x"}]> to <@mesh, [{}]>
  // expected-remark @+1 {{'core.reshape' needs dimension 0 of operand 0 whole, which lies as [{"x"}]: each device sends 12 bytes}}
  %0 = core.reshape %a : (tensor<6xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Of a reshape that asks for a move, the larger of two ways is not taken only
// because it is one launch and the other two.
// CHECK-LABEL: func.func @reshape_moves_little
// CHECK: core.reshape %arg0 {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
// CHECK: comm.reshard {{.*}} from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {"x"}]>
func.func @reshape_moves_little(%a: tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> (tensor<2x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = core.reshape %a : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

core.mesh @mesh = <["data"=8]>

// A table that a product needs whole anyway is whole for a gather from it too.
// CHECK-LABEL: func.func @table_for_two
// CHECK: %[[TABLE:.*]] = comm.reshard %arg1 from <@mesh, [{}, {"data"}]> to <@mesh, [{}, {}]>
// CHECK: %[[ROWS:.*]] = core.gather %[[TABLE]]
// CHECK: core.dot %[[ROWS]], %[[TABLE]]
func.func @table_for_two(%ids: tensor<256x1xi32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>},
                         %table: tensor<48x32xf32> {core.sharding = #core.sharding<@mesh, [{}, {"data"}]>}) -> tensor<256x48xf32> {
  %0 = core.gather %table at %ids {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 32>} : (tensor<48x32xf32>, tensor<256x1xi32>) -> tensor<256x32xf32>
  %1 = core.sharding_constraint %0 <@mesh, [{"data"}, {}]> : tensor<256x32xf32>
  %2 = core.dot %1, %table batch [] x [] contract [1] x [1] : (tensor<256x32xf32>, tensor<48x32xf32>) -> tensor<256x48xf32>
  return %2 : tensor<256x48xf32>
}

// -----

core.mesh @mesh = <["x"=4]>

// Every second element: devices exchange what their windows lack.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: comm.reshard
// CHECK: core.slice %arg0 {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}]>]
func.func @strided(%a: tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.slice %a [1] to [16] by [2] : (tensor<16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

core.mesh @mesh = <["x"=8]>

// Each element is compared with every other: the vector is gathered, and no
// table of all pairs moves.
// CHECK-LABEL: func.func @pairs
// CHECK-NOT: comm.reshard {{.*}}tensor<64x64xf32>
// CHECK: %[[ALL:.*]] = comm.reshard %arg0 from <@mesh, [{"x"}]> to <@mesh, [{}]>
// CHECK: core.broadcast %[[ALL]]
// CHECK-NOT: comm.reshard
// CHECK: core.reduce
func.func @pairs(%a: tensor<64xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> (tensor<64xi32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.broadcast %a, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %1 = core.broadcast %a, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %2 = core.compare lt %1, %0 : tensor<64x64xf32>
  %3 = core.convert %2 : (tensor<64x64xi1>) -> tensor<64x64xi32>
  %4 = core.reduce sum %3, dims = [1] : (tensor<64x64xi32>) -> tensor<64xi32>
  return %4 : tensor<64xi32>
}

// -----

core.mesh @mesh = <["x"=4]>

// Elements that are put between others lie beside them.
// CHECK-LABEL: func.func @stretched
// CHECK-NOT: comm.reshard
// CHECK: core.pad %arg0, {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}]>]
func.func @stretched(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %v: tensor<f32>) -> (tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) {
  %0 = core.pad %a, %v low [1] high [0] interior [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
