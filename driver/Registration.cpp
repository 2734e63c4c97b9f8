//===- Registration.cpp - Every dialect and pass of Partita ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registration.h"

#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "ir/io/Register.h"
#include "ir/plan/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "passes/collectives/Passes.h"
#include "passes/fusion/Passes.h"
#include "passes/memory/Passes.h"
#include "passes/simplify/Passes.h"
#include "sharding/Passes.h"

namespace partita {

void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, core::CoreDialect, comm::CommDialect,
                  plan::PlanDialect>();
  registerTextDialects(registry);
}

void registerAllPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  registerCollectivesPasses();
  registerMemoryPasses();
  registerSimplifyPasses();
  registerFusionPasses();
  registerShardingPasses();
  registerTextPasses();
  mlir::PassPipelineRegistration<>(
      "partita-collectives", "All passes on reshards and collectives, in order",
      [](mlir::OpPassManager &manager) { addCollectivePasses(manager); });
}

} // namespace partita
