//===- Reductions.h - What can be reduced how -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_REDUCTIONS_H
#define PARTITA_IR_CORE_REDUCTIONS_H

#include "mesh/Mesh.h"

#include "mlir/IR/BuiltinTypes.h"

namespace partita {

/// Why elements of that type cannot be reduced so; empty where they can.
inline llvm::StringRef getReductionFault(ReductionKind kind,
                                         mlir::Type element) {
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::Mul:
    return "";
  case ReductionKind::Max:
  case ReductionKind::Min:
    return llvm::isa<mlir::ComplexType>(element)
               ? "complex numbers have no order"
               : "";
  case ReductionKind::And:
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return llvm::isa<mlir::IntegerType>(element) ? "" : "it takes integers";
  }
  return "";
}

} // namespace partita

#endif // PARTITA_IR_CORE_REDUCTIONS_H
