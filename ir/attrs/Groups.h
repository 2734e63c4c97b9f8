//===- Groups.h - Values that are to lie alike ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_ATTRS_GROUPS_H
#define PARTITA_IR_ATTRS_GROUPS_H

#include "llvm/ADT/StringRef.h"

namespace partita {

/// On a core.sharding_constraint: the number of a group. Propagation carries
/// the sharding of each member to all others of the function.
inline constexpr llvm::StringLiteral kShardingGroupAttrName = "core.group";

} // namespace partita

#endif // PARTITA_IR_ATTRS_GROUPS_H
