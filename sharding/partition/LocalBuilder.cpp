//===- LocalBuilder.cpp - Builds ops of one device's program --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/LocalBuilder.h"

using namespace mlir;

namespace partita {

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

AxesAttr LocalBuilder::getAxesAttr(ArrayRef<AxisRef> axes) const {
  return AxesAttr::fromAxes(meshName.getContext(), mesh, axes);
}

static Attribute makeNumber(Type element, int64_t value) {
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat number(static_cast<double>(value));
    bool isLossy = false;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &isLossy);
    return FloatAttr::get(type, number);
  }
  return IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), value,
                                         /*isSigned=*/true,
                                         /*implicitTrunc=*/true));
}

static Value makeConstant(OpBuilder &builder, Location loc,
                          RankedTensorType type, Attribute number) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Attribute zero = makeNumber(complex.getElementType(), 0);
    number = builder.getArrayAttr({number, zero});
  }
  auto scalar = RankedTensorType::get({}, element);
  Value constant = core::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(scalar, number));
  if (type.getRank() == 0)
    return constant;
  return core::BroadcastOp::create(builder, loc, type, constant,
                                   ArrayRef<int64_t>());
}

/// What complex numbers are made of; other types as they are.
static Type getPartType(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

Value LocalBuilder::makeSplat(RankedTensorType type, int64_t value) {
  return makeConstant(builder, loc, type,
                      makeNumber(getPartType(type.getElementType()), value));
}

/// What a sum leaves unchanged: -0 of floats, as 0 would turn -0 into 0.
static Attribute makeNothing(Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(
        type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  return makeNumber(element, 0);
}

/// The largest or smallest value of a type.
static Attribute makeExtreme(Type element, bool isLargest) {
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    bool hasInf = APFloat::semanticsHasInf(semantics);
    return FloatAttr::get(type,
                          hasInf ? APFloat::getInf(semantics, !isLargest)
                                 : APFloat::getLargest(semantics, !isLargest));
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (element.isUnsignedInteger() || width == 1)
    return IntegerAttr::get(element, isLargest ? APInt::getMaxValue(width)
                                               : APInt::getMinValue(width));
  return IntegerAttr::get(element, isLargest ? APInt::getSignedMaxValue(width)
                                             : APInt::getSignedMinValue(width));
}

Value LocalBuilder::makeIdentity(RankedTensorType type, ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return makeConstant(builder, loc, type,
                        makeNothing(getPartType(type.getElementType())));
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return makeSplat(type, 0);
  case ReductionKind::Mul:
    return makeSplat(type, 1);
  case ReductionKind::And:
    return makeSplat(type, -1);
  case ReductionKind::Max:
  case ReductionKind::Min:
    return makeConstant(
        builder, loc, type,
        makeExtreme(type.getElementType(), kind == ReductionKind::Min));
  }
  return {};
}

Value LocalBuilder::broadcast(Value scalar, ArrayRef<int64_t> shape) {
  if (shape.empty())
    return scalar;
  return core::BroadcastOp::create(
      builder, loc, getType(shape, getTensor(scalar).getElementType()), scalar,
      ArrayRef<int64_t>());
}

Value LocalBuilder::broadcastAlong(Value vector, int64_t dim,
                                   ArrayRef<int64_t> shape) {
  return core::BroadcastOp::create(
      builder, loc, getType(shape, getTensor(vector).getElementType()), vector,
      ArrayRef<int64_t>({dim}));
}

Value LocalBuilder::convert(Value value, Type element) {
  RankedTensorType type = getTensor(value);
  if (type.getElementType() == element)
    return value;
  return core::ConvertOp::create(builder, loc,
                                 getType(type.getShape(), element), value);
}

Value LocalBuilder::compare(Value lhs, Value rhs, Comparison direction) {
  auto type = getType(getTensor(lhs).getShape(), builder.getI1Type());
  return core::CompareOp::create(builder, loc, type, lhs, rhs, direction);
}

Value LocalBuilder::makeShardStart(const LocalDim &dim, Type element) {
  Type i32 = builder.getI32Type();
  Value index =
      comm::AxisIndexOp::create(builder, loc, getType({}, i32),
                                meshName.getValue(), getAxesAttr(dim.axes));
  index = convert(index, element);
  if (dim.local == 1)
    return index;
  return core::MulOp::create(builder, loc, index,
                             makeSplat(getType({}, element), dim.local));
}

Value LocalBuilder::lookUpByDevice(ArrayRef<int64_t> table) {
  Type i32 = builder.getI32Type();
  auto scalar = getType({}, i32);
  if (llvm::all_equal(table))
    return makeSplat(scalar, table.front());
  SmallVector<AxisRef> axes;
  for (size_t i = 0; i < mesh.getAxes().size(); ++i)
    axes.push_back(mesh.getWholeAxis(static_cast<int32_t>(i)));
  SmallVector<int32_t> byPlace(table.size());
  for (auto [device, entry] : llvm::enumerate(table))
    byPlace[mesh.getCoordinate(static_cast<int64_t>(device), axes)] =
        static_cast<int32_t>(entry);
  auto size = static_cast<int64_t>(table.size());
  Value all = core::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(getType({size}, i32), ArrayRef<int32_t>(byPlace)));
  Value at = comm::AxisIndexOp::create(builder, loc, scalar,
                                       meshName.getValue(), getAxesAttr(axes));
  Value entry =
      core::DynamicSliceOp::create(builder, loc, getType({1}, i32), all,
                                   ValueRange{at}, ArrayRef<int64_t>({1}));
  return core::ReshapeOp::create(builder, loc, scalar, entry);
}

Value LocalBuilder::makeGlobalIndices(const LocalDim &dim, Type element) {
  Value local =
      core::IotaOp::create(builder, loc, getType({dim.local}, element), 0);
  if (!dim.isSplit())
    return local;
  return core::AddOp::create(
      builder, loc, local,
      broadcast(makeShardStart(dim, element), {dim.local}));
}

Value LocalBuilder::makeValidMask(const LocalDim &dim) {
  Type element =
      dim.global > INT32_MAX / 2 ? builder.getI64Type() : builder.getI32Type();
  Value indices = makeGlobalIndices(dim, element);
  return compare(indices, makeSplat(getTensor(indices), dim.global),
                 Comparison::Lt);
}

Value LocalBuilder::maskPadding(Value value, int64_t d, const LocalDim &dim,
                                Value filler) {
  Value mask =
      broadcastAlong(makeValidMask(dim), d, getTensor(value).getShape());
  return core::SelectOp::create(builder, loc, value.getType(), mask, value,
                                filler);
}

Value LocalBuilder::padTo(Value value, int64_t d, int64_t size) {
  RankedTensorType type = getTensor(value);
  if (type.getDimSize(d) >= size)
    return value;
  SmallVector<int64_t> none(type.getRank(), 0), high = none,
                                                shape(type.getShape());
  high[d] = size - shape[d];
  shape[d] = size;
  Value zero = makeSplat(getType({}, type.getElementType()), 0);
  return core::PadOp::create(builder, loc,
                             getType(shape, type.getElementType()), value, zero,
                             none, high, none);
}

Value LocalBuilder::cutTo(Value value, int64_t d, int64_t size) {
  RankedTensorType type = getTensor(value);
  if (type.getDimSize(d) <= size)
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), ones(type.getRank(), 1),
      limits(type.getShape());
  limits[d] = size;
  return core::SliceOp::create(builder, loc,
                               getType(limits, type.getElementType()), value,
                               starts, limits, ones);
}

Value LocalBuilder::takeShard(Value value, int64_t d, ArrayRef<AxisRef> axes,
                              int64_t size) {
  value = padTo(value, d, size * getProduct(axes));
  SmallVector<int64_t> shape(getTensor(value).getShape());
  shape[d] = size;
  return comm::SliceOp::create(
      builder, loc, getType(shape, getTensor(value).getElementType()), value,
      meshName.getValue(), getAxesAttr(axes), static_cast<uint64_t>(d),
      ArrayAttr(), ArrayAttr());
}

} // namespace partita
