// RUN: partita-opt --partita-lower-reshards --split-input-file --verify-diagnostics %s | FileCheck %s

core.mesh @mesh = <["data"=2, "model"=4]>

// Both sums are made: first the part that is kept, then the rest on it.
// CHECK-LABEL: @scatter_then_reduce
// CHECK: %[[RS:.*]] = comm.reduce_scatter %arg0 over @mesh {"model"} sum dims = [0]
// CHECK-SAME: from [#core.sharding<@mesh, [{}, {}], unreduced={"data", "model"}>]
// CHECK-SAME: to [#core.sharding<@mesh, [{"model"}, {}], unreduced={"data"}>]
// CHECK: %[[AR:.*]] = comm.all_reduce %[[RS]] over @mesh {"data"} sum
// CHECK-SAME: core.shardings = [#core.sharding<@mesh, [{"model"}, {}]>]
// CHECK: return %[[AR]]
func.func @scatter_then_reduce(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}, {}], unreduced={"data", "model"}> to <@mesh, [{"model"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: @reduction_kind
// CHECK: comm.all_reduce %arg0 over @mesh {"model"} max
func.func @reduction_kind(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced=max{"model"}> to <@mesh, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @move
// CHECK: comm.all_to_all %arg0 over @mesh {"model"} split = [1] concat = [0]
func.func @move(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"model"}, {}]> to <@mesh, [{}, {"model"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: @slice_then_gather
// CHECK: %[[SLICE:.*]] = comm.slice %arg0 over @mesh {"data"} dim = 1
// CHECK: comm.all_gather %[[SLICE]] over @mesh {"model"} dims = [0]
func.func @slice_then_gather(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"model"}, {}]> to <@mesh, [{}, {"data"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Device 4 (data 1, model 0) gets shard 1, which device 1 (data 0, model 1) has.
// CHECK-LABEL: @reorder
// CHECK: comm.permute %arg0 over @mesh {"data", "model"}
// CHECK-SAME: sources = [0, 2, 4, 6, 1, 3, 5, 7] targets = [0, 1, 2, 3, 4, 5, 6, 7]
func.func @reorder(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"data", "model"}]> to <@mesh, [{"model", "data"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Shards of 3 with four devices, of 5 with two: boxes are exchanged, and the
// reshard says so until localisation.
// CHECK-LABEL: @exchange
// CHECK: comm.reshard %arg0 {{.*}}comm.exchange
func.func @exchange(%a: tensor<9xf32>) -> tensor<9xf32> {
  %0 = comm.reshard %a from <@mesh, [{"model"}]> to <@mesh, [{"data"}]> : tensor<9xf32>
  return %0 : tensor<9xf32>
}

// The reason of a reshard stays with its collectives.
// CHECK-LABEL: @attributes
// CHECK: comm.all_gather {{.*}}core.reason = "because"
func.func @attributes(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"data"}]> to <@mesh, [{}]> {core.reason = "because"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

core.mesh @a = <["x"=2]>
core.mesh @b = <["x"=4]>

func.func @meshes(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{cannot reshard from mesh @a to mesh @b: they are not the same mesh; use one mesh for both}}
  %0 = comm.reshard %a from <@a, [{"x"}]> to <@b, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

func.func @to_unreduced(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{the result would be unreduced where the operand is not}}
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
