//===- ArithmeticPatterns.cpp - Rewrites of elementwise ops ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   add x, -0.0; add x, 0 (integers); sub x, 0       -> x
//   mul x, 1; div x, 1                                -> x
//   max x, -inf; min x, +inf                          -> x
//   and x, true; or x, false                          -> x
//   neg (neg x)                                       -> x
//   convert (convert x), back without loss            -> x
//   op (broadcast a), (broadcast b), scalars a, b     -> broadcast (op a, b)
//   constant of one value everywhere                  -> broadcast of a scalar
//   op of small constants                             -> constant
//
// All keep NaN, infinities and the signs of zeros.
//
//===----------------------------------------------------------------------===//

#include "ir/core/Types.h"
#include "passes/simplify/Patterns.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace partita {

Value getRepeatedScalar(Value value) {
  auto broadcast = value.getDefiningOp<core::BroadcastOp>();
  if (broadcast && broadcast.getOperand().getType().getRank() == 0)
    return broadcast.getOperand();
  return {};
}

Attribute getRepeatedElement(Value value) {
  if (Value scalar = getRepeatedScalar(value))
    value = scalar;
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return elements.getSplatValue<Attribute>();
}

namespace {

enum class Neutral { Zero, NegativeZero, One, Lowest, Highest };

bool isFloatNeutral(const APFloat &value, Neutral neutral) {
  switch (neutral) {
  case Neutral::Zero:
    return value.isPosZero();
  case Neutral::NegativeZero:
    return value.isNegZero();
  case Neutral::One:
    return value.isExactlyValue(1.0);
  case Neutral::Lowest:
    return value.isInfinity() && value.isNegative();
  case Neutral::Highest:
    return value.isInfinity() && !value.isNegative();
  }
  return false;
}

/// Whether the value repeats an element that leaves the other operand as it is.
bool isNeutral(Value value, Neutral neutral) {
  Attribute element = getRepeatedElement(value);
  if (auto number = dyn_cast_or_null<FloatAttr>(element))
    return isFloatNeutral(number.getValue(), neutral);
  auto number = dyn_cast_or_null<IntegerAttr>(element);
  if (!number)
    return false;
  if (neutral == Neutral::One)
    return number.getValue().isOne();
  return (neutral == Neutral::Zero || neutral == Neutral::NegativeZero) &&
         number.getValue().isZero();
}

/// op x, neutral -> x, and op neutral, x -> x where the op is commutative.
template <typename Op> struct DropNeutral : OpRewritePattern<Op> {
  DropNeutral(MLIRContext *context, Neutral theNeutral)
      : OpRewritePattern<Op>(context), neutral(theNeutral) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (isNeutral(op.getRhs(), neutral)) {
      rewriter.replaceOp(op, op.getLhs());
      return success();
    }
    if (op->template hasTrait<OpTrait::IsCommutative>() &&
        isNeutral(op.getLhs(), neutral)) {
      rewriter.replaceOp(op, op.getRhs());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is neutral");
  }

  Neutral neutral;
};

/// and x, true -> x; or x, false -> x.
template <typename Op> struct DropTruth : OpRewritePattern<Op> {
  DropTruth(MLIRContext *context, bool theNeutral)
      : OpRewritePattern<Op>(context), neutral(theNeutral) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isInteger(1))
      return rewriter.notifyMatchFailure(op, "not on booleans");
    for (unsigned i : {0, 1}) {
      auto truth =
          dyn_cast_or_null<IntegerAttr>(getRepeatedElement(op->getOperand(i)));
      if (!truth || truth.getValue().isOne() != neutral)
        continue;
      rewriter.replaceOp(op, op->getOperand(1 - i));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is neutral");
  }

  bool neutral;
};

struct DropNegations : OpRewritePattern<core::NegOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::NegOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<core::NegOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not of a negation");
    rewriter.replaceOp(op, inner.getOperand());
    return success();
  }
};

/// Whether every value of `from` is one of `to`.
bool isLossless(Type from, Type to) {
  auto fromFloat = dyn_cast<FloatType>(from);
  auto toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    return (toFloat.isF32() && (fromFloat.isBF16() || fromFloat.isF16())) ||
           (toFloat.isF64() &&
            (fromFloat.isF32() || fromFloat.isBF16() || fromFloat.isF16()));
  auto fromInt = dyn_cast<IntegerType>(from);
  auto toInt = dyn_cast<IntegerType>(to);
  return fromInt && toInt && fromInt.getWidth() > 1 &&
         fromInt.isUnsigned() == toInt.isUnsigned() &&
         fromInt.getWidth() <= toInt.getWidth();
}

struct DropConversions : OpRewritePattern<core::ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::ConvertOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<core::ConvertOp>();
    if (!inner || inner.getOperand().getType() != op.getType() ||
        !isLossless(getElementTypeOrSelf(op.getType()),
                    getElementTypeOrSelf(inner.getType())))
      return rewriter.notifyMatchFailure(op, "no conversion there and back");
    rewriter.replaceOp(op, inner.getOperand());
    return success();
  }
};

/// Computes one element where all would be the same.
struct ComputeScalar : OpInterfaceRewritePattern<ScalarBodyOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ScalarBodyOpInterface op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> scalars;
    for (Value operand : op->getOperands())
      if (Value scalar = getRepeatedScalar(operand))
        scalars.push_back(scalar);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (scalars.empty() || scalars.size() != op->getNumOperands())
      return rewriter.notifyMatchFailure(op, "operands differ by element");
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(scalars);
    state.addTypes(RankedTensorType::get({}, type.getElementType()));
    state.addAttributes(op->getAttrs());
    Operation *scalar = rewriter.create(state);
    rewriter.replaceOpWithNewOp<core::BroadcastOp>(
        op, type, scalar->getResult(0), ArrayRef<int64_t>{});
    return success();
  }
};

struct ShrinkConstant : OpRewritePattern<core::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(core::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    auto type = cast<RankedTensorType>(op.getType());
    // A constant of one element is what a reshaped scalar folds to.
    if (!elements || !elements.isSplat() || type.getNumElements() == 1)
      return rewriter.notifyMatchFailure(op, "has different elements, or one");
    auto scalarType = RankedTensorType::get({}, type.getElementType());
    Value scalar = core::ConstantOp::create(rewriter, op.getLoc(),
                                            elements.reshape(scalarType));
    rewriter.replaceOpWithNewOp<core::BroadcastOp>(op, type, scalar,
                                                   ArrayRef<int64_t>{});
    return success();
  }
};

/// Computes at compile time what depends on small constants only.
struct EvaluateConstants : OpInterfaceRewritePattern<EvaluableOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  static constexpr int64_t kMaxElements = 1024;

  static bool isSmall(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.getNumElements() <= kMaxElements &&
           toDType(tensor.getElementType());
  }

  LogicalResult matchAndRewrite(EvaluableOpInterface op,
                                PatternRewriter &rewriter) const override {
    // Broadcasts of constants are how constants of one value are written.
    if (op->getNumOperands() == 0 || isa<core::BroadcastOp>(op) ||
        !isMemoryEffectFree(op))
      return rewriter.notifyMatchFailure(op, "not to be computed");
    if (!llvm::all_of(op->getOperandTypes(), isSmall) ||
        !llvm::all_of(op->getResultTypes(), isSmall))
      return rewriter.notifyMatchFailure(op, "too large");
    SmallVector<HostTensor> operands, results;
    for (Value operand : op->getOperands()) {
      ElementsAttr value;
      if (!matchPattern(operand, m_Constant(&value)))
        return rewriter.notifyMatchFailure(op, "an operand is no constant");
      operands.push_back(toHostTensor(value));
    }
    if (failed(op.evaluate(operands, results)))
      return rewriter.notifyMatchFailure(op, "cannot be computed");
    SmallVector<Value> constants;
    for (auto [result, value] : llvm::zip(op->getResultTypes(), results))
      constants.push_back(core::ConstantOp::create(
          rewriter, op->getLoc(),
          fromHostTensor(cast<RankedTensorType>(result), value)));
    rewriter.replaceOp(op, constants);
    return success();
  }
};

} // namespace

void addArithmeticPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DropNeutral<core::AddOp>>(context, Neutral::NegativeZero);
  patterns.add<DropNeutral<core::SubOp>>(context, Neutral::Zero);
  patterns.add<DropNeutral<core::MulOp>, DropNeutral<core::DivOp>>(
      context, Neutral::One);
  patterns.add<DropNeutral<core::MaxOp>>(context, Neutral::Lowest);
  patterns.add<DropNeutral<core::MinOp>>(context, Neutral::Highest);
  patterns.add<DropTruth<core::AndOp>>(context, true);
  patterns.add<DropTruth<core::OrOp>>(context, false);
  patterns.add<DropNegations, DropConversions, ComputeScalar, ShrinkConstant,
               EvaluateConstants>(context);
}

} // namespace partita
