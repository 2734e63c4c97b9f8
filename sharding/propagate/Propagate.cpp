//===- Propagate.cpp - Gives every value a sharding -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/Passes.h"
#include "sharding/propagate/CheapProducers.h"
#include "sharding/propagate/Propagation.h"
#include "sharding/propagate/PropagationGraph.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_PROPAGATEPASS
#include "sharding/ShardingPasses.h.inc"

/// Whether every value and result of the function has its sharding already.
static bool isPropagated(func::FuncOp func) {
  bool isDone = true;
  func.getBody().walk([&](Operation *op) {
    isDone &= op->getNumResults() == 0 || op->hasAttr(kShardingsAttrName);
  });
  for (BlockArgument arg : func.getArguments())
    isDone &= getSharding(arg) != nullptr;
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    isDone &= getResultSharding(func, i) != nullptr;
  return isDone;
}

namespace {
class PropagatePass : public impl::PropagatePassBase<PropagatePass> {
public:
  void runOnOperation() override {
    StringAttr meshName = getMeshName(getOperation());
    if (!meshName)
      return;
    Mesh mesh = lookupMesh(getOperation(), meshName).toMesh();
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isDeclaration() || isPropagated(func))
        continue;
      splitCheapProducers(func);
      FailureOr<PropagationGraph> graph =
          PropagationGraph::build(func, meshName, mesh);
      if (failed(graph))
        return signalPassFailure();
      propagate(*graph);
      graph->write();
    }
  }
};
} // namespace

} // namespace partita
