//===- Pointwise.h - Ops on corresponding elements --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_POINTWISE_H
#define PARTITA_CODEGEN_CPU_POINTWISE_H

#include "codegen/cpu/LoopBuilder.h"
#include "mesh/Mesh.h"
#include "mlir/IR/Operation.h"

namespace partita::cpu {

/// Whether `op` computes each element from those at the same index, and can be
/// emitted here.
bool isPointwise(mlir::Operation *op);

/// One result element (or vector of them) from the operands' elements; null for
/// a combination of op and element type that is not supported.
Elem emitPointwise(LoopBuilder &builder, mlir::Operation *op,
                   llvm::ArrayRef<Elem> operands);

/// `value` of element type `from` converted to `to`: floats to integers
/// saturate, NaN becomes 0.
Elem emitConvert(LoopBuilder &builder, Elem value, mlir::Type from,
                 mlir::Type to);

/// Combines two values of a floating-point or integer type as reductions do.

Elem emitCombine(LoopBuilder &builder, ReductionKind kind, mlir::Type type,
                 Elem a, Elem b);
/// What leaves the other operand of the combiner unchanged.
Elem getIdentity(llvm::LLVMContext &context, ReductionKind kind,
                 mlir::Type type);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_POINTWISE_H
