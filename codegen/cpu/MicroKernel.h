//===- MicroKernel.h - The register tile of matrix products -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_MICROKERNEL_H
#define PARTITA_CODEGEN_CPU_MICROKERNEL_H

#include "codegen/cpu/CpuTarget.h"

#include <compare>
#include <optional>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace partita::cpu {

/// The function `void f(ptr a, ptr b, ptr c, i64 k, i64 stride, i1
/// accumulate)`: c[mr x nr] (rows `stride` elements apart) is set to, or with
/// `accumulate` increased by, the product of the packed panels a[k][mr] and
/// b[k][nr]; k > 0. All fp32, or fp64 with `isDouble`.
struct MicroKernel {
  int mr, nr;
  bool isDouble;
  auto operator<=>(const MicroKernel &) const = default;
};

/// Its declaration in `module`, made at the first request. One definition
/// serves all modules that are linked together.
llvm::Function *declareMicroKernel(llvm::Module &module,
                                   const MicroKernel &kernel);
llvm::Function *defineMicroKernel(llvm::Module &module, const CpuTarget &target,
                                  const MicroKernel &kernel);
/// The micro-kernel that `function` is, if it is one.
std::optional<MicroKernel> findMicroKernel(const llvm::Function &function);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_MICROKERNEL_H
