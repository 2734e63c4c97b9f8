//===- Parse.h - From text to a module --------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_PARSE_H
#define PARTITA_DRIVER_PARSE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace partita {

/// Parses a module. Ops whose location has no position get that of their text,
/// so that a diagnostic always has a line to point to. Null after errors.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const std::string &text,
                                              const std::string &name,
                                              mlir::MLIRContext *context);

} // namespace partita

#endif // PARTITA_DRIVER_PARSE_H
