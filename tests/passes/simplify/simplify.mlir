// RUN: partita-opt %s --partita-simplify | FileCheck %s

// CHECK-LABEL: func.func @neutral_operands(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
func.func @neutral_operands(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = core.constant dense<1.0> : tensor<4xf32>
  %zero = core.constant dense<0.0> : tensor<4xf32>
  %lowest = core.constant dense<0xFF800000> : tensor<f32>
  %low = core.broadcast %lowest, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = core.mul %one, %x : tensor<4xf32>
  %1 = core.div %x, %one : tensor<4xf32>
  %2 = core.sub %x, %zero : tensor<4xf32>
  %3 = core.max %low, %x : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// x + 0 turns -0 into 0, and 1 / x is not x.
// CHECK-LABEL: func.func @negative_not_neutral(
// CHECK: core.add
// CHECK: core.div
func.func @negative_not_neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = core.constant dense<1.0> : tensor<4xf32>
  %zero = core.constant dense<0.0> : tensor<4xf32>
  %0 = core.add %x, %zero : tensor<4xf32>
  %1 = core.div %one, %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @there_and_back(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xbf16>, %[[Y:[^:]*]]: tensor<4xf32>
// CHECK: %[[NARROW:.*]] = core.convert %[[Y]]
// CHECK: %[[WIDE:.*]] = core.convert %[[NARROW]]
// CHECK: return %[[X]], %[[WIDE]], %[[Y]]
func.func @there_and_back(%x: tensor<4xbf16>, %y: tensor<4xf32>)
    -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>) {
  %0 = core.convert %x : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = core.convert %0 : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = core.convert %y : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = core.convert %2 : (tensor<4xbf16>) -> tensor<4xf32>
  %4 = core.neg %y : tensor<4xf32>
  %5 = core.neg %4 : tensor<4xf32>
  return %1, %3, %5 : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>
}

// Arithmetic on constants is done now; what is the same everywhere is a
// broadcast of a scalar.
// CHECK-LABEL: func.func @constants(
// CHECK: %[[SIX:.*]] = core.constant dense<6.000000e+00> : tensor<f32>
// CHECK: %[[ALL:.*]] = core.broadcast %[[SIX]], dims = [] : (tensor<f32>) -> tensor<4x4xf32>
// CHECK: return %[[ALL]]
func.func @constants() -> tensor<4x4xf32> {
  %0 = core.constant dense<2.0> : tensor<4x4xf32>
  %1 = core.constant dense<3.0> : tensor<f32>
  %2 = core.broadcast %1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %3 = core.mul %0, %2 : tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[ONCE:.*]] = core.broadcast %[[X]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK: %[[FLAT:.*]] = core.reshape %[[X]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK: return %[[ONCE]], %[[FLAT]]
func.func @broadcasts(%x: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4x1xf32>) {
  %0 = core.broadcast %x, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %1 = core.broadcast %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
  %2 = core.broadcast %x, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @reductions(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x8xf32>
// CHECK: %[[FLAT:.*]] = core.reshape %[[X]] : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
// CHECK: %[[SUM:.*]] = core.reduce sum %[[FLAT]], dims = [0, 1]
// CHECK: return %[[SUM]]
func.func @reductions(%x: tensor<1x4x8xf32>) -> tensor<f32> {
  %0 = core.reduce sum %x, dims = [0, 1] : (tensor<1x4x8xf32>) -> tensor<8xf32>
  %1 = core.reduce sum %0, dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x8xf32>, %[[B:[^:]*]]: tensor<16x8xf32>
// CHECK: %[[DOT:.*]] = core.dot %[[B]], %[[A]] batch [] x [] contract [1] x [1]
// CHECK: return %[[DOT]] : tensor<16x4xf32>
func.func @products(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>) -> tensor<16x4xf32> {
  %0 = core.transpose %b, permutation = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %1 = core.dot %a, %0 batch [] x [] contract [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %2 = core.transpose %1, permutation = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// The scores of grouped attention: sides change places, and what is left of the
// transpose goes to the operand, whose rows stay whole.
// CHECK-LABEL: func.func @scores(
// CHECK-SAME: %[[K:[^:]*]]: tensor<2x16x4x8xf32>, %[[Q:[^:]*]]: tensor<2x32x4x3x8xf32>
// CHECK: %[[T:.*]] = core.transpose %[[Q]], permutation = [0, 3, 2, 1, 4] : (tensor<2x32x4x3x8xf32>) -> tensor<2x3x4x32x8xf32>
// CHECK: %[[DOT:.*]] = core.dot %[[T]], %[[K]] batch [0, 2] x [0, 2] contract [4] x [3]
// CHECK: return %[[DOT]] : tensor<2x4x3x32x16xf32>
func.func @scores(%k: tensor<2x16x4x8xf32>, %q: tensor<2x32x4x3x8xf32>) -> tensor<2x4x3x32x16xf32> {
  %0 = core.dot %k, %q batch [0, 2] x [0, 2] contract [3] x [4] : (tensor<2x16x4x8xf32>, tensor<2x32x4x3x8xf32>) -> tensor<2x4x16x32x3xf32>
  %1 = core.transpose %0, permutation = [0, 1, 4, 3, 2] : (tensor<2x4x16x32x3xf32>) -> tensor<2x4x3x32x16xf32>
  return %1 : tensor<2x4x3x32x16xf32>
}

// Batch dimensions may change places too.
// CHECK-LABEL: func.func @batches(
// CHECK: %[[DOT:.*]] = core.dot %{{.*}}, %{{.*}} batch [1, 0] x [0, 1] contract [2] x [2]
// CHECK-NEXT: return %[[DOT]] : tensor<3x2x16xf32>
func.func @batches(%a: tensor<2x3x8xf32>, %b: tensor<3x2x8x16xf32>) -> tensor<3x2x16xf32> {
  %0 = core.dot %a, %b batch [0, 1] x [1, 0] contract [2] x [2] : (tensor<2x3x8xf32>, tensor<3x2x8x16xf32>) -> tensor<2x3x16xf32>
  %1 = core.transpose %0, permutation = [1, 0, 2] : (tensor<2x3x16xf32>) -> tensor<3x2x16xf32>
  return %1 : tensor<3x2x16xf32>
}

// A transpose that mixes the sides, or would scatter an operand's rows, stays.
// CHECK-LABEL: func.func @no_product_of_that_order(
// CHECK: core.dot
// CHECK: core.transpose %{{.*}}, permutation = [0, 2, 1]
// CHECK: core.dot
// CHECK: core.transpose %{{.*}}, permutation = [1, 0, 2]
func.func @no_product_of_that_order(%a: tensor<4x5x8xf32>, %b: tensor<8x16xf32>, %c: tensor<8x4x5xf32>) -> (tensor<4x16x5xf32>, tensor<5x4x16xf32>) {
  %0 = core.dot %a, %b batch [] x [] contract [2] x [0] : (tensor<4x5x8xf32>, tensor<8x16xf32>) -> tensor<4x5x16xf32>
  %1 = core.transpose %0, permutation = [0, 2, 1] : (tensor<4x5x16xf32>) -> tensor<4x16x5xf32>
  %2 = core.dot %c, %b batch [] x [] contract [0] x [0] : (tensor<8x4x5xf32>, tensor<8x16xf32>) -> tensor<4x5x16xf32>
  %3 = core.transpose %2, permutation = [1, 0, 2] : (tensor<4x5x16xf32>) -> tensor<5x4x16xf32>
  return %1, %3 : tensor<4x16x5xf32>, tensor<5x4x16xf32>
}

// One element under another shape is a reshape, and stays one.
// CHECK-LABEL: func.func @one_element(
// CHECK-NOT: core.broadcast
// CHECK: return
func.func @one_element(%x: tensor<f32>) -> tensor<1x1xf32> {
  %0 = core.broadcast %x, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %1 = core.reshape %0 : (tensor<1xf32>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}
