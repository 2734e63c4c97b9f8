//===- Linker.h - Objects to a shared object --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_LINKER_H
#define PARTITA_CODEGEN_CPU_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace partita::cpu {

/// Links ELF objects into a shared object with the program `linker` (a path, or
/// a name to look for). Functions of the C library stay undefined. On failure
/// returns false and says why in `error`.
bool linkShared(llvm::ArrayRef<llvm::StringRef> objects, llvm::StringRef linker,
                std::string &result, std::string &error);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_LINKER_H
