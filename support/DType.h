//===- DType.h - Element types ----------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of tensors, as the runtime, files and plans know them.
// The compiler's own types are MLIR's; ir/core/Types.h maps between the two.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_DTYPE_H
#define PARTITA_SUPPORT_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace partita {

/// An element type. The numeric values are stored in plan files: never
/// renumber.
enum class DType : uint8_t {
  Pred = 0, ///< i1, one byte an element, 0 or 1.
  S2 = 1,   ///< i2 and i4 kinds: one byte an element, value in the low bits.
  S4 = 2,
  S8 = 3,
  S16 = 4,
  S32 = 5,
  S64 = 6,
  U2 = 7,
  U4 = 8,
  U8 = 9,
  U16 = 10,
  U32 = 11,
  U64 = 12,
  F8E4M3FN = 13,
  F8E5M2 = 14,
  F8E4M3 = 15,
  F8E3M4 = 16,
  F8E4M3B11FNUZ = 17,
  F8E4M3FNUZ = 18,
  F8E5M2FNUZ = 19,
  F8E8M0FNU = 20,
  F4E2M1FN = 21, ///< One byte an element, value in the low bits.
  F6E2M3FN = 22, ///< One byte an element, value in the low bits.
  F6E3M2FN = 23, ///< One byte an element, value in the low bits.
  BF16 = 24,
  F16 = 25,
  F32 = 26,
  F64 = 27,
  C64 = 28,  ///< complex<f32>
  C128 = 29, ///< complex<f64>
};
inline constexpr int kNumDTypes = 30;

/// Bytes that one element takes in memory (sub-byte kinds take a whole byte).
int64_t getByteWidth(DType type);
/// Value bits of one element: 1 for Pred, 4 for S4, 64 for C64.
int getBitWidth(DType type);
/// The name in reports, as StableHLO spells it: "f32", "bf16", "ui8", "i1".
std::string_view getName(DType type);
std::optional<DType> parseDType(std::string_view name);

bool isFloat(DType type);       ///< Real floating-point kinds.
bool isComplex(DType type);     ///< C64, C128.
bool isSignedInt(DType type);   ///< S2 … S64.
bool isUnsignedInt(DType type); ///< U2 … U64; not Pred.

} // namespace partita

#endif // PARTITA_SUPPORT_DTYPE_H
