// RUN: partita explain %s --json %t.json --html %t.html | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=HTML < %t.html

// CHECK: explain: mesh x=2, 2 devices, target cpu
// CHECK: Shardings
// CHECK: arg0 tensor<64xf32> [{"x"}] 0
// CHECK: result1 tensor<f32> []
// CHECK: Collectives, per device and step
// CHECK: all-reduce sum x 1 4 B 4 B {{.*}} {{.*}}explain.mlir:[[#@LINE+24]]
// CHECK-NEXT: because {{.*}}partial values
// CHECK: Memory
// CHECK: predicted_peak_bytes
// CHECK: Timeline, per device and step
// CHECK-NEXT: what over times ops arithmetic result price source
// CHECK-NEXT: compute 1 5 160.0 flop {{.*}}explain.mlir:[[#@LINE+14]]
// CHECK-NEXT: all-reduce x 1 4 B {{.*}} {{.*}}explain.mlir:[[#@LINE+17]]
// CHECK: Compilation
// CHECK: memory
// CHECK: all

// JSON: "timeline":
// JSON: "predicted_peak_bytes":
// HTML: <h2>Collectives, per device and step</h2>
// HTML: all-reduce sum

core.mesh @mesh = <["x"=2]>
func.func @main(%w: tensor<64xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>, core.alias = 0 : i64})
    -> (tensor<64xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, tensor<f32>) {
  %0 = core.neg %w : tensor<64xf32>
  %1 = core.exp %0 : tensor<64xf32>
  %2 = core.mul %1, %0 : tensor<64xf32>
  %3 = core.add %2, %0 : tensor<64xf32>
  %4 = core.reduce sum %w, dims = [0] : (tensor<64xf32>) -> tensor<f32>
  return %3, %4 : tensor<64xf32>, tensor<f32>
}
