// RUN: partita-opt %s --partita-simplify | FileCheck %s

// CHECK-LABEL: func.func @slice_of_slice(
// CHECK-NEXT: %[[S:.*]] = core.slice %arg0 [5] to [12] by [6]
// CHECK-NEXT: return %[[S]]
func.func @slice_of_slice(%x: tensor<16xf32>) -> tensor<2xf32> {
  %0 = core.slice %x [1] to [15] by [2] : (tensor<16xf32>) -> tensor<7xf32>
  %1 = core.slice %0 [2] to [6] by [3] : (tensor<7xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @slice_in_one_operand(
// CHECK: %[[S:.*]] = core.slice %arg1 [1] to [3] by [1]
// CHECK: return %{{.*}}, %[[S]]
func.func @slice_in_one_operand(%x: tensor<4xf32>, %y: tensor<3xf32>) -> (tensor<7xf32>, tensor<2xf32>) {
  %0 = core.concatenate %x, %y dim 0 : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
  %1 = core.slice %0 [5] to [7] by [1] : (tensor<7xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<7xf32>, tensor<2xf32>
}

// The halo of a periodic array: two shifted copies and the array itself.
// CHECK-LABEL: func.func @slices_across(
// CHECK: %[[LAST:.*]] = core.slice %arg0 [7] to [8]
// CHECK: %[[BELOW:.*]] = core.slice %arg0 [0] to [7]
// CHECK: %[[DOWN:.*]] = core.concatenate %[[LAST]], %[[BELOW]] dim 0 : {{.*}} -> tensor<8xf32>
// CHECK-NOT: tensor<10xf32>
// CHECK: return %[[DOWN]], %arg0, %{{.*}}
func.func @slices_across(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = core.slice %x [7] to [8] by [1] : (tensor<8xf32>) -> tensor<1xf32>
  %1 = core.slice %x [0] to [1] by [1] : (tensor<8xf32>) -> tensor<1xf32>
  %2 = core.concatenate %0, %x, %1 dim 0 : (tensor<1xf32>, tensor<8xf32>, tensor<1xf32>) -> tensor<10xf32>
  %3 = core.slice %2 [0] to [8] by [1] : (tensor<10xf32>) -> tensor<8xf32>
  %4 = core.slice %2 [1] to [9] by [1] : (tensor<10xf32>) -> tensor<8xf32>
  %5 = core.slice %2 [2] to [10] by [1] : (tensor<10xf32>) -> tensor<8xf32>
  return %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// It is needed all the same.
// CHECK-LABEL: func.func @negative_concatenation_needed(
// CHECK-NEXT: %[[ALL:.*]] = core.concatenate %arg0, %arg1
// CHECK-NEXT: core.slice %[[ALL]] [2] to [6]
func.func @negative_concatenation_needed(%x: tensor<4xf32>, %y: tensor<3xf32>) -> (tensor<7xf32>, tensor<4xf32>) {
  %0 = core.concatenate %x, %y dim 0 : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
  %1 = core.slice %0 [2] to [6] by [1] : (tensor<7xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<7xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @negative_stride_across(
// CHECK: core.concatenate
func.func @negative_stride_across(%x: tensor<4xf32>, %y: tensor<3xf32>) -> tensor<4xf32> {
  %0 = core.concatenate %x, %y dim 0 : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
  %1 = core.slice %0 [0] to [7] by [2] : (tensor<7xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Of a margin of 2 one element is left, of the other none.
// CHECK-LABEL: func.func @slice_of_pad(
// CHECK-NEXT: %[[S:.*]] = core.slice %arg0 [0, 0] to [3, 4] by [1, 1]
// CHECK-NEXT: %[[P:.*]] = core.pad %[[S]], %arg1 low [1, 0] high [0, 1] interior [0, 1]
// CHECK-NEXT: return %[[P]], %arg0
func.func @slice_of_pad(%x: tensor<4x4xf32>, %v: tensor<f32>) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %0 = core.pad %x, %v low [2, 0] high [1, 1] interior [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<7x8xf32>
  %1 = core.slice %0 [1, 0] to [5, 8] by [1, 1] : (tensor<7x8xf32>) -> tensor<4x8xf32>
  %2 = core.pad %x, %v low [1, 0] high [1, 0] interior [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  %3 = core.slice %2 [1, 0] to [5, 4] by [1, 1] : (tensor<6x4xf32>) -> tensor<4x4xf32>
  return %1, %3 : tensor<4x8xf32>, tensor<4x4xf32>
}

// Every second element of a padded array: of the margins there are one and two.
// CHECK-LABEL: func.func @strided_slice_of_pad(
// CHECK-NEXT: %[[S:.*]] = core.slice %arg0 [1] to [4] by [2] : (tensor<5xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[P:.*]] = core.pad %[[S]], %arg1 low [1] high [2] interior [0]
// CHECK-NEXT: return %[[P]]
func.func @strided_slice_of_pad(%x: tensor<5xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = core.pad %x, %v low [2] high [4] interior [0] : (tensor<5xf32>, tensor<f32>) -> tensor<11xf32>
  %1 = core.slice %0 [1] to [11] by [2] : (tensor<11xf32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// Between elements of a padded array: what is cut keeps its gaps.
// CHECK-LABEL: func.func @slice_of_interior_pad(
// CHECK-NEXT: %[[S:.*]] = core.slice %arg0 [1] to [3] by [1] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[P:.*]] = core.pad %[[S]], %arg1 low [2] high [1] interior [2]
// CHECK-NEXT: return %[[P]]
func.func @slice_of_interior_pad(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<7xf32> {
  %0 = core.pad %x, %v low [1] high [0] interior [2] : (tensor<4xf32>, tensor<f32>) -> tensor<11xf32>
  %1 = core.slice %0 [2] to [9] by [1] : (tensor<11xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// CHECK-LABEL: func.func @negative_strided_slice_of_interior_pad(
// CHECK: core.pad
// CHECK: core.slice
func.func @negative_strided_slice_of_interior_pad(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  %0 = core.pad %x, %v low [0] high [0] interior [1] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = core.slice %0 [1] to [6] by [2] : (tensor<7xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
