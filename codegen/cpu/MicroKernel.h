//===- MicroKernel.h - The register tile of matrix products -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_MICROKERNEL_H
#define PARTITA_CODEGEN_CPU_MICROKERNEL_H

#include "codegen/cpu/CpuTarget.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace partita::cpu {

/// The function `void f(ptr a, ptr b, ptr c, i64 k, i64 stride, i1 accumulate)`
/// of `module`, made at the first request: c[mr x nr] (rows `stride` elements
/// apart) is set to, or with `accumulate` increased by, the product of the
/// packed panels a[k][mr] and b[k][nr]; k > 0. All fp32, or fp64 with
/// `isDouble`.
llvm::Function *getMicroKernel(llvm::Module &module, const CpuTarget &target,
                               int mr, int nr, bool isDouble);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_MICROKERNEL_H
