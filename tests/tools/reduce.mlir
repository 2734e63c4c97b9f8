// What keeps a fault stays, the rest goes: here the tester wants a core.tanh.

// RUN: rm -rf %t && mkdir %t
// RUN: printf '#!/bin/sh\ngrep -q core.tanh "$1" && exit 1\nexit 0\n' > %t/tester && chmod +x %t/tester
// RUN: partita-reduce %s -reduction-tree='traversal-mode=0 test=%t/tester' | FileCheck %s

// CHECK: core.tanh
// CHECK-NOT: @unrelated
// CHECK-NOT: core.exp
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = core.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @unrelated(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = core.exp %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
