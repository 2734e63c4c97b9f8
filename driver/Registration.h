//===- Registration.h - Every dialect and pass of Partita -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_REGISTRATION_H
#define PARTITA_DRIVER_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace partita {

/// Every dialect that a source, a dump or a test may hold.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass, by its flag, for partita-opt and pipelines given as text.
void registerAllPasses();

} // namespace partita

#endif // PARTITA_DRIVER_REGISTRATION_H
