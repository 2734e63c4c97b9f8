// A package runs without its source; damage is found before anything runs.
//
// RUN: rm -rf %t && mkdir %t && partita compile %s -o %t/p.partita --report %t/c.json
// RUN: partita run %t/p.partita --seed 1 --steps 2 --report %t/r.json | FileCheck %s
// RUN: %{python} %S/inputs/same_memory.py %t/r.json
// RUN: sh -c 'head -c 100 %t/p.partita > %t/short.partita'
// RUN: not partita run %t/short.partita 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %{python} %S/inputs/flip_byte.py %t/p.partita %t/corrupt.partita
// RUN: not partita run %t/corrupt.partita 2>&1 | FileCheck %s --check-prefix=CORRUPT
// RUN: %{python} %S/inputs/damage.py "partita run {}" %t/p.partita 40 40
// RUN: not partita run %t/p.partita --backend ref 2>&1 | FileCheck %s --check-prefix=REF
// RUN: not partita run %t/p.partita --mesh x=4 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: not partita compile %s --memory-limit 100 -o %t/limited.partita 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: sh -c 'test ! -e %t/limited.partita'
// RUN: not partita compile %s --max-reshard-bytes 1 -o %t/limited.partita 2>&1 | FileCheck %s --check-prefix=RESHARD
// RUN: sh -c 'test ! -e %t/limited.partita'

// CHECK: package on x=2: 2 devices
// CHECK: step    2
// SHORT: error: {{.*}}short.partita
// CORRUPT: error: {{.*}}corrupt.partita
// REF: error: {{.*}}p.partita is a package, which only --backend cpu can run
// MESH: error: {{.*}}p.partita is a package, whose mesh is fixed; compile the source again with --mesh
// LIMIT: error: the program needs {{[0-9]+}} bytes per device, above the limit of 100 bytes
// LIMIT: note: arguments take
// RESHARD: error: by a reshard from {{.*}} a device sends 4 bytes a step, more than the limit of 1

core.mesh @mesh = <["x"=2]>
func.func @main(%w: tensor<64xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>, core.alias = 0 : i64})
    -> (tensor<64xf32> {core.sharding = #core.sharding<@mesh, [{"x"}]>}, tensor<f32>) {
  %0 = core.neg %w : tensor<64xf32>
  %1 = core.reduce sum %w, dims = [0] : (tensor<64xf32>) -> tensor<f32>
  return %0, %1 : tensor<64xf32>, tensor<f32>
}
