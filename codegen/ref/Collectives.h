//===- Collectives.h - Collectives among virtual devices --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_REF_COLLECTIVES_H
#define PARTITA_CODEGEN_REF_COLLECTIVES_H

#include "codegen/ref/Placement.h"
#include "ir/comm/Comm.h"

#include <string>

namespace partita::ref {

/// Runs an op of the comm dialect: `operands[i]` and `results[i]` hold one
/// tensor per device.
llvm::LogicalResult runComm(mlir::Operation *op, int64_t numDevices,
                            llvm::ArrayRef<Shards> operands,
                            llvm::SmallVectorImpl<Shards> &results);

/// The name of a collective in reports, "all-reduce"; empty for ops that do not
/// communicate.
std::string getCollectiveName(mlir::Operation *op);

} // namespace partita::ref

#endif // PARTITA_CODEGEN_REF_COLLECTIVES_H
