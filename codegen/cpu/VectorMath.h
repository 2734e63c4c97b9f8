//===- VectorMath.h - Elementary functions ----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementary functions of f32 and f64, on scalars and vectors. The common ones
// of f32 are computed inline, for all lanes at once, within 2 units in the last
// place; others call the C library once a lane. NaN and infinities come out as
// in C.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_VECTORMATH_H
#define PARTITA_CODEGEN_CPU_VECTORMATH_H

#include "codegen/cpu/LoopBuilder.h"
#include "llvm/ADT/StringRef.h"

namespace partita::cpu {

llvm::Value *buildExp(LoopBuilder &builder, llvm::Value *x);
llvm::Value *buildExpm1(LoopBuilder &builder, llvm::Value *x);
llvm::Value *buildLog(LoopBuilder &builder, llvm::Value *x);
llvm::Value *buildLog1p(LoopBuilder &builder, llvm::Value *x);
llvm::Value *buildTanh(LoopBuilder &builder, llvm::Value *x);
llvm::Value *buildErf(LoopBuilder &builder, llvm::Value *x);
llvm::Value *buildSqrt(LoopBuilder &builder, llvm::Value *x);

/// The function of the C library, called once a lane: `name` is that for
/// doubles ("pow"), f32 calls the one with an f behind.
llvm::Value *callLibrary(LoopBuilder &builder, llvm::StringRef name,
                         llvm::ArrayRef<llvm::Value *> operands);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_VECTORMATH_H
