//===- PointwiseOps.cpp - Ops on corresponding elements ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"
#include "ir/core/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace partita::core::scalar {

Value buildNeg(OpBuilder &builder, Location loc, Type type, Value x) {
  if (isa<FloatType>(type))
    return arith::NegFOp::create(builder, loc, x);
  if (isa<ComplexType>(type))
    return complex::NegOp::create(builder, loc, x);
  Value zero = arith::ConstantOp::create(builder, loc, x.getType(),
                                         builder.getZeroAttr(x.getType()));
  return arith::SubIOp::create(builder, loc, zero, x);
}

Value buildAdd(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::AddFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::AddOp::create(builder, loc, a, b);
  if (type.isInteger(1))
    return arith::OrIOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

Value buildSub(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::SubFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::SubOp::create(builder, loc, a, b);
  return arith::SubIOp::create(builder, loc, a, b);
}

Value buildMul(OpBuilder &builder, Location loc, Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::MulFOp::create(builder, loc, a, b);
  if (isa<ComplexType>(type))
    return complex::MulOp::create(builder, loc, a, b);
  if (type.isInteger(1))
    return arith::AndIOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}

} // namespace partita::core::scalar
