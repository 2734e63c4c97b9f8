// RUN: partita-opt %s --partita-import | FileCheck %s
// RUN: partita-opt %s --partita-import --partita-propagate | FileCheck %s --check-prefix=ALIKE
// RUN: partita-opt %s --partita-import | partita-equiv - | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 2 results

// Each member stands behind a constraint that leaves it open.
// CHECK-LABEL: func.func @main
// CHECK: %[[B:.*]] = core.sharding_constraint %arg1 <@mesh, [{?}, {?}]> {core.group = 4 : i64} : tensor<8x6xf32>
// CHECK: core.exp %[[B]]
// CHECK: %[[NEG:.*]] = core.neg %arg0
// CHECK: %[[A:.*]] = core.sharding_constraint %[[NEG]] <@mesh, [{?}, {?}]> {core.group = 4 : i64} : tensor<8x6xf32>
// CHECK: return %[[A]]

// Nothing but the group links %b to %a.
// ALIKE: func.func @main
// ALIKE-SAME: %arg1: tensor<8x6xf32> {{{.*}}core.sharding = #core.sharding<@mesh, [{"x"}, {"y"}]>
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x6xf32>)
    -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = stablehlo.exponential %b : tensor<8x6xf32>
  %1 = stablehlo.negate %a : tensor<8x6xf32>
  sdy.sharding_group %1 group_id=4 : tensor<8x6xf32>
  sdy.sharding_group %b group_id=4 : tensor<8x6xf32>
  return %1, %0 : tensor<8x6xf32>, tensor<8x6xf32>
}
