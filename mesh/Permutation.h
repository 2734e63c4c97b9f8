//===- Permutation.h - Exchange of whole shards -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two shardings that cut a tensor into the same grid of shards differ only in
// who holds which shard: a permutation of the devices leads from one to the
// other. The planner, the plan writer and the reference back-end all take the
// permutation from here, so that they agree on it.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_PERMUTATION_H
#define PARTITA_MESH_PERMUTATION_H

#include "mesh/Sharding.h"

namespace partita {

/// Whether both cut every dimension into equally many shards, and have equally
/// many partial values of the same reduction kind.
bool isPermutation(const TensorSharding &from, const TensorSharding &to);

/// By target device, the device whose shard it takes. A device that already
/// holds its shard keeps it; the others are matched in the order of their ids.
/// Nothing when `from` and `to` are not a permutation of one another.
std::optional<std::vector<int64_t>> getPermutation(const Mesh &mesh,
                                                   const TensorSharding &from,
                                                   const TensorSharding &to);

} // namespace partita

#endif // PARTITA_MESH_PERMUTATION_H
