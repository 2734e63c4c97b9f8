// RUN: partita-opt %s --mlir-print-op-generic | partita-opt | FileCheck %s
// RUN: partita-opt %s | partita-opt | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK: sdy.mesh @order = <["a"=2], device_ids=[1, 0]>
sdy.mesh @order = <["a"=2], device_ids=[1, 0]>
// CHECK: sdy.mesh @one = <[], device_ids=[3]>
sdy.mesh @one = <[], device_ids=[3]>

// CHECK-LABEL: func.func @shardings
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y":(2)2}], replicated={"y":(1)2}>}
// CHECK-SAME: {sdy.sharding = #sdy.sharding<mesh<["z"=2]>, [{"z"}, {?}]>}
// CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"x"}>})
func.func @shardings(
    %a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y":(2)2}], replicated={"y":(1)2}>},
    %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=2]>, [{"z"}, {?}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"x"}>}) {
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x"}, {?}]> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {?}]> : tensor<8x8xf32>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.add %0, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  // CHECK: sdy.reshard %{{.*}} <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id=4 : tensor<8x8xf32>
  sdy.sharding_group %2 group_id=4 : tensor<8x8xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD : tensor<8x8xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=BACKWARD : tensor<8x8xf32>
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.constant dense<1> : tensor<2xi32>
  %5 = sdy.constant dense<1> : tensor<2xi32>
  return %4 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @regions
func.func @regions(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%[[A:.*]]: tensor<4x8xf32>) {
  // CHECK-NEXT: sdy.return %[[A]] : tensor<4x8xf32>
  // CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.named_computation<"f">(%{{.*}}) in_shardings=[<@mesh, [{}, {}]>] (%{{.*}}: tensor<8x8xf32>) {
  %1 = sdy.named_computation<"f">(%0) in_shardings=[<@mesh, [{}, {}]>] (%b: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @collectives
func.func @collectives(%a: tensor<8x8xf32>) {
  // CHECK: sdy.all_gather [{}, {"y"}] %{{.*}} out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %0 = sdy.all_gather [{}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.all_slice [{}, {"y"}] %{{.*}} out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // CHECK: sdy.all_to_all [{"x"}: 0->1] %{{.*}} out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK: sdy.collective_permute %{{.*}} out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.all_reduce {"x"} %{{.*}} out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %4 = sdy.all_reduce {"x"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.reduce_scatter max [{"y"}, {}] %{{.*}} out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %5 = sdy.reduce_scatter max [{"y"}, {}] %4 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.sharded_to_unreduced [{"y"}, {}] %{{.*}} out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<8x8xf32>
  %6 = sdy.sharded_to_unreduced [{"y"}, {}] %5 out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<8x8xf32>
  // CHECK: sdy.replicated_to_unreduced {"x"} %{{.*}} out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x8xf32>
  %7 = sdy.replicated_to_unreduced {"x"} %6 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @rules
func.func @rules(%a: tensor<2x4xf32>) {
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4} need_replication={j}, custom>
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4} need_replication={j}, custom>} : (tensor<2x4xf32>) -> tensor<8xf32>
  // CHECK: sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>
  %1 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>} : tensor<2x4xf32>
  return
}
