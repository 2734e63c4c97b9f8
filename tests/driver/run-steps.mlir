// A result feeds the argument that it aliases; the report says so step by step.
//
// RUN: partita run %s --backend ref --seed 3 --steps 3 --report %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK: run-steps on x=2: 2 devices
// CHECK: step    1 {{.*}} r1 = [[#FIRST:]]
// CHECK: step    2 {{.*}} r1 = [[#FIRST+1]]
// CHECK: step    3 {{.*}} r1 = [[#FIRST+2]]

// REPORT: "program": "run-steps"
// REPORT: "target": "cpu"
// REPORT: "devices": 2
// REPORT: "name": "import"
// REPORT: "kind": "all-reduce"
// REPORT: "count": 1
// REPORT: "reduction": "sum"
// REPORT: "result_bytes": 4
// REPORT: "wire_bytes": 4
// REPORT: "seconds":
// REPORT: "scalars":
// REPORT: "counters":
// REPORT-NEXT: "all-reduce":
// REPORT-NEXT: "count": 1
// REPORT-NEXT: "result_bytes": 4

core.mesh @mesh = <["x"=2]>
func.func @main(%step: tensor<i32> {core.alias = 1 : i64},
                %a: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>})
    -> (tensor<f32>, tensor<i32>) {
  %one = core.constant dense<1> : tensor<i32>
  %0 = core.reduce sum %a, dims = [0] : (tensor<4xf32>) -> tensor<f32>
  %1 = core.add %step, %one : tensor<i32>
  return %0, %1 : tensor<f32>, tensor<i32>
}
