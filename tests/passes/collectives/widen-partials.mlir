// RUN: partita-opt --partita-widen-partials %s | FileCheck %s

core.mesh @mesh = <["x"=2]>

// The parts of a product are rounded when they have been added up.
// CHECK-LABEL: @product
// CHECK: %[[PART:.*]] = core.dot {{.*}}tensor<4xf32>
// CHECK: %[[SUM:.*]] = comm.reshard %[[PART]] from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<4xf32>
// CHECK: %[[ROUNDED:.*]] = core.convert %[[SUM]] {core.shardings = [#core.sharding<@mesh, [{}]>]} : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK: return %[[ROUNDED]]
func.func @product(%a: tensor<4x8xbf16> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>},
                   %b: tensor<8xbf16> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<4xbf16> {
  %0 = core.dot %a, %b batch [] x [] contract [1] x [0] {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]} : (tensor<4x8xbf16>, tensor<8xbf16>) -> tensor<4xbf16>
  %1 = comm.reshard %0 from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// So are those of a sum.
// CHECK-LABEL: @sum
// CHECK: %[[WIDE:.*]] = core.convert %arg0 {core.shardings = [#core.sharding<@mesh, [{"x"}]>]} : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK: %[[PART:.*]] = core.reduce sum %[[WIDE]]
// CHECK: comm.reshard %[[PART]] {{.*}} : tensor<f32>
func.func @sum(%a: tensor<8xbf16> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<bf16> {
  %0 = core.reduce sum %a, dims = [0] {core.shardings = [#core.sharding<@mesh, [], unreduced={"x"}>]} : (tensor<8xbf16>) -> tensor<bf16>
  %1 = comm.reshard %0 from <@mesh, [], unreduced={"x"}> to <@mesh, []> : tensor<bf16>
  return %1 : tensor<bf16>
}

// Parts that are added up in single precision are never rounded.
// CHECK-LABEL: @converted
// CHECK: %[[PART:.*]] = core.dot {{.*}}tensor<2x2xf32>
// CHECK: %[[TURNED:.*]] = core.transpose %[[PART]]{{.*}}tensor<2x2xf32>
// CHECK: %[[FLAT:.*]] = core.reshape %[[TURNED]]{{.*}}tensor<4xf32>
// CHECK-NOT: core.convert
// CHECK: core.add %[[FLAT]], %arg2
func.func @converted(%a: tensor<2x8xbf16> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>},
                     %b: tensor<8x2xbf16> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                     %c: tensor<4xf32> {core.sharding = #core.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<4xf32> {
  %0 = core.dot %a, %b batch [] x [] contract [1] x [0] {core.shardings = [#core.sharding<@mesh, [{}, {}], unreduced={"x"}>]} : (tensor<2x8xbf16>, tensor<8x2xbf16>) -> tensor<2x2xbf16>
  %1 = core.transpose %0, permutation = [1, 0] {core.shardings = [#core.sharding<@mesh, [{}, {}], unreduced={"x"}>]} : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %2 = core.reshape %1 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]} : (tensor<2x2xbf16>) -> tensor<4xbf16>
  %3 = core.convert %2 {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]} : (tensor<4xbf16>) -> tensor<4xf32>
  %4 = core.add %3, %c {core.shardings = [#core.sharding<@mesh, [{}], unreduced={"x"}>]} : tensor<4xf32>
  %5 = comm.reshard %4 from <@mesh, [{}], unreduced={"x"}> to <@mesh, [{}]> : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// Single precision stays, as do parts that something else needs too.
// CHECK-LABEL: @others
// CHECK-NOT: core.convert
func.func @others(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>},
                  %b: tensor<8xbf16> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<bf16>, tensor<bf16>) {
  %0 = core.reduce sum %a, dims = [0] {core.shardings = [#core.sharding<@mesh, [], unreduced={"x"}>]} : (tensor<8xf32>) -> tensor<f32>
  %1 = comm.reshard %0 from <@mesh, [], unreduced={"x"}> to <@mesh, []> : tensor<f32>
  %2 = core.reduce sum %b, dims = [0] {core.shardings = [#core.sharding<@mesh, [], unreduced={"x"}>]} : (tensor<8xbf16>) -> tensor<bf16>
  %3 = comm.reshard %2 from <@mesh, [], unreduced={"x"}> to <@mesh, []> : tensor<bf16>
  return %1, %2, %3 : tensor<f32>, tensor<bf16>, tensor<bf16>
}
