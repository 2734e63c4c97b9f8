//===- LowerBound.h - The least that a reshard must move --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_RESHARD_LOWERBOUND_H
#define PARTITA_SHARDING_RESHARD_LOWERBOUND_H

#include "sharding/reshard/ReshardPlanner.h"

namespace partita {

/// Bytes that some device must receive whatever the algorithm, padding not
/// counted. Without partial values: its target shard less what it holds, for
/// the device that lacks most. With partial values, n of them an element and t
/// devices that want it: at least n + t - 2 messages an element, shared evenly
/// by all devices; nor fewer than any one device's reduced elements.
int64_t getLowerBound(const Mesh &mesh, const ReshardRequest &request);

} // namespace partita

#endif // PARTITA_SHARDING_RESHARD_LOWERBOUND_H
