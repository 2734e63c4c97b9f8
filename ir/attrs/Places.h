//===- Places.h - Where in the user's source a value comes from -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_ATTRS_PLACES_H
#define PARTITA_IR_ATTRS_PLACES_H

#include "mlir/IR/Location.h"

#include <string>

namespace partita {

/// The innermost source position of a location and its outermost name:
/// loc("jit(step)/add"(callsite("loss"("gpt.py":31:8) at …))) is gpt.py:31:8,
/// "jit(step)/add".
struct Place {
  std::string file;    ///< Empty where the location has no position.
  unsigned line = 0;   ///< 0 for the file as a whole.
  unsigned column = 0; ///< 0 where the location has none.
  std::string name;    ///< Empty where it has none.

  /// "gpt.py:31:8", or "" without a position.
  std::string getPosition() const;
  /// "gpt.py:31", or "" without a position: as in reports.
  std::string getLine() const;
};

Place getPlace(mlir::Location location);

} // namespace partita

#endif // PARTITA_IR_ATTRS_PLACES_H
