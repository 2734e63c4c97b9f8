//===- OpNames.h - Ops that differ in their name only -----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_OPNAMES_H
#define PARTITA_IR_IO_OPNAMES_H

#include "llvm/ADT/StringRef.h"

namespace partita::io {

/// An op of a text dialect and the core op with the same operands and result,
/// and no attributes. Import reads the table one way, export the other.
struct OpNames {
  llvm::StringLiteral text, core;
};

inline constexpr OpNames kSameOps[] = {
    {"stablehlo.abs", "core.abs"},
    {"stablehlo.add", "core.add"},
    {"stablehlo.and", "core.and"},
    {"stablehlo.atan2", "core.atan2"},
    {"stablehlo.cbrt", "core.cbrt"},
    {"stablehlo.ceil", "core.ceil"},
    {"stablehlo.complex", "core.complex"},
    {"stablehlo.convert", "core.convert"},
    {"stablehlo.cosine", "core.cos"},
    {"stablehlo.count_leading_zeros", "core.clz"},
    {"stablehlo.divide", "core.div"},
    {"stablehlo.dynamic_update_slice", "core.dynamic_update_slice"},
    {"stablehlo.exponential", "core.exp"},
    {"stablehlo.exponential_minus_one", "core.expm1"},
    {"stablehlo.floor", "core.floor"},
    {"stablehlo.imag", "core.imag"},
    {"stablehlo.is_finite", "core.is_finite"},
    {"stablehlo.log", "core.log"},
    {"stablehlo.log_plus_one", "core.log1p"},
    {"stablehlo.logistic", "core.logistic"},
    {"stablehlo.maximum", "core.max"},
    {"stablehlo.minimum", "core.min"},
    {"stablehlo.multiply", "core.mul"},
    {"stablehlo.negate", "core.neg"},
    {"stablehlo.not", "core.not"},
    {"stablehlo.or", "core.or"},
    {"stablehlo.popcnt", "core.popcnt"},
    {"stablehlo.power", "core.pow"},
    {"stablehlo.real", "core.real"},
    {"stablehlo.remainder", "core.rem"},
    {"stablehlo.reshape", "core.reshape"},
    {"stablehlo.round_nearest_afz", "core.round"},
    {"stablehlo.round_nearest_even", "core.round_even"},
    {"stablehlo.rsqrt", "core.rsqrt"},
    {"stablehlo.shift_left", "core.shl"},
    {"stablehlo.shift_right_arithmetic", "core.shr_arith"},
    {"stablehlo.shift_right_logical", "core.shr_logical"},
    {"stablehlo.sign", "core.sign"},
    {"stablehlo.sine", "core.sin"},
    {"stablehlo.sqrt", "core.sqrt"},
    {"stablehlo.subtract", "core.sub"},
    {"stablehlo.tan", "core.tan"},
    {"stablehlo.tanh", "core.tanh"},
    {"stablehlo.xor", "core.xor"},
    {"chlo.acos", "core.acos"},
    {"chlo.acosh", "core.acosh"},
    {"chlo.asin", "core.asin"},
    {"chlo.asinh", "core.asinh"},
    {"chlo.atan", "core.atan"},
    {"chlo.atanh", "core.atanh"},
    {"chlo.cosh", "core.cosh"},
    {"chlo.erf", "core.erf"},
    {"chlo.erfc", "core.erfc"},
    {"chlo.sinh", "core.sinh"},
};

} // namespace partita::io

#endif // PARTITA_IR_IO_OPNAMES_H
