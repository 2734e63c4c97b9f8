// Checks hold on every back-end; a breach says where and how far.
//
// RUN: split-file %s %t
// RUN: partita run %t/holds.mlir --backend ref --out %t.npz | FileCheck %s
// RUN: partita run %t/holds.mlir | FileCheck %s
// RUN: not partita run %t/equal.mlir --backend ref 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not partita run %t/equal.mlir 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not partita run %t/almost.mlir 2>&1 | FileCheck %s --check-prefix=ALMOST
// RUN: not partita run %t/close.mlir 2>&1 | FileCheck %s --check-prefix=CLOSE
// RUN: not partita run %t/loop.mlir 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not partita compile %t/holds.mlir -o %t.partita 2>&1 | FileCheck %s --check-prefix=PACKAGE

// CHECK: holds on x=2: 2 devices
// CHECK: step    1 {{.*}} r0 = 6.0
// CHECK-NOT: r1
// PACKAGE: holds.mlir:{{.*}}: a package holds no 'check.expect_eq'; run the source instead

//--- holds.mlir
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main() -> tensor<f32> {
    %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
    %2 = stablehlo.add %1, %1 : tensor<4xf32>
    check.expect_eq_const %2, dense<[2.0, 4.0, 6.0, 0x7FC00000]> : tensor<4xf32>
    check.expect_almost_eq_const %2, dense<[2.0001, 4.0, 6.0, 0x7FC00000]> : tensor<4xf32>
    %3 = func.call @close(%2) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.slice %3 [2:3] : (tensor<4xf32>) -> tensor<1xf32>
    %5 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
    return %5 : tensor<f32>
  }
  func.func private @close(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<[2.00000048, 4.0, 6.0, 0x7FC00000]> : tensor<4xf32>
    check.expect_close %x, %0, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
    return %x : tensor<4xf32>
  }
}

//--- equal.mlir
// EQUAL: equal.mlir:5:3: 'check.expect_eq' does not hold: at [1, 0] 0 instead of -0; 2 of 4 elements differ
func.func @main() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 3.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [-0.0, 4.0]]> : tensor<2x2xf32>
  check.expect_eq %0, %1 : tensor<2x2xf32>
  return
}

//--- almost.mlir
// ALMOST: 'check.expect_almost_eq' does not hold: at [1] (1,2) instead of (1,2.5); 1 of 2 elements differ
func.func @main() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0)]> : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(1.0, 2.00001), (1.0, 2.5)]> : tensor<2xcomplex<f64>>
  return
}

//--- close.mlir
// CLOSE: 'check.expect_close' does not hold: at [1] 0 instead of 3.00000065e-39; 1 of 2 elements differ
func.func @main() {
  %0 = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.401e-45, 3.0e-39]> : tensor<2xf32>
  check.expect_close %0, %1, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  return
}

//--- loop.mlir
// LOOP: loop.mlir:5:5: error: 'check.expect_eq' op lies in a loop or a branch, where nothing is checked or printed; take the results of the loop or branch instead
func.func @main(%p: tensor<i1>) {
  %0 = "stablehlo.if"(%p) ({
    %c = stablehlo.constant dense<1> : tensor<i32>
    check.expect_eq %c, %c : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }, {
    %c = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
