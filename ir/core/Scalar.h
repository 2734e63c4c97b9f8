//===- Scalar.h - One element of a pointwise op -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_SCALAR_H
#define PARTITA_IR_CORE_SCALAR_H

#include "mlir/IR/Builders.h"

/// Builders of one element for ops whose arith op depends on the element type.
/// `type` is the element type of the tensors; the arguments are scalars or
/// vectors whose integers are signless.
namespace partita::core::scalar {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Type;
using mlir::Value;

Value buildNeg(OpBuilder &builder, Location loc, Type type, Value x);
Value buildAdd(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildSub(OpBuilder &builder, Location loc, Type type, Value a, Value b);
Value buildMul(OpBuilder &builder, Location loc, Type type, Value a, Value b);

} // namespace partita::core::scalar

#endif // PARTITA_IR_CORE_SCALAR_H
