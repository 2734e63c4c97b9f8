//===- Patterns.h - Rewrites that make programs smaller ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_SIMPLIFY_PATTERNS_H
#define PARTITA_PASSES_SIMPLIFY_PATTERNS_H

#include "ir/core/Core.h"
#include "mlir/IR/PatternMatch.h"

namespace partita {

/// Each lists its patterns, as before -> after, above its patterns' code.
void addArithmeticPatterns(mlir::RewritePatternSet &patterns);
void addShapePatterns(mlir::RewritePatternSet &patterns);
void addContractionPatterns(mlir::RewritePatternSet &patterns);
void addIndexingPatterns(mlir::RewritePatternSet &patterns);
void addSlicePatterns(mlir::RewritePatternSet &patterns);
void addManualPatterns(mlir::RewritePatternSet &patterns);

/// The scalar that the value repeats everywhere, as a rank-0 value: the operand
/// of a broadcast of a scalar. Null for other values.
mlir::Value getRepeatedScalar(mlir::Value value);

/// The element that a constant, or a broadcast of one, repeats everywhere; null
/// for other values.
mlir::Attribute getRepeatedElement(mlir::Value value);

} // namespace partita

#endif // PARTITA_PASSES_SIMPLIFY_PATTERNS_H
