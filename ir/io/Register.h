//===- Register.h - The text dialects and their passes ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_REGISTER_H
#define PARTITA_IR_IO_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace partita {

/// stablehlo, chlo, sdy, check, interpreter, and the namespaces jax, mhlo, tf
/// of foreign attributes. Never into a context that has upstream's dialects of
/// these names: MLIR stops the process.
void registerTextDialects(mlir::DialectRegistry &registry);

/// --partita-import and --partita-export-stablehlo.
void registerTextPasses();

} // namespace partita

#endif // PARTITA_IR_IO_REGISTER_H
