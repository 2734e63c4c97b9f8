// RUN: partita-opt --split-input-file --partita-propagate %s | FileCheck %s
// RUN: partita-opt --split-input-file --partita-propagate --partita-propagate %s | FileCheck %s

core.mesh @mesh = <["data"=4, "model"=2]>

// Forward and backward through a product and an elementwise op.
// CHECK-LABEL: func.func @mlp
// CHECK-SAME: %arg1: tensor<16x64xf32> {{.*}}core.sharding = #core.sharding<@mesh, [{}, {"model"}]>
// CHECK-SAME: -> (tensor<32x8xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>})
func.func @mlp(%x: tensor<32x16xf32> {core.sharding = #core.sharding<@mesh, [{"data"}, {}]>} loc("x"),
               %w1: tensor<16x64xf32>,
               %w2: tensor<64x8xf32> {core.sharding = #core.sharding<@mesh, [{"model"}, {}]>} loc("params['w2']"))
    -> tensor<32x8xf32> {
  // CHECK: core.dot {{.*}}core.origins = ["dim 0 \22data\22 from x by core.dot at {{.*}}:16; dim 1 \22model\22 from params['w2'] by core.exp at {{.*}}:17"]
  // CHECK-SAME: core.shardings = [#core.sharding<@mesh, [{"data"}, {"model"}]>]
  %0 = core.dot %x, %w1 batch [] x [] contract [1] x [0] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %1 = core.exp %0 : tensor<32x64xf32>
  // CHECK: core.dot {{.*}}core.shardings = [#core.sharding<@mesh, [{"data"}, {}]>]
  %2 = core.dot %1, %w2 batch [] x [] contract [1] x [0] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32>
  return %2 : tensor<32x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// A constant does not carry a sharding from one of its users to another.
// CHECK-LABEL: func.func @constant
// CHECK-SAME: %arg1: tensor<8xf32>
// CHECK-SAME: core.sharding = #core.sharding<@mesh, [{}]>
func.func @constant(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{?}]>}) {
  // CHECK-COUNT-2: core.constant
  %c = core.constant dense<2.0> : tensor<8xf32>
  %0 = core.mul %a, %c : tensor<8xf32>
  %1 = core.mul %b, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

core.mesh @mesh = <["x"=2, "y"=2]>

// Lower numbers go first: p0 on the argument beats p1, whatever the sizes.
// CHECK-LABEL: func.func @priority
// CHECK: core.add {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {"y"}]>]
func.func @priority(%a: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{"y"}p1, {"x", ?}p1]>},
                    %b: tensor<8x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {?}]>})
    -> tensor<8x8xf32> {
  %0 = core.add %a, %b : tensor<8x8xf32>
  %1 = core.exp %0 : tensor<8x8xf32>
  %2 = core.sharding_constraint %1 <@mesh, [{?}, {"y"}p2]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

core.mesh @mesh = <["x"=2, "y"=2]>

// The larger operand decides. An axis that is explicitly replicated stays out, and
// the only constraint on a value places the value itself.
// CHECK-LABEL: func.func @larger
// CHECK: core.dot {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>]
// CHECK: core.exp {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}]>]
// CHECK: core.sharding_constraint {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}]>]
func.func @larger(%a: tensor<8x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                  %b: tensor<16x64xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>})
    -> tensor<8x64xf32> {
  %0 = core.dot %a, %b batch [] x [] contract [1] x [0] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %1 = core.exp %0 : tensor<8x64xf32>
  %2 = core.sharding_constraint %1 <@mesh, [{}, {?}], replicated={"x"}> : tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// What a loop carries lies alike before, in and after it.
// CHECK-LABEL: func.func @loop
func.func @loop(%a: tensor<8x4xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, %p: tensor<i1>)
    -> tensor<8x4xf32> {
  %zero = core.constant dense<0.0> : tensor<8x4xf32>
  // CHECK: core.while{{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>, #core.sharding<@mesh, []>]
  %0:2 = core.while (%zero, %p) : (tensor<8x4xf32>, tensor<i1>) -> (tensor<8x4xf32>, tensor<i1>) cond {
  ^bb0(%v: tensor<8x4xf32>, %q: tensor<i1>):
    core.yield %q : tensor<i1>
  } body {
  ^bb0(%v: tensor<8x4xf32>, %q: tensor<i1>):
    // CHECK: core.add {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
    %1 = core.add %v, %a : tensor<8x4xf32>
    core.yield %1, %q : tensor<8x4xf32>, tensor<i1>
  }
  return %0#0 : tensor<8x4xf32>
}

// -----

core.mesh @mesh = <["x"=8]>

// A reshape carries an axis over as far as shards stay whole blocks.
// CHECK-LABEL: func.func @reshape
// CHECK-SAME: -> (tensor<4x6xf32> {core.sharding = #core.sharding<@mesh, [{"x":(1)4}, {"x":(4)2}]>})
func.func @reshape(%a: tensor<24xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<4x6xf32> {
  %0 = core.reshape %a : (tensor<24xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Rows and the first weight contest the axis in the first product. Until that
// is decided the second weight cannot have it for itself: the rows are larger.
// CHECK-LABEL: func.func @contest_is_remembered
// CHECK: core.exp {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
// CHECK: core.dot {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
func.func @contest_is_remembered(%a: tensor<64x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                                 %w1: tensor<16x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                                 %w2: tensor<16x16xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) -> tensor<64x16xf32> {
  %0 = core.dot %a, %w1 batch [] x [] contract [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %1 = core.exp %0 : tensor<64x16xf32>
  %2 = core.dot %1, %w2 batch [] x [] contract [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  return %2 : tensor<64x16xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// A layer lies as the stack it is picked from, before products decide; the
// contest of rows and heads goes to the heads, as a larger tensor has them.
// CHECK-LABEL: func.func @picked_layer
// CHECK: core.dynamic_slice {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}, {"x"}]>]
// CHECK: core.dot {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>]
func.func @picked_layer(%a: tensor<32x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                        %stack: tensor<3x16x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {}, {"x"}]>},
                        %keys: tensor<8x512xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>) -> tensor<8x32x512xf32> {
  %z = core.constant dense<0> : tensor<i32>
  %0 = core.dynamic_slice %stack at (%i, %z, %z) sizes [1, 16, 8] : (tensor<3x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
  %w = core.reshape %0 : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
  %1 = core.dot %a, %w batch [] x [] contract [1] x [0] : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %2 = core.dot %1, %keys batch [1] x [0] contract [] x [] : (tensor<32x8xf32>, tensor<8x512xf32>) -> tensor<8x32x512xf32>
  return %2 : tensor<8x32x512xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// The user wants it whole: it is made so from rows that another product gathers,
// rather than split and put together.
// CHECK-LABEL: func.func @whole_by_constraint
// CHECK: core.dot %arg0, %arg1 {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}]>]
// CHECK: core.exp {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {}]>]
func.func @whole_by_constraint(%a: tensor<32x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<16x4xf32>,
                               %heads: tensor<16x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<32x4xf32>, tensor<32x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = core.dot %a, %w batch [] x [] contract [1] x [0] : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %1 = core.neg %0 : tensor<32x4xf32>
  %2 = core.exp %1 : tensor<32x4xf32>
  %3 = core.sharding_constraint %2 <@mesh, [{}, {}]> : tensor<32x4xf32>
  %4 = core.dot %a, %heads batch [] x [] contract [1] x [0] : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  return %3, %4 : tensor<32x4xf32>, tensor<32x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// No one gathers the rows: the small product is put together instead.
// CHECK-LABEL: func.func @negative_whole_by_constraint
// CHECK: core.dot {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
func.func @negative_whole_by_constraint(%a: tensor<32x16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<16x4xf32>) -> tensor<32x4xf32> {
  %0 = core.dot %a, %w batch [] x [] contract [1] x [0] : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %1 = core.neg %0 : tensor<32x4xf32>
  %2 = core.sharding_constraint %1 <@mesh, [{}, {}]> : tensor<32x4xf32>
  return %2 : tensor<32x4xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// A loop runs along the first dimension of what a reshape makes, and of what
// it writes: the second dimension is split, and no iteration communicates.
// CHECK-LABEL: func.func @scanned
// CHECK: core.reshape %arg0 {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>]
// CHECK: core.while{{.*}}core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>, #core.sharding<@mesh, []>, #core.sharding<@mesh, [{"x"}, {}]>]
func.func @scanned(%a: tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %more: tensor<i1>) -> tensor<16xf32> {
  %zero = core.constant dense<0> : tensor<i32>
  %one = core.constant dense<1> : tensor<i32>
  %first = core.constant dense<0.0> : tensor<8x2xf32>
  %0 = core.reshape %a : (tensor<16xf32>) -> tensor<2x8xf32>
  %1:3 = core.while (%0, %zero, %first) : (tensor<2x8xf32>, tensor<i32>, tensor<8x2xf32>) -> (tensor<2x8xf32>, tensor<i32>, tensor<8x2xf32>) cond {
  ^bb0(%xs: tensor<2x8xf32>, %i: tensor<i32>, %ys: tensor<8x2xf32>):
    core.yield %more : tensor<i1>
  } body {
  ^bb0(%xs: tensor<2x8xf32>, %i: tensor<i32>, %ys: tensor<8x2xf32>):
    %x = core.dynamic_slice %xs at (%i, %zero) sizes [1, 8] : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %y = core.transpose %x, permutation = [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
    %next = core.dynamic_update_slice %ys, %y at (%zero, %i) : (tensor<8x2xf32>, tensor<8x1xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %j = core.add %i, %one : tensor<i32>
    core.yield %xs, %j, %next : tensor<2x8xf32>, tensor<i32>, tensor<8x2xf32>
  }
  %2 = core.transpose %1#2, permutation = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %3 = core.reshape %2 : (tensor<2x8xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Without a loop the axis goes to the first dimension, which needs no move.
// CHECK-LABEL: func.func @negative_scanned
// CHECK: core.reshape %arg0 {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
func.func @negative_scanned(%a: tensor<16xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, %i: tensor<i32>) -> tensor<1x8xf32> {
  %zero = core.constant dense<0> : tensor<i32>
  %0 = core.reshape %a : (tensor<16xf32>) -> tensor<2x8xf32>
  %1 = core.dynamic_slice %0 at (%i, %zero) sizes [1, 8] : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// Whichever of two that are as large comes first, the axis goes to the first
// dimension.
// CHECK-LABEL: func.func @either_way_round
// CHECK: core.compare lt {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
// CHECK: core.compare lt {{.*}}core.shardings = [#core.sharding<@mesh, [{"x"}, {}]>]
func.func @either_way_round(%a: tensor<8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<8x8xi1> {
  %0 = core.broadcast %a, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = core.broadcast %a, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %2 = core.compare lt %0, %1 : tensor<8x8xf32>
  %3 = core.compare lt %1, %0 : tensor<8x8xf32>
  %4 = core.or %2, %3 : tensor<8x8xi1>
  return %4 : tensor<8x8xi1>
}

// -----

core.mesh @mesh = <["x"=2]>

// Or to the longest.
// CHECK-LABEL: func.func @longest
// CHECK: core.add {{.*}}core.shardings = [#core.sharding<@mesh, [{}, {"x"}]>]
func.func @longest(%a: tensor<4x8xf32> {core.sharding = #core.sharding<@mesh, [{"x"}, {}]>},
                   %b: tensor<4x8xf32> {core.sharding = #core.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x8xf32> {
  %0 = core.add %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

core.mesh @mesh = <["x"=2]>

// What a manual computation makes lies as it says, whatever is wanted then.
// CHECK-LABEL: func.func @constrained_manual
// CHECK: comm.manual {{.*}}core.shardings = [#core.sharding<@mesh, [{}]>]
func.func @constrained_manual(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.manual %a in [#core.sharding<@mesh, [{}]>] out [#core.sharding<@mesh, [{}]>] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<4xf32>):
    comm.return %x : tensor<4xf32>
  }
  %1 = core.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
  return %1 : tensor<4xf32>
}
