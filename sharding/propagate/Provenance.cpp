//===- Provenance.cpp - Where an axis of a sharding came from ---*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/propagate/Provenance.h"

using namespace mlir;

namespace partita {

std::string getValueName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  return "";
}

std::string getSourceLine(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
  if (auto name = dyn_cast<NameLoc>(loc))
    return getSourceLine(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::string line = getSourceLine(call.getCallee());
    return line.empty() ? getSourceLine(call.getCaller()) : line;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string line = getSourceLine(part); !line.empty())
        return line;
  return "";
}

} // namespace partita
