//===- Scalar.h - One element of a pointwise op -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_SCALAR_H
#define PARTITA_IR_CORE_SCALAR_H

#include "ir/attrs/Attributes.h"
#include "mlir/IR/Builders.h"

/// Builders of one element, for ops that are more than one arith or math op or
/// whose arith op depends on the element type. `type` is the element type of
/// the tensors and says float, integer (with signedness) or complex; the
/// arguments are scalars or vectors whose integers are signless. Floats may be
/// wider than `type`: nothing here rounds.
namespace partita::core::scalar {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Type;
using mlir::Value;

Value buildNeg(OpBuilder &builder, Location loc, Type type, Value x);
Value buildNot(OpBuilder &builder, Location loc, Value x);
Value buildSign(OpBuilder &builder, Location loc, Type type, Value x);
Value buildAbs(OpBuilder &builder, Location loc, Type type, Value x);
Value buildImag(OpBuilder &builder, Location loc, Type type, Value x);
Value buildLogistic(OpBuilder &builder, Location loc, Type type, Value x);
/// Rounds to `exponentBits` and `mantissaBits`, to nearest even; what is out of
/// range becomes infinite, what is denormal there becomes zero.
Value buildReducePrecision(OpBuilder &builder, Location loc, Value x,
                           int64_t exponentBits, int64_t mantissaBits);
/// `type` and `to` are the element types before and after.
Value buildConvert(OpBuilder &builder, Location loc, Type type, Type to,
                   Value x);
Value buildBitcast(OpBuilder &builder, Location loc, Type to, Value x);

Value buildAdd(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildSub(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildMul(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildDiv(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildRem(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildMax(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildMin(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildPow(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildAtan2(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildShl(OpBuilder &builder, Location loc, Value a, Value b);
Value buildShrLogical(OpBuilder &builder, Location loc, Value a, Value b);
Value buildShrArith(OpBuilder &builder, Location loc, Value a, Value b);
Value buildCompare(OpBuilder &builder, Location loc, Type type,
                   Comparison direction, bool isTotal, Value a, Value b);
Value buildClamp(OpBuilder &builder, Location loc, Type type, Value low,
                 Value x, Value high);
/// Two partial values of a reduction combined.
Value buildCombine(OpBuilder &builder, Location loc, Type type,
                   ReductionKind kind, Value a, Value b);

} // namespace partita::core::scalar

#endif // PARTITA_IR_CORE_SCALAR_H
