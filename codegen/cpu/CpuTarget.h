//===- CpuTarget.h - The processor that kernels are made for ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code generator must know of a processor: how wide its vectors are,
// how many registers it has and how large its caches are. Tests force one.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_CPUTARGET_H
#define PARTITA_CODEGEN_CPU_CPUTARGET_H

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace partita::cpu {

struct CpuTarget {
  std::string triple;
  std::string cpu;      ///< LLVM's name, "znver3".
  std::string features; ///< "+avx2,+fma,…".
  int vectorBits = 256;
  int vectorRegisters = 16;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;

  /// Elements of `bytes` bytes in one vector register.
  int getLanes(int bytes) const { return vectorBits / 8 / bytes; }

  /// The machine that this process runs on. Cache sizes are defaults where the
  /// machine does not tell.
  static CpuTarget getHost();
  /// x86-64-v3 (AVX2 and FMA).
  static CpuTarget getAvx2();
  /// x86-64-v2 (SSE4.2): 128-bit vectors, no FMA.
  static CpuTarget getSse();

  /// A new LLVM machine for this target; null when LLVM was built without it.
  /// One that does not optimise is quick.
  std::unique_ptr<llvm::TargetMachine>
  createMachine(bool isOptimizing = true) const;
};

/// How a matrix product is cut up: a register tile of `mr` x `nr` accumulators,
/// blocks of `kc` along the contraction and `mc` rows that stay in cache.
struct MatmulTile {
  int mr, nr;
  int64_t kc, mc;
};
MatmulTile getMatmulTile(const CpuTarget &target, int64_t m, int64_t n,
                         int64_t k);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_CPUTARGET_H
