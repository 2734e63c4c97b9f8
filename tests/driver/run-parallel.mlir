// Programs on a grid of devices, checked against values worked by hand.
//
// RUN: split-file %s %t
// RUN: partita run %t/groups.mlir
// RUN: partita run %t/groups.mlir --backend ref
// RUN: partita run %t/ids.mlir
// RUN: not partita run %t/ids.mlir --mesh replica=4,partition=1 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: partita run %t/talk.mlir
// RUN: partita run %t/talk.mlir --backend ref
// RUN: partita run %t/feeds.mlir
// RUN: partita run %t/order.mlir
// RUN: partita run %t/order.mlir --backend ref
// RUN: partita run %t/print.mlir 2>&1 >/dev/null | FileCheck %s --check-prefix=PRINT
// RUN: not partita run %t/wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG

// MESH: ids.mlir:{{.*}}: error: the program runs on a grid of devices of its own; leave out --mesh

//--- groups.mlir
// Groups of different sizes, in an order of their own, with a reducer that is
// no single op; one device is in no group of the broadcast.
func.func @f(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %two = stablehlo.constant dense<2> : tensor<i32>
    %twice = stablehlo.multiply %a, %two : tensor<i32>
    %sum = stablehlo.add %twice, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) {replica_groups = dense<[[3, 0, 1], [2, -1, -1]]> : tensor<2x3xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %1 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<4xi32>
  %3 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>
}
func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %x3 = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %r:16 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) {programs = [[@f], [@f], [@f], [@f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>)
  // 2 * (2 * 7 + 1) + 3 and 2 * (2 * 8 + 2) + 4 in the group of three.
  check.expect_eq_const %r#0, dense<[33, 40]> : tensor<2xi32>
  check.expect_eq_const %r#4, dense<[33, 40]> : tensor<2xi32>
  check.expect_eq_const %r#8, dense<[5, 6]> : tensor<2xi32>
  check.expect_eq_const %r#12, dense<[33, 40]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[5, 6]> : tensor<2xi32>
  check.expect_eq_const %r#5, dense<[5, 6]> : tensor<2xi32>
  check.expect_eq_const %r#9, dense<[5, 6]> : tensor<2xi32>
  check.expect_eq_const %r#13, dense<0> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<[7, 8, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %r#6, dense<[3, 4, 5, 6]> : tensor<4xi32>
  check.expect_eq_const %r#10, dense<[3, 4, 5, 6]> : tensor<4xi32>
  check.expect_eq_const %r#14, dense<[7, 8, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %r#3, dense<[6, 2]> : tensor<2xi32>
  check.expect_eq_const %r#7, dense<[3, 7]> : tensor<2xi32>
  check.expect_eq_const %r#11, dense<[5, 1]> : tensor<2xi32>
  check.expect_eq_const %r#15, dense<[4, 8]> : tensor<2xi32>
  return
}

//--- ids.mlir
// Numbers in groups are replicas, partitions, or devices of the 2x2 grid.
func.func @f() -> (tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  %ten = stablehlo.constant dense<10> : tensor<ui32>
  %tens = stablehlo.multiply %0, %ten : tensor<ui32>
  %sum = stablehlo.add %tens, %1 : tensor<ui32>
  %own = stablehlo.convert %sum : (tensor<ui32>) -> tensor<i32>
  %2 = "stablehlo.all_reduce"(%own) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
  %3 = "stablehlo.all_reduce"(%own) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<i32>) -> tensor<i32>
  %4 = "stablehlo.collective_permute"(%own) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<i32>) -> tensor<i32>
  return %0, %1, %2, %3, %4 : tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<i32>
}
func.func @main() {
  %r:20 = "interpreter.run_parallel"() {programs = [[@f, @f], [@f, @f]]} : () -> (tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<0> : tensor<ui32>
  check.expect_eq_const %r#10, dense<1> : tensor<ui32>
  check.expect_eq_const %r#1, dense<0> : tensor<ui32>
  check.expect_eq_const %r#6, dense<1> : tensor<ui32>
  // The devices have 0 and 1, 10 and 11.
  check.expect_eq_const %r#2, dense<10> : tensor<i32>
  check.expect_eq_const %r#7, dense<12> : tensor<i32>
  check.expect_eq_const %r#12, dense<10> : tensor<i32>
  check.expect_eq_const %r#3, dense<11> : tensor<i32>
  check.expect_eq_const %r#8, dense<11> : tensor<i32>
  check.expect_eq_const %r#4, dense<0> : tensor<i32>
  check.expect_eq_const %r#9, dense<0> : tensor<i32>
  check.expect_eq_const %r#14, dense<0> : tensor<i32>
  check.expect_eq_const %r#19, dense<10> : tensor<i32>
  return
}

//--- talk.mlir
// What the one program gets from the other, it sends back in part.
func.func @ask(%x: tensor<3xf32>, %token: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %1#0, %1#1 : tensor<f32>, !stablehlo.token
}
func.func @answer() -> tensor<3xf32> {
  %token = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%0#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.send"(%sum, %0#1) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return %0#0 : tensor<3xf32>
}
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.5, 4.0]> : tensor<3xf32>
  %token = stablehlo.after_all : !stablehlo.token
  %r:3 = "interpreter.run_parallel"(%x, %token) {programs = [[@answer, @ask]]} : (tensor<3xf32>, !stablehlo.token) -> (tensor<3xf32>, tensor<f32>, !stablehlo.token)
  check.expect_eq_const %r#0, dense<[1.0, 2.5, 4.0]> : tensor<3xf32>
  check.expect_eq_const %r#1, dense<7.5> : tensor<f32>
  return
}

//--- feeds.mlir
func.func @one() -> (tensor<2xi32>, tensor<f32>) {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<0.5> : tensor<f32>
  return %0, %1 : tensor<2xi32>, tensor<f32>
}
func.func @two() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @f(%token: !stablehlo.token) -> (tensor<2xi32>, tensor<f32>) {
  %0:3 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<2xi32>, tensor<f32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#2) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %2 = stablehlo.subtract %1#0, %0#0 : tensor<2xi32>
  %3 = "stablehlo.outfeed"(%2, %1#1) : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %2, %0#1 : tensor<2xi32>, tensor<f32>
}
func.func @main() {
  %token = stablehlo.create_token : !stablehlo.token
  %r:2 = "interpreter.run_parallel"(%token) {infeed = [@one, @two], programs = [[@f]]} : (!stablehlo.token) -> (tensor<2xi32>, tensor<f32>)
  check.expect_eq_const %r#0, dense<2> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<0.5> : tensor<f32>
  return
}

//--- order.mlir
// Groups name devices by their ids, not by their places in the mesh; here no
// axes form them.
sdy.mesh @mesh = <["x"=4], device_ids=[3, 1, 0, 2]>
func.func @main() {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1:2 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<1xi32>) {
    %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>}> : (tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.partition_id : tensor<ui32>
    %4 = stablehlo.reshape %3 : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %2, %4 : tensor<2xi32>, tensor<1xui32>
  } : (tensor<4xi32>) -> (tensor<8xi32>, tensor<4xui32>)
  check.expect_eq_const %1#0, dense<[2, 0, 1, 3, 2, 0, 1, 3]> : tensor<8xi32>
  check.expect_eq_const %1#1, dense<[3, 1, 0, 2]> : tensor<4xui32>
  return
}

//--- print.mlir
func.func @f(%x: tensor<2x2xi32>) {
  interpreter.print %x : tensor<2x2xi32>
  return
}
func.func @main() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %z = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %s = stablehlo.constant dense<true> : tensor<i1>
  interpreter.print %z : tensor<2xf32>
  interpreter.print %s : tensor<i1>
  "interpreter.run_parallel"(%x, %y) {programs = [[@f], [@f]]} : (tensor<2x2xi32>, tensor<2x2xi32>) -> ()
  return
}
// PRINT: print.mlir:10:3: tensor<2xf32> {
// PRINT-NEXT:   [0.5, 2]
// PRINT-NEXT: }
// PRINT-NEXT: print.mlir:11:3: tensor<i1> {1}
// PRINT-NEXT: print.mlir:2:3: tensor<2x2xi32> {
// PRINT-NEXT:   [
// PRINT-NEXT:     [1, 2],
// PRINT-NEXT:     [3, 4]
// PRINT-NEXT:   ]
// PRINT-NEXT: }
// PRINT-NEXT: print.mlir:2:3: tensor<2x2xi32> {
// PRINT-NEXT:   [
// PRINT-NEXT:     [5, 6],
// PRINT-NEXT:     [7, 8]
// PRINT-NEXT:   ]
// PRINT-NEXT: }

//--- wrong.mlir
func.func @f(%x: tensor<1xi32>) -> tensor<1xi32> {
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}
func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<1xi32>
  %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@f], [@f]]} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %r#0, dense<0> : tensor<1xi32>
  check.expect_eq_const %r#1, dense<2> : tensor<1xi32>
  return
}
// WRONG: wrong.mlir:9:3: 'check.expect_eq' does not hold: at [0] 1 instead of 2
