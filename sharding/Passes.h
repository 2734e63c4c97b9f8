//===- Passes.h - Passes that shard a program -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PASSES_H
#define PARTITA_SHARDING_PASSES_H

#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "mlir/Pass/Pass.h"

namespace partita {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "sharding/ShardingPasses.h.inc"

} // namespace partita

#endif // PARTITA_SHARDING_PASSES_H
