// A computation that is written for one device of a mesh: each collective, on
// both back-ends.
//
// RUN: partita run %s --backend ref
// RUN: partita run %s --report %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: not partita run %s --mesh none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not partita run %s --mesh y=3 2>&1 | FileCheck %s --check-prefix=SIZE

// CHECK: manual on x=2 x y=2: 4 devices
// REPORT: "kind": "all-reduce"
// NONE: error: works over the devices of a mesh, so the program cannot run with --mesh none
// SIZE: operand 0 of type 'tensor<4x8xf32>' cannot be cut in 6 equal parts along dimension 0

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %0 = stablehlo.iota dim = 0 : tensor<32xf32>
  %in = stablehlo.reshape %0 : (tensor<32xf32>) -> tensor<4x8xf32>
  %1:8 = sdy.manual_computation(%in) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}, {}]>] manual_axes={"x", "y"} (%a: tensor<1x8xf32>) {
    %sum = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %most = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1x8xf32>) -> tensor<1x4xf32>
    %all = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 1, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %cut = stablehlo.reshape %a : (tensor<1x8xf32>) -> tensor<2x4xf32>
    %turned = "stablehlo.all_to_all"(%cut) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
    %next = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %first = "stablehlo.collective_broadcast"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>}> : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %id = stablehlo.partition_id : tensor<ui32>
    %none = stablehlo.constant dense<0> : tensor<ui32>
    %is_first = stablehlo.compare EQ, %id, %none : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %own = "stablehlo.if"(%is_first) ({
      stablehlo.return %a : tensor<1x8xf32>
    }, {
      %minus = stablehlo.negate %a : tensor<1x8xf32>
      stablehlo.return %minus : tensor<1x8xf32>
    }) : (tensor<i1>) -> tensor<1x8xf32>
    %mine = stablehlo.reshape %id : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %sum, %most, %all, %turned, %next, %first, %mine, %own : tensor<1x8xf32>, tensor<1x4xf32>, tensor<4x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1xui32>, tensor<1x8xf32>
  } : (tensor<4x8xf32>) -> (tensor<1x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>, tensor<4xui32>, tensor<4x8xf32>)
  check.expect_eq_const %1#0, dense<[[48.0, 52.0, 56.0, 60.0, 64.0, 68.0, 72.0, 76.0]]> : tensor<1x8xf32>
  check.expect_eq_const %1#1, dense<[[8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]]> : tensor<2x8xf32>
  check.expect_eq_const %1#2, dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0], [8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]]> : tensor<4x8xf32>
  check.expect_eq_const %1#3, dense<[[0.0, 1.0, 2.0, 3.0, 16.0, 17.0, 18.0, 19.0], [8.0, 9.0, 10.0, 11.0, 24.0, 25.0, 26.0, 27.0], [4.0, 5.0, 6.0, 7.0, 20.0, 21.0, 22.0, 23.0], [12.0, 13.0, 14.0, 15.0, 28.0, 29.0, 30.0, 31.0]]> : tensor<4x8xf32>
  check.expect_eq_const %1#4, dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0]]> : tensor<4x8xf32>
  check.expect_eq_const %1#5, dense<[[8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]]> : tensor<2x8xf32>
  check.expect_eq_const %1#6, dense<[0, 1, 2, 3]> : tensor<4xui32>
  check.expect_eq_const %1#7, dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [-8.0, -9.0, -10.0, -11.0, -12.0, -13.0, -14.0, -15.0], [-16.0, -17.0, -18.0, -19.0, -20.0, -21.0, -22.0, -23.0], [-24.0, -25.0, -26.0, -27.0, -28.0, -29.0, -30.0, -31.0]]> : tensor<4x8xf32>
  func.call @nested(%in) : (tensor<4x8xf32>) -> ()
  return
}

// Only x is manual outside, y within; nothing is annotated inside.
func.func private @nested(%in: tensor<4x8xf32>) {
  %0 = sdy.manual_computation(%in) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<2x8xf32>) {
    %same = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<2x8xf32>
    %1 = sdy.manual_computation(%same) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%b: tensor<2x4xf32>) {
      %2 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.subtract %p, %q : tensor<f32>
        %t = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %3 = stablehlo.subtract %2, %b : tensor<2x4xf32>
      sdy.return %3 : tensor<2x4xf32>
    } : (tensor<2x8xf32>) -> tensor<2x8xf32>
    sdy.return %1 : tensor<2x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  check.expect_eq_const %0, dense<[[4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0], [12.0, 13.0, 14.0, 15.0, 8.0, 9.0, 10.0, 11.0], [20.0, 21.0, 22.0, 23.0, 16.0, 17.0, 18.0, 19.0], [28.0, 29.0, 30.0, 31.0, 24.0, 25.0, 26.0, 27.0]]> : tensor<4x8xf32>
  return
}
