// RUN: rm -rf %t && partita compile %s --to simplify --dump-dir %t/dumps
// RUN: FileCheck %s < %t/dumps/00-import.mlir --check-prefix=IMPORT
// RUN: FileCheck %s < %t/dumps/01-simplify.mlir
// A dump is a source of the next phase.
// RUN: partita compile %t/dumps/00-import.mlir --from simplify --to simplify | FileCheck %s

// IMPORT: call @f
// CHECK-NOT: call @f
// CHECK: core.neg
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = core.neg %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
