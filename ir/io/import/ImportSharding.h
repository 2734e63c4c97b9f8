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

/// sdy.sharding, tf.aliasing_output, jax.buffer_donor of arguments and results
/// become core.sharding, core.alias, core.donated. Others of foreign dialects
/// go, except jax.result_info.
void importFunctionAttributes(mlir::func::FuncOp func);

/// Removes attributes of the dialects jax, mhlo, sdy and tf.
void removeForeignAttributes(mlir::Operation *op);

/// The values, each behind a core.sharding_constraint where it has a sharding.
/// `shardings` may be null.
llvm::SmallVector<mlir::Value>
constrainValues(ImportBuilder &builder, mlir::ModuleOp module,
                mlir::ValueRange values, sdy::ShardingPerValueAttr shardings);

} // namespace partita::io

#endif // PARTITA_IR_IO_IMPORT_IMPORTSHARDING_H
