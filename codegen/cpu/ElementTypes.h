//===- ElementTypes.h - Elements in memory and in registers -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In registers, floats narrower than 32 bits are held as f32 whose value the
// narrow type has; bool is i1 and integers have their own width. In memory each
// element takes whole bytes.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_ELEMENTTYPES_H
#define PARTITA_CODEGEN_CPU_ELEMENTTYPES_H

#include "codegen/cpu/LoopBuilder.h"
#include "mlir/IR/BuiltinTypes.h"

namespace partita::cpu {

/// The LLVM type of one lane in a register (of one part, for complex types).
llvm::Type *getRegisterType(llvm::LLVMContext &context, mlir::Type type);
/// The LLVM type of one element in memory (of one part, for complex types).
llvm::Type *getMemoryType(llvm::LLVMContext &context, mlir::Type type);
/// Bytes of one element in memory.
int64_t getElementBytes(mlir::Type type);
/// Real floating-point types that are computed in f32.
bool isNarrowFloat(mlir::Type type);

/// Memory form to register form, lane by lane, and back. Storing narrow floats
/// rounds to nearest even.
llvm::Value *fromMemory(LoopBuilder &builder, mlir::Type type,
                        llvm::Value *value);
llvm::Value *toMemory(LoopBuilder &builder, mlir::Type type,
                      llvm::Value *value);
/// The value that `value` (f32) has after a round trip through `type`; `value`
/// itself for types that are not narrow floats.
llvm::Value *roundTo(LoopBuilder &builder, mlir::Type type, llvm::Value *value);

/// `scalar` in each of `lanes` lanes; vectors stay what they are.
llvm::Value *splat(LoopBuilder &builder, int lanes, llvm::Value *value);
/// The number of lanes of a value: 1 for scalars.
int getLanes(llvm::Value *value);
/// `type` or a vector of it, with as many lanes as `like` has.
llvm::Type *getTypeLike(llvm::Type *type, llvm::Value *like);

/// The register form of a constant of the element type `type`; `bits` is what
/// lies in memory (for complex, of one part).
Elem getConstant(llvm::LLVMContext &context, mlir::Type type,
                 mlir::Attribute value);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_ELEMENTTYPES_H
