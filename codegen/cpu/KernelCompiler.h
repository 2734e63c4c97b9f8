//===- KernelCompiler.h - Kernels to machine code ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles every plan.kernel of a module into one shared object. A kernel's
// function is
//
//   void NAME(void *const *buffers, int64_t begin, int64_t end)
//
// with one buffer for each argument, then one for each result, all 64-byte
// aligned and disjoint but for the pairs of `inplace`. It computes the tiles
// [begin, end) of KernelInfo::numTiles; tiles are independent and may run at
// the same time, on threads with at least 4 MiB of stack.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_KERNELCOMPILER_H
#define PARTITA_CODEGEN_CPU_KERNELCOMPILER_H

#include "codegen/cpu/CpuTarget.h"
#include "ir/plan/Plan.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace partita::cpu {

struct CpuOptions {
  /// Threads that compile; kernels are dealt out in modules of several.
  int threads = 2;
  /// Keep the LLVM IR of each module in CompiledKernels::llvmText.
  bool keepText = false;
  /// The linker that makes the shared object.
  std::string linker = "ld.lld-22";
};

struct KernelInfo {
  std::string symbol;
  int64_t numTiles = 1;
  double flops = 0;  ///< Arithmetic operations of one launch.
  int64_t bytes = 0; ///< Bytes of its arguments and results.
};

struct CompiledKernels {
  std::string sharedObject; ///< ELF; empty when there are no kernels.
  std::vector<KernelInfo> kernels;
  std::vector<std::string> llvmText;
};

/// Fails after reporting at the op that cannot be compiled, or at the module
/// when the linker fails.
mlir::FailureOr<CompiledKernels> compileKernels(mlir::ModuleOp module,
                                                const CpuTarget &target,
                                                const CpuOptions &options = {});

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_KERNELCOMPILER_H
