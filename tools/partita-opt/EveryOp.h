//===- EveryOp.h - The table of all ops -------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_OPT_EVERYOP_H
#define PARTITA_TOOLS_PARTITA_OPT_EVERYOP_H

#include "mlir/IR/DialectRegistry.h"

namespace partita {

/// Prints what each core op has, and parses, prints and runs its example.
/// Returns the number of gaps.
int printEveryOp(const mlir::DialectRegistry &registry);

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_OPT_EVERYOP_H
