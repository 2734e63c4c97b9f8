//===- TinyFloats.h - Floats of at most eight bits --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_TINYFLOATS_H
#define PARTITA_CODEGEN_CPU_TINYFLOATS_H

#include "codegen/cpu/LoopBuilder.h"
#include "mlir/IR/BuiltinTypes.h"

namespace partita::cpu {

/// The f32 that codes (i8, or a vector of i8) of `type` stand for.
llvm::Value *decodeTinyFloat(LoopBuilder &builder, mlir::FloatType type,
                             llvm::Value *codes);
/// The codes (i8) of f32 values, rounded to nearest even.
llvm::Value *encodeTinyFloat(LoopBuilder &builder, mlir::FloatType type,
                             llvm::Value *values);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_TINYFLOATS_H
