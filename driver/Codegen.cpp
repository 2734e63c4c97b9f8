//===- Codegen.cpp - From kernels and places to a plan --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Codegen.h"

#include "codegen/cpu/KernelCompiler.h"
#include "codegen/plan/PlanWriter.h"

using namespace mlir;

namespace partita {

static std::vector<BoundaryValue>
getBoundary(const std::vector<ValueInfo> &values) {
  std::vector<BoundaryValue> boundary;
  boundary.reserve(values.size());
  for (const ValueInfo &value : values)
    boundary.push_back({value.name, value.shape});
  return boundary;
}

/// "+avx2,-fma" -> "avx2".
static std::vector<std::string> getFeatures(const cpu::CpuTarget &target) {
  std::vector<std::string> features;
  SmallVector<StringRef> parts;
  StringRef(target.features).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (part.consume_front("+"))
      features.push_back(part.str());
  return features;
}

FailureOr<plan::Plan> generateCpuPlan(ModuleOp module,
                                      const std::string &program,
                                      const Signature &signature,
                                      std::string *llvmText) {
  cpu::CpuTarget target = cpu::CpuTarget::getHost();
  cpu::CpuOptions options;
  options.keepText = llvmText != nullptr;
  FailureOr<cpu::CompiledKernels> compiled =
      cpu::compileKernels(module, target, options);
  if (failed(compiled))
    return failure();
  if (llvmText)
    for (const std::string &text : compiled->llvmText)
      *llvmText += text + "\n";
  PlanSpec spec;
  spec.program = program;
  spec.arguments = getBoundary(signature.arguments);
  spec.results = getBoundary(signature.results);
  spec.targetFeatures = getFeatures(target);
  spec.code = std::move(compiled->sharedObject);
  for (const cpu::KernelInfo &kernel : compiled->kernels)
    spec.kernels.push_back({kernel.symbol, kernel.symbol, kernel.numTiles,
                            kernel.flops, static_cast<double>(kernel.bytes)});
  return writePlan(module, std::move(spec));
}

} // namespace partita
