//===- CollectiveReport.h - Every collective, priced ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_COLLECTIVEREPORT_H
#define PARTITA_PASSES_COLLECTIVES_COLLECTIVEREPORT_H

#include "ir/comm/Comm.h"
#include "mesh/CollectiveCost.h"
#include "support/DType.h"

#include <string>
#include <vector>

namespace partita {

/// One collective op of a program. Figures are of one device.
struct CollectiveEntry {
  CollectiveKind kind;
  /// `model`, or `model:(1)2` for a part of an axis.
  std::vector<std::string> axes;
  int64_t groupSize = 1;
  /// Executions in a step, as if a branch were always taken and a loop of
  /// unknown count ran once.
  int64_t count = 1;
  /// Whether there is no such branch or loop around it.
  bool isExact = true;
  DType dtype = DType::F32;
  std::optional<ReductionKind> reduction;
  /// The number of values that it moves in one launch.
  int64_t operands = 1;
  int64_t resultBytes = 0; ///< Of one execution.
  int64_t wireBytes = 0;   ///< Of one execution.
  double seconds = 0;      ///< Predicted, of one execution.
  std::string source;      ///< "models/gpt.py:31", or "".
  std::string value;       ///< The name at that place, or "".
  std::string reason;
};

/// The collectives of a module in program order. Asks for the partitioned
/// program, on global or on local shapes, before loops are outlined.
std::vector<CollectiveEntry> getCollectives(mlir::ModuleOp module,
                                            const Topology &topology = {});

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_COLLECTIVEREPORT_H
