// RUN: not partita-opt --partita-propagate --partita-partition=fail-on-remat %s 2>&1 | FileCheck %s

core.mesh @mesh = <["x"=2]>

// CHECK: error: 'core.reshape' needs dimension 0 of operand 0 whole, which lies as [{"x"}]: each device sends 12 bytes
func.func @whole(%a: tensor<6xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}) -> tensor<3x2xf32> {
  %0 = core.reshape %a : (tensor<6xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
