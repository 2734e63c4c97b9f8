//===- Sdy.h - Shardy's dialect, attributes and ops -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_SDY_SDY_H
#define PARTITA_IR_IO_SDY_SDY_H

#include "ir/io/Assembly.h"
#include "ir/io/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/io/sdy/SdyDialect.h.inc"
#include "ir/io/sdy/SdyEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/io/sdy/SdyAttrs.h.inc"

#define GET_OP_CLASSES
#include "ir/io/sdy/SdyOps.h.inc"

namespace partita::sdy {

/// On a function's arguments and results: a ShardingAttr. On an op: a
/// ShardingPerValueAttr, one sharding for each result.
inline constexpr llvm::StringLiteral kShardingAttrName = "sdy.sharding";
/// On a custom call: an OpShardingRuleAttr.
inline constexpr llvm::StringLiteral kShardingRuleAttrName =
    "sdy.sharding_rule";

/// The mesh that a sharding names, and the op that defines it (null when the
/// mesh is written in place). Both are null when there is no such mesh.
std::pair<MeshAttr, MeshOp> lookupMesh(mlir::Operation *from,
                                       ShardingAttr sharding);

/// Checks a sharding against its mesh and the type that it is for. Errors go
/// to `op` and begin with `what`; a note points at the mesh.
llvm::LogicalResult verifySharding(mlir::Operation *op, llvm::StringRef what,
                                   ShardingAttr sharding, mlir::Type type);

} // namespace partita::sdy

#endif // PARTITA_IR_IO_SDY_SDY_H
