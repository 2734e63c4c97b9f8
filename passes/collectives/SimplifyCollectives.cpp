//===- SimplifyCollectives.cpp - No collective in vain ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/collectives/Identity.h"
#include "passes/collectives/Passes.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_SIMPLIFYCOLLECTIVESPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// Whether two ops form the same groups with the same order in them.
static bool haveSameAxes(Operation *a, Operation *b) {
  return getAxes(a) == getAxes(b) && a->getAttr("mesh") == b->getAttr("mesh");
}

namespace {

/// slice(all_gather(x)) over the same axes and dimension -> x.
struct SliceOfGather : OpRewritePattern<comm::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(comm::SliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto gather = slice.getOperand().getDefiningOp<comm::AllGatherOp>();
    if (!gather || !haveSameAxes(slice, gather))
      return rewriter.notifyMatchFailure(slice, "not of a gather alike");
    unsigned number = cast<OpResult>(slice.getOperand()).getResultNumber();
    Value value = gather.getOperands()[number];
    if (gather.getDims()[number] != static_cast<int64_t>(slice.getDim()) ||
        value.getType() != slice.getType())
      return rewriter.notifyMatchFailure(slice, "other dimensions");
    rewriter.replaceOp(slice, value);
    return success();
  }
};

/// all_gather(slice(x)) over the same axes and dimension -> x.
struct GatherOfSlice : OpRewritePattern<comm::AllGatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(comm::AllGatherOp gather,
                                PatternRewriter &rewriter) const override {
    if (gather.getOperands().size() != 1)
      return rewriter.notifyMatchFailure(gather, "has several operands");
    auto slice = gather.getOperands()[0].getDefiningOp<comm::SliceOp>();
    if (!slice || !haveSameAxes(slice, gather) ||
        gather.getDims()[0] != static_cast<int64_t>(slice.getDim()) ||
        slice.getOperand().getType() != gather.getResult(0).getType())
      return rewriter.notifyMatchFailure(gather, "not of a slice alike");
    rewriter.replaceOp(gather, slice.getOperand());
    return success();
  }
};

/// slice(all_reduce(x)) over the same axes, the only use -> reduce_scatter(x).
struct SliceOfReduction : OpRewritePattern<comm::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(comm::SliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto reduction = slice.getOperand().getDefiningOp<comm::AllReduceOp>();
    if (!reduction || !haveSameAxes(slice, reduction) ||
        reduction.getOperands().size() != 1 || !reduction->hasOneUse())
      return rewriter.notifyMatchFailure(
          slice, "not the only use of an all-reduce over the same axes");
    auto scatter = comm::ReduceScatterOp::create(
        rewriter, reduction.getLoc(), TypeRange(slice.getType()),
        reduction.getOperands(), slice.getMeshAttr(), slice.getAxesAttr(),
        rewriter.getDenseI64ArrayAttr({static_cast<int64_t>(slice.getDim())}),
        reduction.getKindAttr(), reduction.getFromAttr(), slice.getToAttr());
    for (NamedAttribute attr : reduction->getDiscardableAttrs())
      scatter->setDiscardableAttr(attr.getName(), attr.getValue());
    if (ShardingAttr sharding = getSharding(slice.getResult()))
      setSharding(scatter->getResult(0), sharding);
    rewriter.replaceOp(slice, scatter.getResults());
    rewriter.eraseOp(reduction);
    return success();
  }
};

struct SimplifyCollectivesPass
    : partita::impl::SimplifyCollectivesPassBase<SimplifyCollectivesPass> {
  void runOnOperation() override {
    shareEqual();
    RewritePatternSet patterns(&getContext());
    patterns.add<SliceOfGather, GatherOfSlice, SliceOfReduction>(&getContext());
    GreedyRewriteConfig config;
    // Equal constants may lie differently: merging would ignore that.
    config.enableConstantCSE(false);
    config.enableFolding(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }

  /// Equal comm ops of one value: the one that dominates stays.
  void shareEqual() {
    DominanceInfo dominance(getOperation());
    DenseMap<std::pair<Value, Attribute>, SmallVector<Operation *>> seen;
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      Attribute key = getValueKey(op);
      if (!key)
        continue;
      SmallVector<Operation *> &others = seen[{op->getOperand(0), key}];
      auto *it = llvm::find_if(others, [&](Operation *other) {
        return dominance.properlyDominates(other, op);
      });
      if (it == others.end()) {
        others.push_back(op);
        continue;
      }
      op->replaceAllUsesWith(*it);
      op->erase();
    }
  }
};

} // namespace
