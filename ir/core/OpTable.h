//===- OpTable.h - Every core op, as its entry describes it -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_OPTABLE_H
#define PARTITA_IR_CORE_OPTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace partita::core {

/// What an op's TableGen entry says that its class does not.
struct OpEntry {
  llvm::StringRef name; ///< "core.add"
  llvm::StringRef summary;
  llvm::StringRef description;
  /// One complete function that uses the op.
  llvm::StringRef example;
};

/// All core ops, by name.
llvm::ArrayRef<OpEntry> getOpTable();

} // namespace partita::core

#endif // PARTITA_IR_CORE_OPTABLE_H
