// RUN: partita-opt %s --partita-fuse | FileCheck %s

// Elementwise ops with their broadcasts become one kernel, which a second use
// of the same structure shares.
// CHECK-LABEL: plan.kernel @add_0(
// CHECK:         core.broadcast
// CHECK-NEXT:    core.neg
// CHECK-NEXT:    core.add
// CHECK:         plan.return
// CHECK-NOT:   plan.kernel @add

// A row-wise softmax is one kernel, with a result for each row too.
// CHECK-LABEL: plan.kernel @reduce_div_1(
// CHECK:         core.reduce max
// CHECK:         core.exp
// CHECK:         core.reduce sum
// CHECK:         core.div
// CHECK:         plan.return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4x8xf32>

// A product takes the elementwise ops behind it, and transposes in front.
// CHECK-LABEL: plan.kernel @dot_tanh_2(
// CHECK:         core.transpose
// CHECK:         core.dot
// CHECK:         core.tanh

// Any of the arguments may lie where any of the results goes.
// CHECK-LABEL: plan.kernel @sub_3(
// CHECK-SAME:    inplace = [array<i64: 0, 0>, array<i64: 0, 1>, array<i64: 1, 0>, array<i64: 1, 1>, array<i64: 2, 0>, array<i64: 2, 1>]

// CHECK-LABEL: func.func @pointwise
// CHECK-COUNT-2: plan.launch @add_0
// CHECK-NOT:     core.
func.func @pointwise(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = core.broadcast %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = core.neg %a : tensor<4x8xf32>
  %2 = core.add %1, %0 : tensor<4x8xf32>
  %3 = core.neg %c : tensor<4x8xf32>
  %4 = core.add %3, %0 : tensor<4x8xf32>
  return %2, %4 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK:         plan.launch @reduce_div_1
// CHECK-NEXT:    return
func.func @softmax(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %m = core.reduce max %x, dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %mb = core.broadcast %m, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %d = core.sub %x, %mb : tensor<4x8xf32>
  %e = core.exp %d : tensor<4x8xf32>
  %s = core.reduce sum %e, dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %sb = core.broadcast %s, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = core.div %e, %sb : tensor<4x8xf32>
  return %r, %s : tensor<4x8xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @product
// CHECK:         plan.launch @dot_tanh_2
// CHECK-NEXT:    return
func.func @product(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %c: tensor<16xf32>) -> tensor<4x16xf32> {
  %t = core.transpose %b, permutation = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %0 = core.dot %a, %t batch [] x [] contract [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = core.broadcast %c, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %2 = core.add %0, %1 : tensor<4x16xf32>
  %3 = core.tanh %2 : tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// Several results of one shape are computed together, in place where possible.
// CHECK-LABEL: func.func @momentum
// CHECK:         plan.launch
// CHECK-NOT:     plan.launch
// CHECK:         return
func.func @momentum(%p: tensor<64xf32>, %m: tensor<64xf32>, %g: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c = core.constant dense<0.9> : tensor<f32>
  %b = core.broadcast %c, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %0 = core.mul %m, %b : tensor<64xf32>
  %1 = core.add %0, %g : tensor<64xf32>
  %2 = core.sub %p, %1 : tensor<64xf32>
  return %2, %1 : tensor<64xf32>, tensor<64xf32>
}

// Bodies of loops are fused too; the loop itself stays.
// CHECK-LABEL: func.func @loop
// CHECK:         core.while
// CHECK:           plan.launch
// CHECK:           core.yield
// CHECK:           plan.launch
// CHECK:           core.yield
func.func @loop(%i: tensor<i32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = core.while(%i, %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) cond {
  ^bb0(%n: tensor<i32>, %y: tensor<8xf32>):
    %c = core.constant dense<3> : tensor<i32>
    %p = core.compare lt %n, %c : tensor<i32>
    core.yield %p : tensor<i1>
  } body {
  ^bb0(%n: tensor<i32>, %y: tensor<8xf32>):
    %c = core.constant dense<1> : tensor<i32>
    %m = core.add %n, %c : tensor<i32>
    %z = core.exp %y : tensor<8xf32>
    core.yield %m, %z : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}

// The sum behind the product reads what runs only after the product: it is
// kept apart.
// CHECK-LABEL: func.func @cycle
// CHECK:         %[[DOT:.*]] = plan.launch @dot
// CHECK:         %[[NEG:.*]]:2 = plan.launch @add{{.*}}(%{{.*}}, %[[DOT]])
// CHECK:         plan.launch @add{{.*}}(%[[NEG]]#0, %[[DOT]])
func.func @cycle(%a: tensor<4x16xf32>, %l: tensor<8x4xf32>, %r: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<8x8xf32>) {
  %x = core.neg %a : tensor<4x16xf32>
  %t = core.dot %l, %r batch [] x [] contract [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %ts = core.reshape %t : (tensor<8x8xf32>) -> tensor<4x16xf32>
  %y = core.add %x, %ts : tensor<4x16xf32>
  %xs = core.reshape %x : (tensor<4x16xf32>) -> tensor<8x8xf32>
  %z = core.add %t, %xs : tensor<8x8xf32>
  return %y, %z : tensor<4x16xf32>, tensor<8x8xf32>
}

// What the select reads is computed first, although the select itself, which is
// part of the kernel of the product, comes before the sum of the other one.
// CHECK-LABEL: func.func @inlined_reads_own_kernel
// CHECK:         %[[FIRST:.*]]:2 = plan.launch @{{.*}}(%arg0)
// CHECK-NEXT:    plan.launch @{{.*}}(%arg1, %{{.*}}%[[FIRST]]#0
func.func @inlined_reads_own_kernel(%a: tensor<2x4x8xf32>, %b: tensor<2x4x8xf32>, %p: tensor<2x4x8xi1>) -> (tensor<2x4x8xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2x4x8xf32>) {
  %v = core.neg %a : tensor<2x4x8xf32>
  %w = core.exp %b : tensor<2x4x8xf32>
  %e = core.sqrt %w : tensor<2x4x8xf32>
  %i = core.select %p, %w, %v : tensor<2x4x8xi1>, tensor<2x4x8xf32>
  %j = core.reshape %i : (tensor<2x4x8xf32>) -> tensor<64xf32>
  %k = core.reshape %j : (tensor<64xf32>) -> tensor<2x4x8xf32>
  %s = core.reduce sum %v, dims = [2] : (tensor<2x4x8xf32>) -> tensor<2x4xf32>
  %t = core.reduce sum %w, dims = [1, 2] : (tensor<2x4x8xf32>) -> tensor<2xf32>
  %m = core.mul %k, %e : tensor<2x4x8xf32>
  return %v, %s, %t, %m : tensor<2x4x8xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2x4x8xf32>
}
