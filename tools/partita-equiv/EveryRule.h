//===- EveryRule.h - Proves index rules by running them ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_EQUIV_EVERYRULE_H
#define PARTITA_TOOLS_PARTITA_EQUIV_EVERYRULE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace partita {

/// Checks a module as partita-equiv does; quiet when equal.
using CheckFn = llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)>;

/// For each core op's example, splits each factor of the op's rule over 2 and
/// over 3 devices by sharding the arguments that carry it, and checks the
/// partitioned module. Prints a line per op; returns the number of failures.
int checkEveryRule(mlir::MLIRContext &context, CheckFn check);

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_EQUIV_EVERYRULE_H
