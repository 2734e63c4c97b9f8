//===- SmallFloat.h - Floats narrower than 32 bits --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_SMALLFLOAT_H
#define PARTITA_SUPPORT_SMALLFLOAT_H

#include "support/DType.h"

#include <cstdint>

namespace partita {

/// The value of an element of one of the 8-, 6- and 4-bit float types.
float decodeSmallFloat(DType type, uint8_t bits);

/// The nearest element, ties to the even one. Values too large become infinity
/// where the type has it, else NaN, else (F4E2M1FN, F6…) the largest element.
/// F8E8M0FNU has no zero and no sign: what is not positive becomes NaN.
uint8_t encodeSmallFloat(DType type, float value);

} // namespace partita

#endif // PARTITA_SUPPORT_SMALLFLOAT_H
