//===- Types.h - Element types in IR and outside ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_TYPES_H
#define PARTITA_IR_CORE_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "support/DType.h"
#include "support/HostTensor.h"

#include <optional>

namespace partita {

/// The element type as files and the runtime know it; none for types that
/// tensors of a program cannot have.
std::optional<DType> toDType(mlir::Type elementType);
mlir::Type fromDType(mlir::MLIRContext *context, DType type);

/// Bytes of a static tensor in memory.
int64_t getNumBytes(mlir::RankedTensorType type);

/// Dense bytes of a constant, and back. The element type must have a DType.
HostTensor toHostTensor(mlir::ElementsAttr value);
mlir::DenseElementsAttr fromHostTensor(mlir::RankedTensorType type,
                                       const HostTensor &tensor);

} // namespace partita

#endif // PARTITA_IR_CORE_TYPES_H
