//===- Reference.h - The reference back-end ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter of N virtual devices: the definition of what a program means,
// before partitioning and after. It is written to be read, not to be fast.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_REF_REFERENCE_H
#define PARTITA_CODEGEN_REF_REFERENCE_H

#include "mlir/IR/BuiltinOps.h"
#include "support/HostTensor.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>
#include <vector>

namespace partita {

/// What the collectives of one kind came to, on one device: launches executed
/// and bytes of their results, loops multiplied out.
struct CollectiveCount {
  int64_t count = 0;
  int64_t resultBytes = 0;
};

struct ReferenceRun {
  /// Whole arrays.
  std::vector<HostTensor> results;
  /// By kind: "all-reduce", "all-gather", "reduce-scatter", "all-to-all",
  /// "collective-permute".
  std::map<std::string, CollectiveCount> collectives;
};

/// Runs @main on whole arrays, one per argument, of the right shapes and
/// element types.
///
/// A localised module (its arguments or results carry `core.global`) runs on
/// all devices of its mesh: arguments are cut into shards, padded with zeros,
/// and results are joined. Any other module runs on one device; shardings in it
/// mean nothing, and reshards and collectives in their global form keep the
/// value.
///
/// Fails after an error at the op that cannot be run, at a predicate that
/// differs between devices, or at a result whose copies differ.
mlir::FailureOr<ReferenceRun>
runReference(mlir::ModuleOp module, llvm::ArrayRef<HostTensor> arguments);

} // namespace partita

#endif // PARTITA_CODEGEN_REF_REFERENCE_H
