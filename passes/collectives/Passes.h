//===- Passes.h - Passes on reshards and collectives ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_PASSES_H
#define PARTITA_PASSES_COLLECTIVES_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <optional>

namespace partita {

#define GEN_PASS_DECL
#include "passes/collectives/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/collectives/Passes.h.inc"

struct CollectiveOptions {
  /// Refuses a reshard between two shardings that gathers the whole tensor on
  /// every device in between.
  bool failOnRemat = false;
  /// Refuses a reshard by which a device sends more than this in a step.
  std::optional<int64_t> maxReshardBytes;
};

/// From comm.reshard ops to few, cheap collectives on global shapes: all passes
/// here in their order.
void addCollectivePasses(mlir::OpPassManager &manager,
                         const CollectiveOptions &options = {});

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_PASSES_H
