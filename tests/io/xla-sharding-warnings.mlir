// RUN: partita-opt %s --partita-import --split-input-file --verify-diagnostics

// What cannot be kept of XLA's sharding text is not dropped in silence.

// expected-warning@+1 {{mhlo.sharding "{maximal device=0}" is ignored: only {replicated} and {devices=[…]} of tensors are known; annotate the value with sdy.sharding instead}}
func.func @maximal(%a: tensor<8xf32> {mhlo.sharding = "{maximal device=0}"}) {
  // expected-warning@+2 {{mhlo.sharding "{manual}" is ignored: only}}
  // expected-error@+1 {{'stablehlo.custom_call' @SPMDFullToShardShape has no core form yet}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-warning@+1 {{mhlo.sharding "{devices=[2,2]<=[4]}" is ignored: it cuts 2 dimensions of a tensor of rank 1; annotate}}
func.func @rank(%a: tensor<8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) {
  return
}

// -----

// expected-warning@+1 {{mhlo.sharding "{devices=[2]<=[2]}" is ignored: it is for 2 devices, but mesh @mesh has 4; annotate}}
func.func @devices(%a: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return
}
sdy.mesh @mesh = <["x"=4]>

// -----

sdy.mesh @mesh = <["x"=3, "y"=2]>
// expected-warning@+1 {{mhlo.sharding "{devices=[2,3]<=[6]}" is ignored: no axes of mesh @mesh order the devices so; annotate}}
func.func @order(%a: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}) {
  return
}

// -----

// Tiles that are not as many as devices, numbers out of order, text cut short.
// expected-warning@+2 {{mhlo.sharding "{devices=[2]<=[4]}" is ignored}}
// expected-warning@+2 {{mhlo.sharding "{devices=[2]1,0}" is ignored}}
func.func @malformed(%a: tensor<6xf32> {mhlo.sharding = "{devices=[2]<=[4]}"},
                     %b: tensor<6xf32> {mhlo.sharding = "{devices=[2]1,0}"},
                     // expected-warning@+1 {{mhlo.sharding "{devices=[2" is ignored}}
                     %c: tensor<6xf32> {mhlo.sharding = "{devices=[2"},
                     // No text says nothing, and is no fault.
                     %d: tensor<6xf32> {mhlo.sharding = ""}) {
  return
}
