// Arguments: an archive or a file each; whatever does not fit is refused, and
// no results are written.
//
// RUN: rm -rf %t && %{python} %S/inputs/make_arrays.py %t
// RUN: partita run %s --backend ref --inputs %t/good.npz --out %t/r.npz | FileCheck %s --check-prefix=GOOD
// RUN: partita run %s --backend ref --inputs %t/a0.npy,%t/a1.npy | FileCheck %s --check-prefix=GOOD
// RUN: rm %t/r.npz
// RUN: not partita run %s --backend ref --inputs %t/few.npz --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not partita run %s --backend ref --inputs %t/many.npz --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=TOOMANY
// RUN: not partita run %s --backend ref --inputs %t/a0.npy --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=FILES
// RUN: not partita run %s --backend ref --inputs %t/shape.npz --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not partita run %s --backend ref --inputs %t/dtype.npz --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not partita run %s --backend ref --inputs %t/corrupt.npz --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=CORRUPT
// RUN: not partita run %s --backend ref --inputs %t/none.npz --out %t/r.npz 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sh -c 'test ! -e %t/r.npz'

// GOOD: run-inputs on 1 device
// GOOD: step    1 {{.*}} ms  r1 = 10.0
// FEW: error: {{.*}}few.npz holds no array 'a1' for argument 1 (arg1), a tensor<2xi32>; it holds 1 arrays and @main takes 2 arguments
// TOOMANY: error: {{.*}}many.npz holds 3 arrays, but @main takes 2 arguments
// FILES: error: --inputs holds 1 arrays, but @main takes 2 arguments
// SHAPE: error: argument 0 (arg0) is a tensor<3xf32> in the inputs, but @main takes a tensor<4xf32>
// DTYPE: error: argument 0 (arg0): cannot read member 'a0' of {{.*}}: stored element type <f8, expected f32
// CORRUPT: error: {{.*}}corrupt.npz
// NONE: error: {{.*}}none.npz

func.func @main(%a: tensor<4xf32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<f32>) {
  %0 = core.reduce sum %a, dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %b, %0 : tensor<2xi32>, tensor<f32>
}
