//===- InlineCalls.cpp - Inlines every call -------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "passes/simplify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_INLINECALLSPASS
#include "passes/simplify/Passes.h.inc"

namespace {

class InlineCalls : public impl::InlineCallsPassBase<InlineCalls> {
public:
  void runOnOperation() override;

private:
  LogicalResult inlineInto(func::FuncOp func);
  LogicalResult inlineCall(func::CallOp call, func::FuncOp callee);

  /// Functions whose own calls are being, or have been, inlined.
  llvm::SmallPtrSet<Operation *, 8> active, done;
};

/// The value, constrained where the callee says how it lies.
Value constrain(OpBuilder &builder, Value value, ShardingAttr sharding,
                Location loc) {
  if (!sharding)
    return value;
  return core::ShardingConstraintOp::create(builder, loc, value.getType(),
                                            value, sharding);
}

} // namespace

LogicalResult InlineCalls::inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  for (auto [i, operand] : llvm::enumerate(call.getOperands())) {
    auto sharding = callee.getArgAttrOfType<ShardingAttr>(i, kShardingAttrName);
    mapping.map(callee.getArgument(i),
                constrain(builder, operand, sharding, call.getLoc()));
  }
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    call.getResult(i).replaceAllUsesWith(
        constrain(builder, mapping.lookup(value), getResultSharding(callee, i),
                  call.getLoc()));
  call.erase();
  return success();
}

LogicalResult InlineCalls::inlineInto(func::FuncOp func) {
  if (done.contains(func) || func.isExternal())
    return success();
  active.insert(func);
  SmallVector<func::CallOp> calls;
  func.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
      return call.emitError("calls @")
             << call.getCallee() << ", which has no body to inline";
    if (active.contains(callee)) {
      InFlightDiagnostic error = call.emitError("calls @")
                                 << call.getCallee()
                                 << ", which is called by itself; a program "
                                 << "cannot recurse";
      error.attachNote(callee.getLoc()) << "the function is defined here";
      return error;
    }
    if (failed(inlineInto(callee)) || failed(inlineCall(call, callee)))
      return failure();
  }
  active.erase(func);
  done.insert(func);
  return success();
}

void InlineCalls::runOnOperation() {
  for (auto func : getOperation().getOps<func::FuncOp>())
    if (!func.isPrivate() && failed(inlineInto(func)))
      return signalPassFailure();
  for (auto func :
       llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
    if (func.isPrivate())
      func.erase();
}

} // namespace partita
