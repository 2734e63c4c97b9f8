//===- Pipeline.cpp - The passes of each phase ----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Pipeline.h"

#include "ir/io/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "passes/collectives/Passes.h"
#include "passes/fusion/Passes.h"
#include "passes/memory/Passes.h"
#include "passes/simplify/Passes.h"
#include "sharding/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace partita {

void addPhase(Phase phase, PassManager &passes, const CompileOptions &options) {
  switch (phase) {
  case Phase::Import:
    passes.addPass(createImportPass());
    return;
  case Phase::Simplify:
    addSimplifyPasses(passes);
    return;
  case Phase::Propagate:
    passes.addPass(createPropagatePass());
    return;
  case Phase::Partition:
    passes.addPass(createOrderWindowsPass());
    // Copies that were made for propagation and lie alike are one again.
    passes.addPass(createCSEPass());
    passes.addPass(createPartitionPass({options.failOnRemat}));
    return;
  case Phase::Collectives:
    addCollectivePasses(passes, {options.failOnRemat, options.maxReshardBytes});
    return;
  case Phase::Localise:
    passes.addPass(createLocalisePass());
    // Copies that were made for propagation are one again.
    passes.addPass(mlir::createCSEPass());
    // Of the exchanges of windows.
    passes.addPass(createMergePermutesPass());
    passes.addPass(createCombineCollectivesPass());
    return;
  case Phase::Fuse:
    passes.addPass(createLowerSlicesPass());
    passes.addPass(createSimplifyPass());
    passes.addPass(createCSEPass());
    passes.addPass(createFusePass());
    return;
  case Phase::Memory: {
    PlanMemoryPassOptions memory;
    memory.memoryLimit = options.memoryLimitBytes.value_or(-1);
    passes.addPass(createPlanMemoryPass(memory));
    return;
  }
  case Phase::Codegen:
    return; // generateCpuPlan
  }
}

} // namespace partita
