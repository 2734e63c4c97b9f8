//===- KernelRunner.h - Compiles and runs kernels in tests ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TESTS_UNIT_CODEGEN_CPU_KERNELRUNNER_H
#define PARTITA_TESTS_UNIT_CODEGEN_CPU_KERNELRUNNER_H

#include "codegen/cpu/KernelCompiler.h"
#include "mlir/IR/MLIRContext.h"
#include "support/HostTensor.h"

#include <memory>
#include <string>
#include <vector>

namespace partita::cpu {

/// The shared object of a module, loaded into this process.
class LoadedKernels {
public:
  /// Parses `text`, which holds plan.kernels, compiles and loads it. An
  /// unsuccessful one converts to false.
  explicit LoadedKernels(const std::string &text,
                         const CpuTarget &target = CpuTarget::getHost());
  ~LoadedKernels();

  explicit operator bool() const { return handle != nullptr; }

  /// Runs all tiles of the kernel, the last ones first.
  std::vector<HostTensor> run(const std::string &name,
                              const std::vector<HostTensor> &inputs);
  /// What the ops' own definitions make of the inputs; empty where one of them
  /// has none.
  std::vector<HostTensor> evaluate(const std::string &name,
                                   const std::vector<HostTensor> &inputs);
  /// Runs tiles [begin, end) on raw buffers.
  void runTiles(const std::string &name, void *const *buffers, int64_t begin,
                int64_t end);
  const KernelInfo &getInfo(const std::string &name) const;

  CompiledKernels compiled;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  void *handle = nullptr;
};

/// Numbers within [-2, 2), or small integers, from a fixed seed.
HostTensor makeRandom(DType type, Shape shape, unsigned seed);
/// Element `i` as a double, for the real types.
double getElement(const HostTensor &tensor, int64_t i);
void setElement(HostTensor &tensor, int64_t i, double value);

} // namespace partita::cpu

#endif // PARTITA_TESTS_UNIT_CODEGEN_CPU_KERNELRUNNER_H
