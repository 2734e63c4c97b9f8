// RUN: partita-opt %s --partita-plan-memory=memory-limit=100 -verify-diagnostics

// expected-error@below {{the program needs 128 bytes per device, above the limit of 100 bytes; split it over more devices, or raise --memory-limit}}
// expected-note@below {{arguments take 64, results 64, temporaries 0, constants 0 bytes}}
func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  return %a : tensor<16xf32>
}
