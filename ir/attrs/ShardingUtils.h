//===- ShardingUtils.h - Shardings of SSA values ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where shardings are kept in IR:
//   * of an op's results: the op attribute `core.shardings`, an array with one
//     #core.sharding per result;
//   * of a function's arguments and results: the argument or result attribute
//     `core.sharding`;
//   * of the arguments of a region of core.while: those of the op's results.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_ATTRS_SHARDINGUTILS_H
#define PARTITA_IR_ATTRS_SHARDINGUTILS_H

#include "ir/attrs/Attributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Value.h"

namespace partita {

inline constexpr llvm::StringLiteral kShardingsAttrName = "core.shardings";
inline constexpr llvm::StringLiteral kShardingAttrName = "core.sharding";
/// On an argument of @main: the number of the result that may take its place.
inline constexpr llvm::StringLiteral kAliasAttrName = "core.alias";
/// On an argument of @main (unit): its memory may be reused for any result.
inline constexpr llvm::StringLiteral kDonatedAttrName = "core.donated";

/// On an argument or result of a localised function: its global type.
inline constexpr llvm::StringLiteral kGlobalTypeAttrName = "core.global";
/// On a core.mesh (unit): the program depends on the sizes of its axes.
inline constexpr llvm::StringLiteral kFixedMeshAttrName = "core.fixed";

/// The sharding of a value, or null where it has none.
ShardingAttr getSharding(mlir::Value value);
/// Sets the sharding of a value. Arguments of a core.while region take theirs
/// from the op's results: set those.
void setSharding(mlir::Value value, ShardingAttr sharding);
/// The sharding that a function's caller expects of a result, or null.
ShardingAttr getResultSharding(mlir::func::FuncOp func, unsigned result);
void setResultSharding(mlir::func::FuncOp func, unsigned result,
                       ShardingAttr sharding);

/// The mesh of that symbol name, or null.
MeshAttr lookupMesh(mlir::Operation *from, mlir::StringAttr name);
/// The only mesh of the module, or the first; null where there is none.
mlir::StringAttr getMeshName(mlir::ModuleOp module);

} // namespace partita

#endif // PARTITA_IR_ATTRS_SHARDINGUTILS_H
