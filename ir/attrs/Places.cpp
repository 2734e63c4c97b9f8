//===- Places.cpp - Where in the user's source a value comes from ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/Places.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace partita {

static void visit(Location location, Place &place) {
  llvm::TypeSwitch<Location>(location)
      .Case([&](NameLoc name) {
        if (place.name.empty())
          place.name = name.getName().str();
        visit(name.getChildLoc(), place);
      })
      .Case([&](CallSiteLoc call) {
        visit(call.getCallee(), place);
        if (place.file.empty())
          visit(call.getCaller(), place);
      })
      .Case([&](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (place.file.empty())
            visit(part, place);
      })
      .Case([&](FileLineColRange range) {
        place.file = range.getFilename().str();
        place.line = range.getStartLine();
        place.column = range.getStartColumn();
      });
}

Place getPlace(Location location) {
  Place place;
  visit(location, place);
  return place;
}

std::string Place::getLine() const {
  return line == 0 ? file : file + ":" + std::to_string(line);
}

std::string Place::getPosition() const {
  if (file.empty() || column == 0)
    return getLine();
  return getLine() + ":" + std::to_string(column);
}

} // namespace partita
