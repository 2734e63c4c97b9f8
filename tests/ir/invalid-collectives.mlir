// RUN: partita-opt %s -split-input-file -verify-diagnostics

// What all collectives share.

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{no mesh named @mesh; declare it with 'core.mesh'}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{axis "z" is not in the mesh}}
  %0 = comm.all_reduce %x over @mesh {"z"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{sub-axis "x":(1)3 does not divide its axis}}
  %0 = comm.all_reduce %x over @mesh {"x":(1)3} sum : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{axis "x" is used twice}}
  %0 = comm.all_reduce %x over @mesh {"x", "x"} sum : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs one result per operand, and at least one}}
  %0:2 = comm.all_reduce %x over @mesh {"x"} sum : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs both 'from' and 'to', or neither}}
  %0 = "comm.all_reduce"(%x) <{axes = #core<axes{"x"}>, from = [], kind = #core<reduction sum>, mesh = @mesh}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs a sharding per operand in 'from' and 'to'}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum from [] to [] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{'from' and 'to' must hold shardings}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum from [1] to [2] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{result 0 should be 'tensor<8xf32>', not 'tensor<4xf32>'}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

// What a collective makes of a sharding, axis by axis.

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{does not apply to operand 0 that is}}
  %0 = comm.all_reduce %x over @mesh {"x"} sum
    from [#core.sharding<@mesh, [{}]>] to [#core.sharding<@mesh, [{}]>] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{leaves operand 0 as}}
  %0 = comm.all_gather %x over @mesh {"x"} dims = [0]
    from [#core.sharding<@mesh, [{"x"}]>] to [#core.sharding<@mesh, [{"y"}]>] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Dimensions.

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs one dimension per operand, not 2 for 1}}
  %0 = comm.all_gather %x over @mesh {"x"} dims = [0, 0] : (tensor<8xf32>) -> tensor<32xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{dimension 1 is not in operand 0}}
  %0 = comm.all_gather %x over @mesh {"x"} dims = [1] : (tensor<8xf32>) -> tensor<32xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<6xf32>) {
  // expected-error @below {{dimension 0 of size 6 cannot be cut in 4 equal parts}}
  %0 = comm.reduce_scatter %x over @mesh {"x"} sum dims = [0] : (tensor<6xf32>) -> tensor<2xf32>
  return
}

// -----

// Permutations.

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs as many sources as targets}}
  %0 = comm.permute %x over @mesh {"x"} sources = [0, 1] targets = [1] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{device 8 is not in the mesh or named twice}}
  %0 = comm.permute %x over @mesh {"x"} sources = [0] targets = [8] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{device 1 is not in the mesh or named twice}}
  %0 = comm.permute %x over @mesh {"x"} sources = [1, 1] targets = [0, 2] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{device 0 does not hold what device 3 needs of operand 0}}
  %0 = comm.permute %x over @mesh {"x", "y"} sources = [0] targets = [3]
    from [#core.sharding<@mesh, [{"x"}]>] to [#core.sharding<@mesh, [{"y"}]>] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Slices and indices.

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{dimension 1 is not in 'tensor<8xf32>'}}
  %0 = comm.slice %x over @mesh {"x"} dim = 1 : (tensor<8xf32>) -> tensor<2xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs one sharding in 'from' and one in 'to'}}
  %0 = comm.slice %x over @mesh {"x"} dim = 0 from [] to [] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<6xf32>) {
  // expected-error @below {{dimension 0 of size 6 cannot be cut in 4 equal parts}}
  %0 = comm.slice %x over @mesh {"x"} dim = 0 : (tensor<6xf32>) -> tensor<2xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{result should be 'tensor<2xf32>', not 'tensor<4xf32>'}}
  %0 = comm.slice %x over @mesh {"x"} dim = 0 : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main() {
  // expected-error @below {{the result must be tensor<i32>, not 'tensor<i64>'}}
  %0 = comm.axis_index over @mesh {"x"} : tensor<i64>
  return
}

// -----

core.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{or cannot reduce 'f32': it takes integers}}
  %0 = comm.all_reduce %x over @mesh {"x"} or : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Computations of one device.

core.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{is written for parts 'tensor<4xf32>' of operand 0, which on this mesh are 'tensor<2xf32>'; use the mesh that the program was written for}}
  comm.manual %x in [#core.sharding<@mesh, [{"x"}]>] out [] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    comm.return
  }
  return
}

// -----

core.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<6xf32>) {
  // expected-error @below {{operand 0 of type 'tensor<6xf32>' cannot be cut in 4 equal parts along dimension 0}}
  comm.manual %x in [#core.sharding<@mesh, [{"x"}]>] out [] : (tensor<6xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    comm.return
  }
  return
}

// -----

core.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{'in' and 'out' must hold shardings}}
  comm.manual %x in [1] out [] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    comm.return
  }
  return
}

// -----

func.func @main(%x: tensor<8xf32>) {
  // expected-error @below {{needs a sharding and a value of the body for each operand and result}}
  comm.manual %x in [] out [] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    comm.return
  }
  return
}
