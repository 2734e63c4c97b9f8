//===- ComplexMath.h - Functions of complex numbers -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_COMPLEXMATH_H
#define PARTITA_CODEGEN_CPU_COMPLEXMATH_H

#include "codegen/cpu/LoopBuilder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace partita::cpu {

/// The core op `name` ("add", "exp") of complex operands; nothing when complex
/// numbers have no such op. Everything but arithmetic is computed in double.
Elem buildComplex(LoopBuilder &builder, llvm::StringRef name,
                  llvm::ArrayRef<Elem> operands);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_COMPLEXMATH_H
