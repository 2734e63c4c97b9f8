//===- Permutation.cpp - Exchange of whole shards ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Permutation.h"

namespace partita {

bool isPermutation(const TensorSharding &from, const TensorSharding &to) {
  if (from.getRank() != to.getRank() ||
      getProduct(from.unreduced) != getProduct(to.unreduced))
    return false;
  if (!from.unreduced.empty() && from.reduction != to.reduction)
    return false;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.getNumShards(dim) != to.getNumShards(dim))
      return false;
  return true;
}

/// The number of the shard (and partial value) that a device holds.
static int64_t getShardNumber(const Mesh &mesh, const TensorSharding &sharding,
                              int64_t device) {
  int64_t number = mesh.getCoordinate(device, sharding.unreduced);
  for (const DimSharding &dim : sharding.dims)
    number =
        number * getProduct(dim.axes) + mesh.getCoordinate(device, dim.axes);
  return number;
}

std::optional<std::vector<int64_t>> getPermutation(const Mesh &mesh,
                                                   const TensorSharding &from,
                                                   const TensorSharding &to) {
  if (!isPermutation(from, to))
    return std::nullopt;
  int64_t devices = mesh.getNumDevices();
  std::vector<std::vector<int64_t>> senders(devices);
  std::vector<int64_t> sources(devices, -1);
  for (int64_t device = 0; device < devices; ++device) {
    int64_t held = getShardNumber(mesh, from, device);
    if (held == getShardNumber(mesh, to, device))
      sources[device] = device;
    else
      senders[held].push_back(device);
  }
  std::vector<size_t> next(devices, 0);
  for (int64_t device = 0; device < devices; ++device) {
    if (sources[device] >= 0)
      continue;
    int64_t wanted = getShardNumber(mesh, to, device);
    sources[device] = senders[wanted][next[wanted]++];
  }
  return sources;
}

} // namespace partita
