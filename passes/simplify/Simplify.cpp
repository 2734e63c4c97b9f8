//===- Simplify.cpp - Removes what a program can do without ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/simplify/Passes.h"
#include "passes/simplify/Patterns.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_SIMPLIFYPASS
#include "passes/simplify/Passes.h.inc"

namespace {

class Simplify : public impl::SimplifyPassBase<Simplify> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    addArithmeticPatterns(patterns);
    addShapePatterns(patterns);
    addContractionPatterns(patterns);
    addIndexingPatterns(patterns);
    addSlicePatterns(patterns);
    addManualPatterns(patterns);
    // What more rounds would simplify further is right as well.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace

void addSimplifyPasses(OpPassManager &passes) {
  passes.addPass(createInlineCallsPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSimplifyPass());
  passes.addPass(createCSEPass());
}

} // namespace partita
