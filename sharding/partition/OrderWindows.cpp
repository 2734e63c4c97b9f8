//===- OrderWindows.cpp - Cuts and pads split dimensions first ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "sharding/Passes.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_ORDERWINDOWSPASS
#include "sharding/ShardingPasses.h.inc"
} // namespace partita

using namespace partita;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A slice or pad whose operand and result lie alike.
static bool isWindow(Operation *op) {
  if (!isa_and_nonnull<core::SliceOp, core::PadOp>(op))
    return false;
  ShardingAttr sharding = getSharding(op->getOperand(0));
  return sharding && sharding == getSharding(op->getResult(0));
}

/// Whether the slice or pad changes the dimension.
static bool touches(Operation *op, int64_t d) {
  if (auto pad = dyn_cast<core::PadOp>(op))
    return pad.getLow()[d] != 0 || pad.getHigh()[d] != 0 ||
           pad.getInterior()[d] != 0;
  auto slice = cast<core::SliceOp>(op);
  return slice.getOperand().getType().getDimSize(d) !=
         slice.getType().getDimSize(d);
}

static bool isSplit(Operation *op, int64_t d) {
  return !getSharding(op->getResult(0)).getDims()[d].getAxes().empty();
}

static int64_t getRank(Operation *op) {
  return getType(op->getResult(0)).getRank();
}

/// Where a window belongs among others: its first split dimension, or behind
/// all of those.
static int64_t getPlace(Operation *op) {
  for (int64_t d = 0; d < getRank(op); ++d)
    if (touches(op, d) && isSplit(op, d))
      return d;
  return getRank(op);
}

/// Whether windows may be made of the slice's operand instead of the slice: of
/// what others use too, and not of much more.
static bool mayFollow(core::SliceOp op) {
  int64_t have = 1, take = 1;
  for (int64_t d = 0; d < getRank(op); ++d)
    if (touches(op, d) && !isSplit(op, d)) {
      have *= op.getOperand().getType().getDimSize(d);
      take *= op.getType().getDimSize(d);
    }
  return have == take || (have <= 2 * take && !op.getOperand().hasOneUse());
}

static bool mayFollow(Operation *op) {
  auto slice = dyn_cast<core::SliceOp>(op);
  return !slice || mayFollow(slice);
}

/// Whether the two pads, if both are, pad with the same.
static bool padAlike(Operation *a, Operation *b) {
  auto one = dyn_cast<core::PadOp>(a), other = dyn_cast<core::PadOp>(b);
  if (!one || !other || one.getValue() == other.getValue())
    return true;
  Attribute first, second;
  return matchPattern(one.getValue(), m_Constant(&first)) &&
         matchPattern(other.getValue(), m_Constant(&second)) && first == second;
}

static bool shouldSwap(Operation *op, Operation *before) {
  if (!isWindow(before) || getPlace(op) >= getPlace(before) ||
      !padAlike(op, before) || !mayFollow(before))
    return false;
  return llvm::none_of(llvm::seq<int64_t>(0, getRank(op)), [&](int64_t d) {
    return touches(op, d) && touches(before, d);
  });
}

/// The attributes of a window that are not notes.
static SmallVector<Attribute> getParts(Operation *op) {
  SmallVector<Attribute> parts;
  for (StringRef name :
       {"starts", "limits", "strides", "low", "high", "interior"})
    parts.push_back(op->getAttr(name));
  parts.push_back(getSharding(op->getResult(0)));
  return parts;
}

/// An equal window of the same value in front of this one, or null.
static Operation *findEqual(Operation *op) {
  for (Operation *user : op->getOperand(0).getUsers())
    if (user != op && user->getName() == op->getName() &&
        user->getBlock() == op->getBlock() && user->isBeforeInBlock(op) &&
        llvm::equal(user->getOperands(), op->getOperands()) &&
        getParts(user) == getParts(op))
      return user;
  return nullptr;
}

/// The window, or an equal one in its place.
static Operation *shareWindow(Operation *op) {
  Operation *equal = findEqual(op);
  if (!equal)
    return op;
  op->replaceAllUsesWith(equal);
  op->erase();
  return equal;
}

/// What the slice or pad does along the dimensions of which `isKept` holds, to
/// another value, which may differ from its operand along the others.
static Operation *makePart(OpBuilder &builder, Operation *op, Value operand,
                           function_ref<bool(int64_t)> isKept) {
  Operation *made = builder.clone(*op);
  made->setOperand(0, operand);
  SmallVector<int64_t> shape(getType(operand).getShape());
  SmallVector<int64_t> none(shape.size(), 0), ends(shape),
      ones(shape.size(), 1);
  auto slice = dyn_cast<core::SliceOp>(op);
  auto pad = dyn_cast<core::PadOp>(op);
  SmallVector<int64_t> first(none), second(slice ? ends : none),
      third(slice ? ones : none);
  for (int64_t d = 0; d < getRank(op); ++d) {
    if (!touches(op, d) || !isKept(d))
      continue;
    first[d] = slice ? slice.getStarts()[d] : pad.getLow()[d];
    second[d] = slice ? slice.getLimits()[d] : pad.getHigh()[d];
    third[d] = slice ? slice.getStrides()[d] : pad.getInterior()[d];
    shape[d] = getType(op->getResult(0)).getDimSize(d);
  }
  if (auto part = dyn_cast<core::SliceOp>(made)) {
    part.setStarts(first);
    part.setLimits(second);
    part.setStrides(third);
  } else {
    auto padded = cast<core::PadOp>(made);
    padded.setLow(first);
    padded.setHigh(second);
    padded.setInterior(third);
  }
  made->getResult(0).setType(getType(op->getResult(0)).clone(shape));
  return shareWindow(made);
}

/// Makes one window of each split dimension, and one of all others.
static void splitWindow(Operation *op) {
  SmallVector<int64_t> split;
  bool hasOthers = false;
  for (int64_t d = 0; d < getRank(op); ++d) {
    if (touches(op, d) && isSplit(op, d))
      split.push_back(d);
    else
      hasOthers |= touches(op, d);
  }
  if (split.empty() || (split.size() == 1 && !hasOthers) || !mayFollow(op))
    return;
  OpBuilder builder(op);
  Value value = op->getOperand(0);
  for (int64_t d : split)
    value = makePart(builder, op, value, [&](int64_t e) {
              return e == d;
            })->getResult(0);
  if (hasOthers)
    value = makePart(builder, op, value, [&](int64_t e) {
              return !isSplit(op, e);
            })->getResult(0);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

/// Moves the window up to where it belongs.
static void moveUp(Operation *op) {
  auto isAny = [](int64_t) { return true; };
  while (Operation *before = op->getOperand(0).getDefiningOp()) {
    if (!shouldSwap(op, before))
      return;
    OpBuilder builder(op);
    Operation *first = makePart(builder, op, before->getOperand(0), isAny);
    Operation *second = makePart(builder, before, first->getResult(0), isAny);
    op->replaceAllUsesWith(second);
    op->erase();
    if (before->use_empty())
      before->erase();
    op = first;
  }
}

namespace {
struct OrderWindowsPass
    : partita::impl::OrderWindowsPassBase<OrderWindowsPass> {
  void runOnOperation() override {
    forEachWindow(splitWindow);
    forEachWindow(moveUp);
  }

  /// Visits windows in program order, of equal ones the first.
  void forEachWindow(function_ref<void(Operation *)> visit) {
    SmallVector<Operation *> windows;
    getOperation().walk([&](Operation *op) {
      if (isWindow(op))
        windows.push_back(op);
    });
    for (Operation *op : windows)
      if (shareWindow(op) == op)
        visit(op);
  }
};
} // namespace
