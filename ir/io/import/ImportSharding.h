//===- ImportSharding.h - Meshes, shardings, foreign attributes -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_IMPORT_IMPORTSHARDING_H
#define PARTITA_IR_IO_IMPORT_IMPORTSHARDING_H

#include "ir/io/import/Importer.h"
#include "ir/io/sdy/Sdy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace partita::io {

/// Every sdy.mesh with axes becomes a core.mesh of the same name; others go.
void importMeshes(mlir::ModuleOp module);

/// The core form of a sharding; null where it says nothing about placement
/// (a mesh without axes). A mesh written in place gets a core.mesh.
ShardingAttr importSharding(mlir::ModuleOp module, sdy::ShardingAttr sharding);

/// XLA's text for a sharding, on arguments, results and ops.
inline constexpr llvm::StringLiteral kXlaShardingAttrName = "mhlo.sharding";

/// The core form of a text such as "{devices=[2,4]<=[8]}"; `openDims` may be
/// split further. Null where it says nothing, and after a warning where it
/// cannot be kept.
ShardingAttr importXlaSharding(mlir::ModuleOp module, llvm::StringRef text,
                               mlir::Type type, mlir::Location loc,
                               llvm::ArrayRef<int64_t> openDims = {});

/// What an op's attributes say of its results, in core's terms: one entry a
/// result, or none. Entries may be null.
llvm::SmallVector<ShardingAttr> importShardings(mlir::ModuleOp module,
                                                mlir::Operation *op);
llvm::SmallVector<ShardingAttr>
importShardings(mlir::ModuleOp module, sdy::ShardingPerValueAttr shardings);
llvm::SmallVector<ShardingAttr> importXlaShardings(mlir::ModuleOp module,
                                                   mlir::Operation *op);

/// sdy.sharding (or mhlo.sharding), tf.aliasing_output, jax.buffer_donor of
/// arguments and results become core.sharding, core.alias, core.donated. Others
/// of foreign dialects go, except jax.result_info.
void importFunctionAttributes(mlir::func::FuncOp func);

/// Removes attributes of the dialects jax, mhlo, sdy and tf.
void removeForeignAttributes(mlir::Operation *op);

/// A non-negative number of any width; none where it has more than 63 bits.
std::optional<int64_t> getNumber(mlir::Attribute attribute);

/// The values, each behind a core.sharding_constraint where it has a sharding.
/// Leaves them as they are where `shardings` has not one entry for each.
llvm::SmallVector<mlir::Value>
constrainValues(ImportBuilder &builder, mlir::ValueRange values,
                llvm::ArrayRef<ShardingAttr> shardings);

} // namespace partita::io

#endif // PARTITA_IR_IO_IMPORT_IMPORTSHARDING_H
