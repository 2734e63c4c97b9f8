// An op whose location has a name and no position is told by its line here.
//
// RUN: not partita run %s 2>&1 | FileCheck %s

// CHECK: places.mlir:[[#@LINE+1]]:1: error: argument 0 of @main has type 'tuple<>'
func.func @main(%t: tuple<> loc(unknown), %x: tensor<4xf32> loc("x")) {
  // CHECK: places.mlir:[[#@LINE+1]]:3: error: lucky: 'stablehlo.custom_call' @foo has no core form yet
  stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> () loc("lucky")
  // CHECK: elsewhere.py:7:1: error: 'stablehlo.custom_call' @bar has no core form yet
  stablehlo.custom_call @bar(%x) : (tensor<4xf32>) -> () loc("elsewhere.py":7:1)
  return
}
