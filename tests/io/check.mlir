// RUN: partita-opt %s --mlir-print-op-generic | partita-opt | FileCheck %s
// RUN: partita-opt %s | partita-opt | FileCheck %s

// CHECK-LABEL: func.func @checks
func.func @checks(%x: tensor<2xf32>) {
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<2xf32>
  check.expect_eq %x, %x : tensor<2xf32>
  // CHECK: check.expect_eq_const %{{.*}}, dense<1.000000e+00> : tensor<2xf32>
  check.expect_eq_const %x, dense<1.0> : tensor<2xf32>
  // CHECK: check.expect_almost_eq %{{.*}}, %{{.*}}, tolerance = 1.000000e-02 : tensor<2xf32>
  check.expect_almost_eq %x, %x, tolerance = 1.0e-2 : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<1.000000e+00> : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %x, %x, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  // CHECK: check.expect_serialized_eq %{{.*}}, probe_id = "p", iter = 2 : tensor<2xf32>
  check.expect_serialized_eq %x, probe_id = "p", iter = 2 : tensor<2xf32>
  // CHECK: "interpreter.run_parallel"(%{{.*}}, %{{.*}}) <{programs = {{\[\[}}@f], [@f]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@f], [@f]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK: interpreter.print %{{.*}} : tensor<2xf32>
  interpreter.print %x : tensor<2xf32>
  // CHECK: interpreter.probe %{{.*}}, probe_id = "p" : tensor<2xf32>
  %1 = interpreter.probe %x, probe_id = "p" : tensor<2xf32>
  return
}
