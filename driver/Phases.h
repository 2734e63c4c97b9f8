//===- Phases.h - The phases of a compilation -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_PHASES_H
#define PARTITA_DRIVER_PHASES_H

#include <optional>
#include <span>
#include <string_view>

namespace partita {

/// The steps from source to package, in their order.
enum class Phase {
  Import,      ///< StableHLO text -> core, global shapes.
  Simplify,    ///< Calls inlined, constants folded, duplicates removed.
  Propagate,   ///< A sharding on every value.
  Partition,   ///< Reshards wherever a value is needed other than it lies.
  Collectives, ///< Reshards -> collectives on global shapes, combined.
  Localise,    ///< Global -> local shapes.
  Fuse,        ///< Kernels, launches, collectives.
  Memory,      ///< Arena offsets.
  Codegen,     ///< Kernels -> a shared object; the plan.
};

struct PhaseInfo {
  Phase phase;
  std::string_view name; ///< As in options, dumps and reports.
  std::string_view description;
};

/// All phases in their order.
std::span<const PhaseInfo> getPhases();
std::string_view getName(Phase phase);
std::optional<Phase> parsePhase(std::string_view name);

} // namespace partita

#endif // PARTITA_DRIVER_PHASES_H
