//===- Provenance.h - Where an axis of a sharding came from -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PROPAGATE_PROVENANCE_H
#define PARTITA_SHARDING_PROPAGATE_PROVENANCE_H

#include "llvm/ADT/StringRef.h"

namespace partita {

/// Attribute of an op (an array, one text per result) or of a function's
/// argument (one text): for each axis of the sharding, the annotation it comes
/// from and the op that brought it.
inline constexpr llvm::StringLiteral kOriginsAttrName = "core.origins";

} // namespace partita

#endif // PARTITA_SHARDING_PROPAGATE_PROVENANCE_H
