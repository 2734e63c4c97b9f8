//===- Phases.cpp - The phases of a compilation ---------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Phases.h"

namespace partita {

static constexpr PhaseInfo kPhases[] = {
    {Phase::Import, "import",
     "reads StableHLO, CHLO and sdy into the core dialect"},
    {Phase::Simplify, "simplify",
     "inlines calls, folds constants, removes what repeats"},
    {Phase::Propagate, "propagate", "gives every value a sharding"},
    {Phase::Partition, "partition",
     "inserts a reshard wherever a value is needed other than it lies"},
    {Phase::Collectives, "collectives",
     "turns reshards into collectives, moves and combines them"},
    {Phase::Localise, "localise", "turns global shapes into one device's"},
    {Phase::Fuse, "fuse", "cuts the program into kernels and launches"},
    {Phase::Memory, "memory", "gives every value its place in the arena"},
    {Phase::Codegen, "codegen", "generates the kernels and the plan"},
};

std::span<const PhaseInfo> getPhases() { return kPhases; }

std::string_view getName(Phase phase) {
  return kPhases[static_cast<int>(phase)].name;
}

std::optional<Phase> parsePhase(std::string_view name) {
  for (const PhaseInfo &info : kPhases)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

} // namespace partita
