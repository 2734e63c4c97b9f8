//===- Core.h - The core dialect --------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_CORE_H
#define PARTITA_IR_CORE_CORE_H

#include "ir/attrs/Attributes.h"
#include "ir/core/Types.h"
#include "ir/interfaces/Interfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/core/CoreDialect.h.inc"

namespace partita::core {
/// The element type of a complex type; any other type is itself.
mlir::Type getRealType(mlir::Type type);
/// A ranked tensor type with its element type replaced; any other type as is.
mlir::Type mapElementType(mlir::Type tensor,
                          llvm::function_ref<mlir::Type(mlir::Type)> map);
} // namespace partita::core

#define GET_OP_CLASSES
#include "ir/core/CoreOps.h.inc"

#endif // PARTITA_IR_CORE_CORE_H
