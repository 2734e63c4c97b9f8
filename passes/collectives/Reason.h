//===- Reason.h - Why there is a collective ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_REASON_H
#define PARTITA_PASSES_COLLECTIVES_REASON_H

#include "ir/comm/Comm.h"

#include <string>

namespace partita {

/// Attribute of a comm op: an array with one text per result, why it is needed.
inline constexpr llvm::StringLiteral kReasonsAttrName = "comm.reasons";

/// Why a reshard is needed, for a human: who makes the value and how it lies,
/// who needs it and how, and which annotations the two shardings come from.
std::string describeReason(comm::ReshardOp op);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_REASON_H
