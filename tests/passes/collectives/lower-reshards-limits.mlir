// RUN: partita-opt --partita-lower-reshards="fail-on-remat max-reshard-bytes=100" --split-input-file --verify-diagnostics %s
// RUN: partita-opt --partita-lower-reshards --split-input-file %s 2>&1 | FileCheck %s

// Shards of 2 with 65 devices, of 8 with 13: too many devices to exchange boxes.
core.mesh @mesh = <["x"=13, "y"=5]>
// CHECK: remark: a reshard from {{.*}} gathers the whole 'tensor<99xi8>'
// CHECK-LABEL: @remat
// CHECK: comm.all_gather
func.func @remat(%a: tensor<99xi8>) -> tensor<99xi8> {
  // expected-error @below {{a reshard from #core.sharding<@mesh, [{"x", "y"}]> to #core.sharding<@mesh, [{"x"}]> gathers the whole 'tensor<99xi8>' on every device, which sends 128 bytes a step (argument 0 lies as [{"x", "y"}]; func.return needs [{"x"}]); let both shardings split it evenly, or into as many parts}}
  %0 = comm.reshard %a from <@mesh, [{"x", "y"}]> to <@mesh, [{"x"}]> : tensor<99xi8>
  return %0 : tensor<99xi8>
}

// -----

core.mesh @mesh = <["x"=2]>
// CHECK-LABEL: @bytes
// CHECK: comm.all_gather
func.func @bytes(%a: tensor<52xf32>) -> tensor<52xf32> {
  // expected-error @below {{a device sends 104 bytes a step, more than the limit of 100 (argument 0 lies as [{"x"}]; func.return needs [{}]); annotate one side like the other, or raise --max-reshard-bytes}}
  %0 = comm.reshard %a from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<52xf32>
  return %0 : tensor<52xf32>
}

// -----

// Twenty bytes an iteration.
core.mesh @mesh = <["x"=2]>
func.func @in_a_loop(%a: tensor<10xf32>) -> tensor<10xf32> {
  %zero = core.constant dense<0> : tensor<i32>
  %0:2 = core.while (%zero, %a) : (tensor<i32>, tensor<10xf32>) -> (tensor<i32>, tensor<10xf32>) cond {
  ^bb0(%i: tensor<i32>, %x: tensor<10xf32>):
    %n = core.constant dense<6> : tensor<i32>
    %go = core.compare lt %i, %n : tensor<i32>
    core.yield %go : tensor<i1>
  } body {
  ^bb0(%i: tensor<i32>, %x: tensor<10xf32>):
    %one = core.constant dense<1> : tensor<i32>
    %j = core.add %i, %one : tensor<i32>
    // expected-error @below {{a device sends 120 bytes a step}}
    %y = comm.reshard %x from <@mesh, [{"x"}]> to <@mesh, [{}]> : tensor<10xf32>
    core.yield %j, %y : tensor<i32>, tensor<10xf32>
  }
  return %0#1 : tensor<10xf32>
}
