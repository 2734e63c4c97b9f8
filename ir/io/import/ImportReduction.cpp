//===- ImportReduction.cpp - Import of reductions -------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/sdy/Sdy.h"
#include "ir/io/stablehlo/Ops.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// What a region computes
//===----------------------------------------------------------------------===//

/// The kind of an op of two operands; of i1, sums are or, products and.
static std::optional<ReductionKind> getKind(Operation *op) {
  bool isPred = getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1);
  return llvm::StringSwitch<std::optional<ReductionKind>>(
             op->getName().getStringRef())
      .Case("stablehlo.add", isPred ? ReductionKind::Or : ReductionKind::Sum)
      .Case("stablehlo.multiply",
            isPred ? ReductionKind::And : ReductionKind::Mul)
      .Case("stablehlo.maximum",
            isPred ? ReductionKind::Or : ReductionKind::Max)
      .Case("stablehlo.minimum",
            isPred ? ReductionKind::And : ReductionKind::Min)
      .Case("stablehlo.and", ReductionKind::And)
      .Case("stablehlo.or", ReductionKind::Or)
      .Case("stablehlo.xor", ReductionKind::Xor)
      .Default(std::nullopt);
}

/// The kind of `value`, when it is one op on the two arguments in either order.
static std::optional<ReductionKind> matchOp(Value value, Value first,
                                            Value second) {
  Operation *op = value.getDefiningOp();
  while (op && isa<sdy::ShardingConstraintOp>(op)) // of a scalar
    op = op->getOperand(0).getDefiningOp();
  if (!op || op->getNumOperands() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (!(a == first && b == second) && !(a == second && b == first))
    return std::nullopt;
  return getKind(op);
}

std::optional<ReductionKind> matchReduction(Region &region) {
  if (!region.hasOneBlock() || region.getNumArguments() != 2)
    return std::nullopt;
  Operation &terminator = region.front().back();
  if (terminator.getNumOperands() != 1)
    return std::nullopt;
  return matchOp(terminator.getOperand(0), region.getArgument(0),
                 region.getArgument(1));
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

static bool isIdentityFloat(const APFloat &value, ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return value.isZero();
  case ReductionKind::Mul:
    return value.isExactlyValue(1.0);
  case ReductionKind::Max:
    return value.isInfinity() && value.isNegative();
  case ReductionKind::Min:
    return value.isInfinity() && !value.isNegative();
  default:
    return false;
  }
}

static bool isIdentityInt(const APInt &value, ReductionKind kind,
                          bool isUnsigned) {
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return value.isZero();
  case ReductionKind::Mul:
    return value.isOne();
  case ReductionKind::And:
    return value.isAllOnes();
  case ReductionKind::Max:
    return isUnsigned ? value.isMinValue() : value.isMinSignedValue();
  case ReductionKind::Min:
    return isUnsigned ? value.isMaxValue() : value.isMaxSignedValue();
  }
  return false;
}

bool isIdentity(Value init, ReductionKind kind) {
  DenseElementsAttr value;
  if (!matchPattern(init, m_Constant(&value)))
    return false;
  Type type = value.getElementType();
  if (isa<FloatType>(type))
    return isIdentityFloat(value.getSplatValue<APFloat>(), kind);
  if (isa<IntegerType>(type))
    return isIdentityInt(value.getSplatValue<APInt>(), kind,
                         type.isUnsignedInteger());
  if (isa<ComplexType>(type) && kind == ReductionKind::Sum) {
    auto number = value.getSplatValue<std::complex<APFloat>>();
    return number.real().isZero() && number.imag().isZero();
  }
  return false;
}

StringRef getCombiner(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return "add";
  case ReductionKind::Max:
    return "max";
  case ReductionKind::Min:
    return "min";
  case ReductionKind::Mul:
    return "mul";
  case ReductionKind::And:
    return "and";
  case ReductionKind::Or:
    return "or";
  case ReductionKind::Xor:
    return "xor";
  }
  return "add";
}

static Value importOneReduction(ImportBuilder &builder, Value input, Value init,
                                Type type, ArrayRef<int64_t> dims,
                                ReductionKind kind) {
  auto resultType = cast<RankedTensorType>(type);
  Value result = builder.convert(input, resultType.getElementType());
  if (!dims.empty())
    result = builder.reduce(kind, result, dims);
  if (isIdentity(init, kind))
    return result;
  init = builder.convert(init, resultType.getElementType());
  return builder.make(getCombiner(kind),
                      {result, builder.broadcastScalar(init, resultType)});
}

/// Combines neighbours along `dim` until one element is left, which is the
/// order that any associative reducer allows. A step is done before the next,
/// lest elements be combined over and over.
static Imported reduceByHalves(ImportBuilder &builder, ValueRange inputs,
                               int64_t dim, Combiner combine) {
  SmallVector<Value> values(inputs);
  auto getSize = [&] {
    return cast<RankedTensorType>(values[0].getType()).getDimSize(dim);
  };
  while (getSize() > 1) {
    int64_t size = getSize(), even = size / 2 * 2;
    SmallVector<Value> first, second;
    for (Value value : values) {
      first.push_back(builder.slice(value, dim, 0, even, 2));
      second.push_back(builder.slice(value, dim, 1, even, 2));
    }
    Imported halves = combine(first, second);
    if (failed(halves))
      return failure();
    if (even < size)
      for (auto [half, value] : llvm::zip(*halves, values))
        half = builder.concatenate(
            {half, builder.slice(value, dim, even, size)}, dim);
    values = builder.barrier(*halves);
  }
  return values;
}

/// A reduction by a region of its own.
static Imported reduceByRegion(Importer &importer, stablehlo::ReduceOp reduce,
                               ImportBuilder &builder) {
  auto combine = [&](ValueRange first, ValueRange second) {
    SmallVector<Value> args(first);
    llvm::append_range(args, second);
    return applyRegion(importer, reduce, builder, reduce.getBody(), args);
  };
  SmallVector<Value> values, inits;
  for (auto [input, init, result] :
       llvm::zip(reduce.getInputs(), reduce.getInitValues(),
                 reduce.getResultTypes())) {
    auto type = cast<RankedTensorType>(result);
    values.push_back(builder.convert(input, type.getElementType()));
    inits.push_back(builder.broadcastScalar(
        builder.convert(init, type.getElementType()), type));
  }
  if (cast<RankedTensorType>(values[0].getType()).getNumElements() == 0)
    return inits;
  for (int64_t dim : reduce.getDimensions()) {
    Imported reduced = reduceByHalves(builder, values, dim, combine);
    if (failed(reduced))
      return failure();
    values = *std::move(reduced);
  }
  for (auto [value, result] : llvm::zip(values, reduce.getResultTypes()))
    value = builder.reshape(value, cast<RankedTensorType>(result).getShape());
  return combine(inits, values);
}

/// One core.reduce for each input, when each result of the reducer combines
/// the two values of its own input.
static Imported importReduce(Importer &importer, Operation *op,
                             ImportBuilder &builder) {
  auto reduce = cast<stablehlo::ReduceOp>(op);
  Block &body = reduce.getBody().front();
  unsigned count = reduce.getInputs().size();
  SmallVector<Value> results;
  SmallVector<ReductionKind> kinds;
  for (unsigned i = 0; i < count; ++i) {
    std::optional<ReductionKind> kind =
        matchOp(body.back().getOperand(i), body.getArgument(i),
                body.getArgument(count + i));
    if (!kind)
      return reduceByRegion(importer, reduce, builder);
    kinds.push_back(*kind);
  }
  for (unsigned i = 0; i < count; ++i)
    results.push_back(importOneReduction(
        builder, reduce.getInputs()[i], reduce.getInitValues()[i],
        reduce.getResult(i).getType(), reduce.getDimensions(), kinds[i]));
  return results;
}

void addReductionImports(ImportTable &table) {
  table.functions["stablehlo.reduce"] = importReduce;
}

} // namespace partita::io
