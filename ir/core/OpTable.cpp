//===- OpTable.cpp - Every core op, as its entry describes it -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/OpTable.h"

namespace partita::core {

llvm::ArrayRef<OpEntry> getOpTable() {
  static constexpr OpEntry kEntries[] = {
#include "ir/core/OpTable.inc"
  };
  return kEntries;
}

} // namespace partita::core
