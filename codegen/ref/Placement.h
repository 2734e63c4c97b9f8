//===- Placement.h - Cuts arrays into shards and joins them -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_REF_PLACEMENT_H
#define PARTITA_CODEGEN_REF_PLACEMENT_H

#include "mesh/Sharding.h"
#include "support/HostTensor.h"

#include <optional>
#include <utility>

namespace partita::ref {

/// One tensor per device. Devices that hold the same may share the bytes.
using Shards = std::vector<HostTensor>;

/// The shard of each device, padded with zeros to the local shape. Devices with
/// the same shard share it.
Shards cut(const HostTensor &whole, const Mesh &mesh,
           const TensorSharding &sharding);
/// The whole array of that shape. Padding is dropped.
HostTensor join(const Shards &shards, const Shape &shape, const Mesh &mesh,
                const TensorSharding &sharding);
/// Two devices that should hold the same shard and do not, if there are any.
std::optional<std::pair<int64_t, int64_t>>
findDifference(const Shards &shards, const Shape &shape, const Mesh &mesh,
               const TensorSharding &sharding);

} // namespace partita::ref

#endif // PARTITA_CODEGEN_REF_PLACEMENT_H
