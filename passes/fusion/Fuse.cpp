//===- Fuse.cpp - Groups core ops into kernels ----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/fusion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "passes/fusion/Outline.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_FUSEPASS
#include "passes/fusion/Passes.h.inc"

namespace {

/// Reductions of this many elements to a few are done in two steps, so that
/// their first can be shared by several workers.
constexpr int64_t kLargeReduction = 1 << 16;
constexpr int64_t kParts = 64;

/// reduce(x) to a scalar becomes reduce(reduce(reshape(x))), of kParts rows.
void splitReduction(core::ReduceOp op) {
  int64_t size = getTensorSize(op.getOperand());
  if (getTensorSize(op.getResult()) != 1 || size < kLargeReduction ||
      size % kParts != 0)
    return;
  OpBuilder builder(op);
  Type element = op.getResult().getType().getElementType();
  auto makeType = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, element);
  };
  Value rows = core::ReshapeOp::create(
      builder, op.getLoc(), makeType({kParts, size / kParts}), op.getOperand());
  Value parts =
      core::ReduceOp::create(builder, op.getLoc(), makeType({kParts}), rows,
                             ArrayRef<int64_t>{1}, op.getKind());
  Value whole =
      core::ReduceOp::create(builder, op.getLoc(), makeType({}), parts,
                             ArrayRef<int64_t>{0}, op.getKind());
  if (whole.getType() != op.getType())
    whole = core::ReshapeOp::create(builder, op.getLoc(), op.getType(), whole);
  op.replaceAllUsesWith(whole);
  op.erase();
}

/// A reduction of dimensions of size 1 is a reshape.
bool dropEmptyReduction(core::ReduceOp op) {
  ArrayRef<int64_t> shape = getTensorShape(op.getOperand());
  if (!llvm::all_of(op.getDims(), [&](int64_t dim) { return shape[dim] == 1; }))
    return false;
  OpBuilder builder(op);
  op.replaceAllUsesWith(core::ReshapeOp::create(builder, op.getLoc(),
                                                op.getType(), op.getOperand())
                            .getResult());
  op.erase();
  return true;
}

/// Constants of one value are repeated in kernels. For readers that are none,
/// small ones stay; others are made by a kernel.
void keepConstant(Operation *constant) {
  constexpr int64_t kLargeConstant = 1024;
  auto isOutside = [](OpOperand &use) {
    return getFusionKind(use.getOwner()) == FusionKind::Outside;
  };
  if (!isSplatConstant(constant) ||
      llvm::none_of(constant->getUses(), isOutside))
    return;
  OpBuilder builder(constant);
  Value value = constant->getResult(0);
  auto type = cast<RankedTensorType>(value.getType());
  Operation *copy;
  if (type.getNumElements() <= kLargeConstant) {
    copy = builder.clone(*constant);
    copy->setAttr(kOutsideAttrName, builder.getUnitAttr());
  } else {
    DenseElementsAttr elements;
    matchPattern(constant, m_Constant(&elements));
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value single = core::ConstantOp::create(builder, constant->getLoc(),
                                            elements.resizeSplat(scalar));
    copy = core::BroadcastOp::create(builder, constant->getLoc(), type, single,
                                     ArrayRef<int64_t>{});
  }
  value.replaceUsesWithIf(copy->getResult(0), isOutside);
}

class Fuse : public impl::FusePassBase<Fuse> {
public:
  void runOnOperation() override {
    prepare();
    Outliner outliner(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      for (Block &block : function.getBody())
        outliner.outline(block);
    getOperation().walk(
        [](Operation *op) { op->removeAttr(kOutsideAttrName); });
  }

private:
  void prepare() {
    SmallVector<core::ReduceOp> reductions;
    SmallVector<Operation *> identities, constants;
    getOperation().walk([&](Operation *op) {
      if (auto reduce = dyn_cast<core::ReduceOp>(op))
        reductions.push_back(reduce);
      if (isa<core::BarrierOp, core::ShardingConstraintOp>(op))
        identities.push_back(op);
      if (op->hasTrait<OpTrait::ConstantLike>())
        constants.push_back(op);
    });
    for (core::ReduceOp reduce : reductions)
      if (!dropEmptyReduction(reduce))
        splitReduction(reduce);
    // They have kept apart what is now decided.
    for (Operation *op : identities) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    }
    for (Operation *constant : constants)
      keepConstant(constant);
  }
};

} // namespace
} // namespace partita
