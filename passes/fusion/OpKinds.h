//===- OpKinds.h - How ops take part in fusion ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_FUSION_OPKINDS_H
#define PARTITA_PASSES_FUSION_OPKINDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace partita {

/// What fusion makes of an op.
enum class FusionKind {
  Outside,   ///< Stays in the function: collectives, control flow, constants.
  Inline,    ///< Only renames elements: repeated wherever it is read.
  Pointwise, ///< Elements from those at the same index.
  Move,      ///< Moves elements at some cost: gather, concatenate, pad …
  RowReduce, ///< Reduces trailing dimensions.
  Reduce,    ///< Any other reduction.
  Dot,
  Alone, ///< A kernel of its own: scatter, dynamic_update_slice …
};

/// Marks an op that stays outside although its kind would not, during the pass.
inline constexpr llvm::StringLiteral kOutsideAttrName = "plan.outside";

FusionKind getFusionKind(mlir::Operation *op);

llvm::ArrayRef<int64_t> getTensorShape(mlir::Value value);
int64_t getTensorSize(mlir::Value value);

/// Arithmetic operations of one execution: a product and its sum are two, any
/// other element that is computed is one, moved elements are none.
double countFlops(mlir::Operation *op);

/// Whether `op` is a constant of one value, however often repeated.
bool isSplatConstant(mlir::Operation *op);

} // namespace partita

#endif // PARTITA_PASSES_FUSION_OPKINDS_H
