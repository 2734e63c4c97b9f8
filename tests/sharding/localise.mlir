// RUN: partita-opt --split-input-file --partita-localise %s | FileCheck %s

core.mesh @mesh = <["x"=4]>
#split = #core.sharding<@mesh, [{"x"}]>

// An iota starts where the device's shard does; constants are cut.
// CHECK-LABEL: func.func @where(
// CHECK-SAME: %arg0: tensor<2xi32> {core.global = tensor<8xi32>, core.sharding = #core.sharding<@mesh, [{"x"}]>}
// CHECK-SAME: -> (tensor<2xi32> {core.global = tensor<8xi32>
func.func @where(%a: tensor<8xi32> {core.sharding = #split}) -> (tensor<8xi32> {core.sharding = #split}) {
  // CHECK: %[[IOTA:.*]] = core.iota dim = 0 : tensor<2xi32>
  // CHECK: %[[AT:.*]] = comm.axis_index over @mesh {"x"} : tensor<i32>
  // CHECK: %[[START:.*]] = core.mul %[[AT]],
  // CHECK: %[[ALL:.*]] = core.broadcast %[[START]]
  // CHECK: %[[GLOBAL:.*]] = core.add %[[IOTA]], %[[ALL]] : tensor<2xi32>
  %0 = core.iota dim = 0 {core.shardings = [#split]} : tensor<8xi32>
  // CHECK: core.constant dense<3> : tensor<2xi32>
  %1 = core.constant {core.shardings = [#split]} dense<3> : tensor<8xi32>
  // CHECK: %[[WHOLE:.*]] = core.constant dense<[0, 1, 4, 9, 16, 25, 36, 49]> : tensor<8xi32>
  // CHECK: comm.slice %[[WHOLE]] over @mesh {"x"} dim = 0 : (tensor<8xi32>) -> tensor<2xi32>
  %2 = core.constant {core.shardings = [#split]} dense<[0, 1, 4, 9, 16, 25, 36, 49]> : tensor<8xi32>
  %3 = core.add %0, %1 {core.shardings = [#split]} : tensor<8xi32>
  // CHECK-NOT: core.shardings
  %4 = core.add %3, %2 {core.shardings = [#split]} : tensor<8xi32>
  %5 = core.add %a, %4 {core.shardings = [#split]} : tensor<8xi32>
  return %5 : tensor<8xi32>
}

// -----

core.mesh @mesh = <["x"=4]>
#split = #core.sharding<@mesh, [{"x"}]>
#partial = #core.sharding<@mesh, [], unreduced=max{"x"}>
#whole = #core.sharding<@mesh, []>

// Ten elements lie in shards of three: the padding must not be the maximum.
// CHECK-LABEL: func.func @uneven
func.func @uneven(%a: tensor<10xf32> {core.sharding = #split}) -> (tensor<f32> {core.sharding = #whole}) {
  // CHECK-DAG: core.constant dense<10> : tensor<i32>
  // CHECK-DAG: core.constant dense<0xFF800000> : tensor<f32>
  // CHECK: %[[VALID:.*]] = core.select {{.*}}, %arg0, {{.*}} : {{.*}}tensor<3xf32>
  // CHECK: core.reduce max %[[VALID]], dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %0 = core.reduce max %a, dims = [0] {core.shardings = [#partial]} : (tensor<10xf32>) -> tensor<f32>
  // CHECK: comm.all_reduce {{.*}} over @mesh {"x"} max : (tensor<f32>) -> tensor<f32>
  %1 = comm.all_reduce %0 over @mesh {"x"} max from [#partial] to [#whole] {core.shardings = [#whole]} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

core.mesh @mesh = <["x"=4]>
#rows = #core.sharding<@mesh, [{"x"}, {}]>
#columns = #core.sharding<@mesh, [{}, {"x"}]>
#whole = #core.sharding<@mesh, [{}, {}]>
#partial = #core.sharding<@mesh, [{}, {}], unreduced={"x"}>

// What comes out of a collective is cut to the true size, what goes in padded.
// CHECK-LABEL: func.func @collectives
func.func @collectives(%a: tensor<10x6xf32> {core.sharding = #rows}, %b: tensor<10x6xf32> {core.sharding = #partial})
    -> (tensor<10x6xf32> {core.sharding = #whole}, tensor<10x6xf32> {core.sharding = #columns}, tensor<10x6xf32> {core.sharding = #rows}, tensor<10x6xf32> {core.sharding = #rows}) {
  // CHECK: %[[G:.*]] = comm.all_gather %arg0 {{.*}} : (tensor<3x6xf32>) -> tensor<12x6xf32>
  // CHECK: core.slice %[[G]] [0, 0] to [10, 6] by [1, 1]
  %0 = comm.all_gather %a over @mesh {"x"} dims = [0] from [#rows] to [#whole] {core.shardings = [#whole]} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  // CHECK: core.pad %arg0, {{.*}} high [0, 2]
  // CHECK: %[[A:.*]] = comm.all_to_all {{.*}} : (tensor<3x8xf32>) -> tensor<12x2xf32>
  // CHECK: core.slice %[[A]] [0, 0] to [10, 2]
  %1 = comm.all_to_all %a over @mesh {"x"} split = [1] concat = [0] from [#rows] to [#columns] {core.shardings = [#columns]} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  // CHECK: core.pad %arg1, {{.*}} high [2, 0]
  // CHECK: comm.reduce_scatter {{.*}} : (tensor<12x6xf32>) -> tensor<3x6xf32>
  %2 = comm.reduce_scatter %b over @mesh {"x"} sum dims = [0] from [#partial] to [#rows] {core.shardings = [#rows]} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  // CHECK: core.pad
  // CHECK: comm.slice {{.*}} : (tensor<12x6xf32>) -> tensor<3x6xf32>
  %3 = comm.slice %0 over @mesh {"x"} dim = 0 from [#whole] to [#rows] {core.shardings = [#rows]} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  return %0, %1, %2, %3 : tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>
}

// -----

core.mesh @mesh = <["x"=4]>
#rows = #core.sharding<@mesh, [{"x"}, {}]>
#ids = #core.sharding<@mesh, [{}, {}]>
#partial = #core.sharding<@mesh, [{}, {}], unreduced={"x"}>

// Indices are clamped on the whole table, then counted from the own rows; rows
// of others come out as zeros.
// CHECK-LABEL: func.func @lookup
func.func @lookup(%table: tensor<16x8xf32> {core.sharding = #rows}, %ids: tensor<5x1xi32> {core.sharding = #ids})
    -> (tensor<5x8xf32> {core.sharding = #partial}) {
  // CHECK-DAG: core.constant dense<15> : tensor<i32>
  // CHECK: %[[CLAMPED:.*]] = core.clamp
  // CHECK: %[[OWN:.*]] = core.sub %[[CLAMPED]]
  // CHECK: %[[INSIDE:.*]] = core.and
  // CHECK: %[[ROWS:.*]] = core.gather %arg0 at %[[OWN]] {{.*}}slice_sizes = array<i64: 1, 8>{{.*}} : (tensor<4x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  // CHECK: core.select {{.*}}, %[[ROWS]], {{.*}}tensor<5x8xf32>
  %0 = core.gather %table at %ids {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64: 1>,
    operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 8>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>,
    core.shardings = [#partial]} : (tensor<16x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

core.mesh @mesh = <["x"=4]>
#whole = #core.sharding<@mesh, [{}, {}]>
#rows = #core.sharding<@mesh, [{"x"}, {}]>
#partial = #core.sharding<@mesh, [{}, {}], unreduced={"x"}>

// Updates are split unevenly: those in the padding go nowhere, and the operand
// counts once.
// CHECK-LABEL: func.func @add_rows
func.func @add_rows(%table: tensor<16x8xf32> {core.sharding = #whole}, %ids: tensor<6x1xi32> {core.sharding = #rows}, %rows: tensor<6x8xf32> {core.sharding = #rows})
    -> (tensor<16x8xf32> {core.sharding = #partial}) {
  // CHECK-DAG: core.constant dense<-1> : tensor<i32>
  // CHECK: %[[IDS:.*]] = core.select {{.*}}, %arg1, {{.*}}tensor<2x1xi32>
  // CHECK: core.compare {{.*}} : tensor<i32>
  // CHECK: %[[ONCE:.*]] = core.select {{.*}}, %arg0, {{.*}}tensor<16x8xf32>
  // CHECK: core.scatter with sum : %[[ONCE]] at %[[IDS]], %arg2
  %0 = core.scatter with sum : %table at %ids, %rows {index_vector_dim = 1 : i64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>,
    scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>,
    core.shardings = [#partial]} : (tensor<16x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>
#columns = #core.sharding<@mesh, [{}, {"x"}]>
#whole = #core.sharding<@mesh, [{}, {}]>
#scalar = #core.sharding<@mesh, []>

// The start is clamped on the whole size (1), whatever integer it is.
// CHECK-LABEL: func.func @update
func.func @update(%a: tensor<2x2xi32> {core.sharding = #columns}, %u: tensor<2x1xi32> {core.sharding = #whole},
                  %i: tensor<i64> {core.sharding = #scalar}) -> (tensor<2x2xi32> {core.sharding = #columns}) {
  // CHECK-DAG: core.constant dense<1> : tensor<i64>
  // CHECK: core.clamp {{.*}}%arg2
  // CHECK: core.sub {{.*}} : tensor<i64>
  // CHECK: %[[WIDE:.*]] = core.pad %arg0, {{.*}} low [0, 1] high [0, 1]
  // CHECK: core.dynamic_update_slice %[[WIDE]], %arg1
  // CHECK: core.slice {{.*}} [0, 1] to [2, 2] by [1, 1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %0 = core.dynamic_update_slice %a, %u at (%i, %i) {core.shardings = [#columns]} : (tensor<2x2xi32>, tensor<2x1xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
