//===- ManualPatterns.cpp - Parts that manual computations take -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   manual (x) in [{}]   { y = slice x over a }   -> manual (x) in [{a}] { x }
//   manual out [{}]  { return gather x over a }   -> manual out [{a}] { return
//   x }
//
// What a computation within another takes of its operands, and puts together of
// its results. Outside, the value may be wanted in parts as it is.
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "passes/simplify/Patterns.h"

using namespace mlir;

namespace partita {

namespace {

/// The sharding with more axes behind those of a dimension; null where they are
/// used already or belong to another mesh.
ShardingAttr split(comm::ManualOp op, Attribute attr, StringRef meshName,
                   core::AxesAttr axes, int64_t dim) {
  auto sharding = cast<ShardingAttr>(attr);
  if (sharding.getMesh().getValue() != meshName)
    return {};
  Mesh mesh = lookupMesh(op, sharding.getMesh()).toMesh();
  TensorSharding made = sharding.toSharding(mesh);
  for (const AxisRef &axis : axes.toAxes(mesh)) {
    if (made.uses(axis))
      return {};
    made.dims[dim].axes.push_back(axis);
  }
  made.dims[dim].axes = normalize(made.dims[dim].axes);
  return ShardingAttr::fromSharding(sharding.getMesh(), mesh, made);
}

ArrayAttr replaceAt(ArrayAttr list, size_t at, Attribute attr) {
  SmallVector<Attribute> all(list.getValue());
  all[at] = attr;
  return ArrayAttr::get(list.getContext(), all);
}

struct TakeSliceOut : OpRewritePattern<comm::ManualOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(comm::ManualOp op,
                                PatternRewriter &rewriter) const override {
    for (BlockArgument argument : op.getBody().getArguments()) {
      if (!argument.hasOneUse())
        continue;
      auto slice = dyn_cast<comm::SliceOp>(*argument.user_begin());
      size_t at = argument.getArgNumber();
      ShardingAttr sharding =
          slice ? split(op, op.getInShardings()[at], slice.getMesh(),
                        slice.getAxes(), static_cast<int64_t>(slice.getDim()))
                : ShardingAttr();
      if (!sharding)
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        argument.setType(slice.getType());
        op.setInShardingsAttr(replaceAt(op.getInShardings(), at, sharding));
      });
      rewriter.replaceOp(slice, argument);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "takes no parts of its operands");
  }
};

struct TakeGatherOut : OpRewritePattern<comm::ManualOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(comm::ManualOp op,
                                PatternRewriter &rewriter) const override {
    Operation *end = op.getBody().front().getTerminator();
    for (OpOperand &use : end->getOpOperands()) {
      auto gather = use.get().getDefiningOp<comm::AllGatherOp>();
      if (!gather || gather->getNumOperands() != 1 || !gather->hasOneUse())
        continue;
      size_t at = use.getOperandNumber();
      ShardingAttr sharding =
          split(op, op.getOutShardings()[at], gather.getMesh(),
                gather.getAxes(), gather.getDims()[0]);
      if (!sharding)
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        op.setOutShardingsAttr(replaceAt(op.getOutShardings(), at, sharding));
      });
      rewriter.replaceOp(gather, gather->getOperand(0));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "gathers no results");
  }
};

} // namespace

void addManualPatterns(RewritePatternSet &patterns) {
  patterns.add<TakeSliceOut, TakeGatherOut>(patterns.getContext());
}

} // namespace partita
