// RUN: partita-opt --partita-sink-reshards %s | FileCheck %s

core.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: @add_of_sums
// CHECK-NEXT: %[[SUM:.*]] = core.add %arg0, %arg1 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK-NEXT: %[[R:.*]] = comm.reshard %[[SUM]] from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]>
// CHECK-NEXT: return %[[R]]
func.func @add_of_sums(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %2 = core.add %0, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Three terms behind reshapes and signs, and one that is whole.
// CHECK-LABEL: @terms
// CHECK-DAG: %[[A:.*]] = core.reshape %arg0 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK-DAG: %[[B:.*]] = core.neg %arg1 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK: %[[AB:.*]] = core.add %[[A]], %[[B]] {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK-NEXT: %[[ABC:.*]] = core.add %[[AB]], %arg2 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK-NEXT: %[[R:.*]] = comm.reshard %[[ABC]] from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]>
// CHECK-SAME: core.reason = "first"
// CHECK-NEXT: %[[ALL:.*]] = core.add %arg3, %[[R]]
// CHECK-NEXT: return %[[ALL]]
func.func @terms(%a: tensor<2x4xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}, {}], unreduced={"x"}> to <@mesh, [{}, {}]> {core.reason = "first"} : tensor<2x4xf32>
  %1 = core.reshape %0 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<2x4xf32>) -> tensor<8xf32>
  %2 = core.add %1, %d {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  %3 = comm.reshard %b from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %4 = core.neg %3 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  %5 = core.add %2, %4 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  %6 = comm.reshard %c from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %7 = core.add %5, %6 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %7 : tensor<8xf32>
}

// CHECK-LABEL: @scattered_terms
// CHECK-NEXT: %[[SUM:.*]] = core.add %arg0, %arg1 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"y"}>]}
// CHECK-NEXT: comm.reshard %[[SUM]] from <@mesh, [{}], unreduced={"y"}> to <@mesh, [{"y"}]>
func.func @scattered_terms(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"y"}> to <@mesh, [{"y"}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{}], unreduced={"y"}> to <@mesh, [{"y"}]> : tensor<8xf32>
  %2 = core.add %0, %1 {core.shardings = [#core.sharding<@mesh, [{"y"}]>]} : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Sums over different groups stay apart.
// CHECK-LABEL: @other_axes
// CHECK: comm.reshard %arg0
// CHECK: comm.reshard %arg1
// CHECK: core.add
func.func @other_axes(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{}], unreduced={"y"}> to <@mesh, [{}]> : tensor<8xf32>
  %2 = core.add %0, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The sum is needed by itself too.
// CHECK-LABEL: @another_use
// CHECK: %[[R:.*]] = comm.reshard %arg0
// CHECK: comm.reshard %arg1
// CHECK: core.add
// CHECK: return {{.*}}, %[[R]]
func.func @another_use(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %2 = core.add %0, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %2, %0 : tensor<8xf32>, tensor<8xf32>
}

// Not linear: a product of two sums; the exponential of a sum; a sum of maxima.
// CHECK-LABEL: @not_linear
// CHECK: comm.reshard %arg0
// CHECK: comm.reshard %arg1
// CHECK: core.mul
func.func @not_linear(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %2 = core.mul %0, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %2 : tensor<8xf32>
}
// CHECK-LABEL: @not_linear_in_between
// CHECK: comm.reshard %arg0
// CHECK: core.exp
// CHECK: comm.reshard %arg1
// CHECK: core.add
func.func @not_linear_in_between(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = core.exp %0 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  %2 = comm.reshard %b from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %3 = core.add %1, %2 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %3 : tensor<8xf32>
}
// CHECK-LABEL: @maxima
// CHECK: comm.reshard %arg0
// CHECK: comm.reshard %arg1
// CHECK: core.add
func.func @maxima(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced=max{"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{}], unreduced=max{"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %2 = core.add %0, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Sixteen numbers are summed over the devices, not 64.
// CHECK-LABEL: @smaller_behind_a_sum
// CHECK-NEXT: %[[SUM:.*]] = core.reduce sum %arg0, dims = [1] {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]}
// CHECK-NEXT: comm.reshard %[[SUM]]
func.func @smaller_behind_a_sum(%a: tensor<16x4xf32>) -> tensor<16xf32> {
  %0 = comm.reshard %a from <@mesh, [{}, {}], unreduced={"x"}> to <@mesh, [{}, {}]> : tensor<16x4xf32>
  %1 = core.reduce sum %0, dims = [1] {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<16x4xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
// CHECK-LABEL: @not_behind_a_maximum
// CHECK-NEXT: comm.reshard %arg0
func.func @not_behind_a_maximum(%a: tensor<16x4xf32>) -> tensor<16xf32> {
  %0 = comm.reshard %a from <@mesh, [{}, {}], unreduced={"x"}> to <@mesh, [{}, {}]> : tensor<16x4xf32>
  %1 = core.reduce max %0, dims = [1] {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<16x4xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// One gather instead of two; a constant lies as one likes.
// CHECK-LABEL: @gathers
// CHECK-NEXT: %[[C:.*]] = core.constant {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} dense<2.0
// CHECK: %[[M:.*]] = core.mul %arg0, %arg1 {core.shardings = [#core.sharding<@mesh, [{"x"}]>]}
// CHECK: core.add %[[M]], %{{.*}} {core.shardings = [#core.sharding<@mesh, [{"x"}]>]}
// CHECK: %[[R:.*]] = comm.reshard %{{.*}} from <@mesh, [{"x"}]> to <@mesh, [{}]>
// CHECK-NEXT: return %[[R]]
func.func @gathers(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c = core.constant {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} dense<2.0> : tensor<8xf32>
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
  %1 = comm.reshard %b from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
  %2 = core.mul %0, %1 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  %3 = comm.reshard %c from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
  %4 = core.add %2, %3 {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %4 : tensor<8xf32>
}

// A whole operand would have to be sliced first.
// CHECK-LABEL: @gather_and_whole
// CHECK: comm.reshard %arg0
// CHECK: core.add
func.func @gather_and_whole(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
  %1 = core.add %0, %b {core.shardings = [#core.sharding<@mesh, [{}]>]} : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Half the bytes in the narrower type; the other way round it stays.
// CHECK-LABEL: @gather_of_narrower
// CHECK-NEXT: %[[C:.*]] = core.convert %arg0 {core.shardings = [#core.sharding<@mesh, [{"x"}]>]}
// CHECK-NEXT: comm.reshard %[[C]]
func.func @gather_of_narrower(%a: tensor<8xf32>) -> tensor<8xbf16> {
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xf32>
  %1 = core.convert %0 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xf32>) -> tensor<8xbf16>
  return %1 : tensor<8xbf16>
}
// CHECK-LABEL: @gather_of_wider
// CHECK-NEXT: comm.reshard %arg0
func.func @gather_of_wider(%a: tensor<8xbf16>) -> tensor<8xf32> {
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<8xbf16>
  %1 = core.convert %0 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xbf16>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Rounding is not linear.
// CHECK-LABEL: @sum_then_narrower
// CHECK-NEXT: comm.reshard %arg0
func.func @sum_then_narrower(%a: tensor<8xf32>) -> tensor<8xbf16> {
  %0 = comm.reshard %a from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<8xf32>
  %1 = core.convert %0 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<8xf32>) -> tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

// Five rows on two devices are no two halves of twenty elements.
// CHECK-LABEL: @uneven_rows
// CHECK-NEXT: comm.reshard %arg0
func.func @uneven_rows(%a: tensor<5x4xf32>) -> tensor<20xf32> {
  %0 = comm.reshard %a from <@mesh, [{"x"}, {}]> to <@mesh, [{}, {}]> : tensor<5x4xf32>
  %1 = core.reshape %0 {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<5x4xf32>) -> tensor<20xf32>
  return %1 : tensor<20xf32>
}
