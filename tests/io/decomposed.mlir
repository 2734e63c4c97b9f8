// Ops that import takes apart compute what StableHLO says, on one device and
// on several.
//
// RUN: partita run %s --backend ref
// RUN: partita run %s
// RUN: partita run %s --mesh none
// RUN: partita run %s --mesh x=3

sdy.mesh @mesh = <["x"=2]>

// The first of the greatest elements and its index.
func.func private @argmax(%x: tensor<4x5xf32>) {
  %i = stablehlo.iota dim = 1 : tensor<4x5xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    %6 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.select %5, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %0#0, dense<[5.0, 7.0, 9.0, 2.0]> : tensor<4xf32>
  check.expect_eq_const %0#1, dense<[4, 0, 2, 1]> : tensor<4xi32>
  return
}

// Neither commutative nor a single op, and through a call.
func.func private @least(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.multiply %a, %c : tensor<i32>
  %1 = stablehlo.minimum %0, %b : tensor<i32>
  return %1 : tensor<i32>
}
func.func private @by_call(%x: tensor<3x2xi32>) {
  %init = stablehlo.constant dense<100> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<3x2xi32>, tensor<i32>) -> tensor<3xi32>
  reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1 = func.call @least(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  check.expect_eq_const %0, dense<[2, 4, 6]> : tensor<3xi32>
  return
}

// Running sums, and windows with strides, dilations and padding.
func.func private @windows(%x: tensor<4x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 5>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  check.expect_eq_const %sums, dense<[[1.0, 3.0, 6.0, 10.0, 15.0], [7.0, 13.0, 18.0, 22.0, 25.0], [0.0, 8.0, 17.0, 26.0, 34.0], [-1.0, 1.0, 3.0, 5.0, 3.0]]> : tensor<4x5xf32>
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %most = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<2x4xf32>
  check.expect_eq_const %most, dense<[[7.0, 6.0, 5.0, 4.0], [7.0, 6.0, 5.0, 4.0]]> : tensor<2x4xf32>
  return
}

// Ties keep their order; the second list follows the first.
func.func private @sorted(%x: tensor<4x5xf32>) {
  %i = stablehlo.iota dim = 1 : tensor<4x5xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %m: tensor<i32>, %n: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  check.expect_eq_const %0#0, dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [3.0, 4.0, 5.0, 6.0, 7.0], [0.0, 8.0, 8.0, 9.0, 9.0], [-2.0, -1.0, 2.0, 2.0, 2.0]]> : tensor<4x5xf32>
  check.expect_eq_const %0#1, dense<[[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [0, 1, 4, 2, 3], [4, 0, 1, 2, 3]]> : tensor<4x5xi32>
  %v, %k = chlo.top_k(%x, k = 2) : tensor<4x5xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  check.expect_eq_const %v, dense<[[5.0, 4.0], [7.0, 6.0], [9.0, 9.0], [2.0, 2.0]]> : tensor<4x2xf32>
  check.expect_eq_const %k, dense<[[4, 3], [0, 1], [2, 3], [1, 2]]> : tensor<4x2xi32>
  return
}

// Where each window has its first greatest element.
func.func private @pool(%x: tensor<4x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x5xf32>
  check.expect_eq_const %0, dense<[[0.0, 0.0, 0.0, 0.0, 2.0], [1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x5xf32>
  return
}

// Two feature groups, padding, strides, a dilated image and kernel; and a
// kernel larger than the result.
func.func private @convolved(%x: tensor<4x5xf32>) {
  %image = stablehlo.reshape %x : (tensor<4x5xf32>) -> tensor<2x5x2xf32>
  %k = stablehlo.constant dense<[[[1.0, 10.0]], [[2.0, 20.0]]]> : tensor<2x1x2xf32>
  %0 = stablehlo.convolution(%image, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, f, 0], window = {stride = [3], pad = [[1, 0]], lhs_dilate = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x5x2xf32>, tensor<2x1x2xf32>) -> tensor<2x2x3xf32>
  check.expect_eq_const %0, dense<[[[0.0, 13.0, 0.0], [0.0, 180.0, 0.0]], [[0.0, 25.0, 0.0], [0.0, 70.0, 0.0]]]> : tensor<2x2x3xf32>
  %wide = stablehlo.constant dense<[[[1.0]], [[-1.0]], [[2.0]], [[0.5]]]> : tensor<4x1x1xf32>
  %rows = stablehlo.reshape %x : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
  %1 = stablehlo.convolution(%rows, %wide) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x5x1xf32>, tensor<4x1x1xf32>) -> tensor<4x2x1xf32>
  check.expect_eq_const %1, dense<[[[5.5], [8.0]], [[14.5], [12.0]], [[16.0], [21.0]], [[3.5], [1.0]]]> : tensor<4x2x1xf32>
  return
}

func.func private @transformed(%x: tensor<4x5xf32>) {
  %half = stablehlo.fft %x, type = RFFT, length = [5] : (tensor<4x5xf32>) -> tensor<4x3xcomplex<f32>>
  %back = stablehlo.fft %half, type = IRFFT, length = [5] : (tensor<4x3xcomplex<f32>>) -> tensor<4x5xf32>
  check.expect_almost_eq %back, %x, tolerance = 1.0e-6 : tensor<4x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4x5xf32>
  %c = stablehlo.complex %x, %zero : tensor<4x5xcomplex<f32>>
  %all = stablehlo.fft %c, type = FFT, length = [4, 5] : (tensor<4x5xcomplex<f32>>) -> tensor<4x5xcomplex<f32>>
  %first = stablehlo.slice %all [0:1, 0:1] : (tensor<4x5xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  check.expect_almost_eq_const %first, dense<[[(77.0, 0.0)]]> : tensor<1x1xcomplex<f32>>
  %same = stablehlo.fft %all, type = IFFT, length = [4, 5] : (tensor<4x5xcomplex<f32>>) -> tensor<4x5xcomplex<f32>>
  check.expect_almost_eq %same, %c, tolerance = 1.0e-6 : tensor<4x5xcomplex<f32>>
  return
}

func.func private @next() {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, -1.0, 2.0, 0x7FC00000]> : tensor<6xf32>
  %y = stablehlo.constant dense<[2.0, 0.0, -1.0, -2.0, 2.0, 1.0]> : tensor<6xf32>
  %0 = chlo.next_after %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  check.expect_eq_const %0, dense<[0x3F800001, 0x3F7FFFFF, 0x80000001, 0xBF800001, 2.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// log |gamma| and its derivative, also below 1/2 and at poles.
func.func private @gamma() {
  %x = stablehlo.constant dense<[0.5, 1.0, 5.0, -0.5, -2.75, 40.0, 0.0, -3.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  %0 = chlo.lgamma %x : tensor<10xf64> -> tensor<10xf64>
  %1 = stablehlo.constant dense<[0.5723649429247004, 0.0, 3.178053830347945, 1.265512123484645, 0.004487897535955687, 106.63176026064346, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  check.expect_almost_eq %0, %1, tolerance = 1.0e-13 : tensor<10xf64>
  %2 = chlo.digamma %x : tensor<10xf64> -> tensor<10xf64>
  %3 = stablehlo.constant dense<[-1.9635100260214282, -0.5772156649015389, 1.506117668431794, 0.036489973978571885, -1.959055264977994, 3.6763273740348423, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  check.expect_almost_eq %2, %3, tolerance = 1.0e-13 : tensor<10xf64>
  %4 = stablehlo.convert %x : (tensor<10xf64>) -> tensor<10xf32>
  %5 = chlo.lgamma %4 : tensor<10xf32> -> tensor<10xf32>
  %6 = stablehlo.convert %1 : (tensor<10xf64>) -> tensor<10xf32>
  check.expect_almost_eq %5, %6, tolerance = 1.0e-6 : tensor<10xf32>
  return
}

// Known answers of the Random123 library: zeros, and all bits set, where the
// counter overflows.
func.func private @random() {
  %zeros = stablehlo.constant dense<0> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %zeros, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  check.expect_eq_const %0#0, dense<[0, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0x6B200159, 0x99BA4EFE]> : tensor<2xui32>
  %1:2 = stablehlo.rng_bit_generator %zeros, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  check.expect_eq_const %1#1, dense<0x99BA4EFE6B200159> : tensor<ui64>
  %ones = stablehlo.constant dense<0xFFFFFFFFFFFFFFFF> : tensor<3xui64>
  %2:2 = stablehlo.rng_bit_generator %ones, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui32>)
  check.expect_eq_const %2#0, dense<[0xFFFFFFFFFFFFFFFF, 0, 0]> : tensor<3xui64>
  check.expect_eq_const %2#1, dense<[0x408F276D, 0x41C83B0E, 0xA20BC7C6]> : tensor<3xui32>
  %none = stablehlo.constant dense<0> : tensor<3xui64>
  %3:2 = stablehlo.rng_bit_generator %none, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<1x2xui64>)
  check.expect_eq_const %3#0, dense<[0, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %3#1, dense<[[0xE169C58D6627E8D5, 0x9B00DBD8BC57AC4C]]> : tensor<1x2xui64>
  return
}

func.func @main() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [7.0, 6.0, 5.0, 4.0, 3.0], [0.0, 8.0, 9.0, 9.0, 8.0], [-1.0, 2.0, 2.0, 2.0, -2.0]]> : tensor<4x5xf32>
  %x = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x5xf32>
  func.call @argmax(%x) : (tensor<4x5xf32>) -> ()
  func.call @windows(%x) : (tensor<4x5xf32>) -> ()
  func.call @sorted(%x) : (tensor<4x5xf32>) -> ()
  func.call @pool(%x) : (tensor<4x5xf32>) -> ()
  func.call @convolved(%x) : (tensor<4x5xf32>) -> ()
  func.call @transformed(%x) : (tensor<4x5xf32>) -> ()
  func.call @next() : () -> ()
  func.call @gamma() : () -> ()
  func.call @random() : () -> ()
  %pairs = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  func.call @by_call(%pairs) : (tensor<3x2xi32>) -> ()
  return
}
