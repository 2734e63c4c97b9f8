//===- Pipeline.cpp - The order of the passes on collectives ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Passes.h"

using namespace mlir;

void partita::addCollectivePasses(OpPassManager &manager,
                                  const CollectiveOptions &options) {
  LowerReshardsPassOptions lower;
  lower.failOnRemat = options.failOnRemat;
  lower.maxReshardBytes = options.maxReshardBytes.value_or(-1);
  manager.addPass(createSimplifyReshardsPass());
  manager.addPass(createHoistReshardsPass());
  manager.addPass(createSinkReshardsPass());
  manager.addPass(createSinkAccumulationsPass());
  // What was hoisted or sunk may now meet its like.
  manager.addPass(createSimplifyReshardsPass());
  manager.addPass(createWidenPartialsPass());
  manager.addPass(createLowerReshardsPass(lower));
  manager.addPass(createSimplifyCollectivesPass());
  manager.addPass(createCombineCollectivesPass());
}
