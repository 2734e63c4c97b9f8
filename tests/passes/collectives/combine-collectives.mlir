// RUN: partita-opt --partita-combine-collectives="reduce-limit=64" %s | FileCheck %s

core.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: @independent
// CHECK-NEXT: %[[N:.*]] = core.neg %arg1
// CHECK-NEXT: %[[AR:.*]]:2 = comm.all_reduce %arg0, %[[N]] over @mesh {"x"} sum
// CHECK-SAME: from [#core.sharding<@mesh, [{}], unreduced={"x"}>, #core.sharding<@mesh, [{}, {}], unreduced={"x"}>]
// CHECK-NEXT: %[[E:.*]] = core.exp %[[AR]]#0
// CHECK-NEXT: return %[[E]], %[[AR]]#1
func.func @independent(%a: tensor<8xf32>, %b: tensor<2x2xf32>) -> (tensor<8xf32>, tensor<2x2xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum from [#core.sharding<@mesh, [{}], unreduced={"x"}>] to [#core.sharding<@mesh, [{}]>] : (tensor<8xf32>) -> tensor<8xf32>
  %1 = core.exp %0 : tensor<8xf32>
  %2 = core.neg %b : tensor<2x2xf32>
  %3 = comm.all_reduce %2 over @mesh {"x"} sum from [#core.sharding<@mesh, [{}, {}], unreduced={"x"}>] to [#core.sharding<@mesh, [{}, {}]>] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1, %3 : tensor<8xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: @dependent
// CHECK: comm.all_reduce %arg0 over
// CHECK: core.exp
// CHECK: comm.all_reduce %{{.*}} over
func.func @dependent(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %1 = core.exp %0 : tensor<8xf32>
  %2 = comm.all_reduce %1 over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The second of one chain may go with the second of another, but not with the
// first of it.
// CHECK-LABEL: @two_chains
// CHECK: %[[A:.*]]:2 = comm.all_reduce %arg0, %arg1
// CHECK: %[[E0:.*]] = core.exp %[[A]]#0
// CHECK: %[[E1:.*]] = core.neg %[[A]]#1
// CHECK: comm.all_reduce %[[E0]], %[[E1]]
func.func @two_chains(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %1 = core.exp %0 : tensor<4xf32>
  %2 = comm.all_reduce %1 over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %3 = comm.all_reduce %b over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %4 = core.neg %3 : tensor<4xf32>
  %5 = comm.all_reduce %4 over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %5 : tensor<4xf32>, tensor<4xf32>
}

// A dependence through a region counts.
// CHECK-LABEL: @through_a_region
// CHECK: comm.all_reduce %arg1 over
// CHECK: core.if
// CHECK: comm.all_reduce %{{.*}} over
func.func @through_a_region(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %1 = core.if %p : (tensor<i1>) -> tensor<4xf32> then {
    core.yield %0 : tensor<4xf32>
  } else {
    core.yield %a : tensor<4xf32>
  }
  %2 = comm.all_reduce %1 over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Other axes, other reduction, other element type.
// CHECK-LABEL: @unlike
// CHECK-COUNT-4: comm.all_reduce
func.func @unlike(%a: tensor<4xf32>, %b: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %1 = comm.all_reduce %a over @mesh {"y"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %2 = comm.all_reduce %a over @mesh {"x"} max : (tensor<4xf32>) -> tensor<4xf32>
  %3 = comm.all_reduce %b over @mesh {"x"} sum : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// Three of 32 bytes each are more than the limit of 64.
// CHECK-LABEL: @limit
// CHECK: comm.all_reduce %arg0, %arg1 over
// CHECK: comm.all_reduce %arg2 over
func.func @limit(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %1 = comm.all_reduce %b over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %2 = comm.all_reduce %c over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Each operand keeps its own dimension.
// CHECK-LABEL: @dimensions
// CHECK: comm.all_gather %arg0, %arg1 over @mesh {"x"} dims = [0, 1]
// CHECK: comm.all_to_all %arg0, %arg1 over @mesh {"y"} split = [0, 1] concat = [1, 0]
func.func @dimensions(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<2x8xf32>, tensor<1x8xf32>, tensor<4x2xf32>) {
  %0 = comm.all_gather %a over @mesh {"x"} dims = [0] : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = comm.all_gather %b over @mesh {"x"} dims = [1] : (tensor<2x4xf32>) -> tensor<2x8xf32>
  %2 = comm.all_to_all %a over @mesh {"y"} split = [0] concat = [1] : (tensor<2x4xf32>) -> tensor<1x8xf32>
  %3 = comm.all_to_all %b over @mesh {"y"} split = [1] concat = [0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<2x8xf32>, tensor<1x8xf32>, tensor<4x2xf32>
}

// Only the second says why it is there; the first says nothing of it.
// CHECK-LABEL: @one_reason
// CHECK: comm.all_reduce %arg0, %arg1 over @mesh {"x"} sum {core.reasons = ["", "because"]}
func.func @one_reason(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
  %1 = comm.all_reduce %b over @mesh {"x"} sum {core.reasons = ["because"]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// What uses the third moves behind the fourth, and thereby behind the other one
// of the second level.
// CHECK-LABEL: @moved_past_each_other
// CHECK: %[[A:.*]]:2 = comm.all_reduce %arg0, %arg1 over
// CHECK: %[[B:.*]]:2 = comm.all_reduce %arg2, %arg3 over
// CHECK: comm.all_reduce %[[A]]#0, %[[B]]#0 over
func.func @moved_past_each_other(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %1 = comm.all_reduce %b over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %2 = comm.all_reduce %c over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %3 = comm.all_reduce %2 over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %4 = comm.all_reduce %0 over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  %5 = comm.all_reduce %d over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
