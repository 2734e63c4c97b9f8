//===- Placement.cpp - Cuts arrays into shards and joins them -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/ref/Placement.h"

#include "ir/core/Walk.h"

#include <cstring>
#include <map>

namespace partita::ref {

static Shape getExtent(const Box &box) {
  Shape shape;
  for (size_t d = 0; d < box.begin.size(); ++d)
    shape.push_back(std::max<int64_t>(box.end[d] - box.begin[d], 0));
  return shape;
}

Shards cut(const HostTensor &whole, const Mesh &mesh,
           const TensorSharding &sharding) {
  Shards shards;
  std::map<std::vector<int64_t>, HostTensor> made;
  Shape local = getLocalShape(whole.getShape(), sharding);
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device) {
    Box box = getShardBox(mesh, whole.getShape(), sharding, device);
    auto [it, isNew] = made.try_emplace(box.begin);
    if (isNew && getExtent(box) == whole.getShape()) {
      it->second = whole;
    } else if (isNew) {
      it->second = HostTensor(whole.getDType(), local);
      HostTensor part = core::eval::copyPart(whole, box.begin, getExtent(box));
      core::eval::writePart(part, it->second, Shape(local.size(), 0));
    }
    shards.push_back(it->second);
  }
  return shards;
}

/// A device's shard without padding.
static HostTensor getPart(const Shards &shards, const Box &box,
                          int64_t device) {
  return core::eval::copyPart(shards[device], Shape(box.begin.size(), 0),
                              getExtent(box));
}

HostTensor join(const Shards &shards, const Shape &shape, const Mesh &mesh,
                const TensorSharding &sharding) {
  HostTensor whole(shards[0].getDType(), shape);
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device) {
    Box box = getShardBox(mesh, shape, sharding, device);
    core::eval::writePart(getPart(shards, box, device), whole, box.begin);
  }
  return whole;
}

std::optional<std::pair<int64_t, int64_t>>
findDifference(const Shards &shards, const Shape &shape, const Mesh &mesh,
               const TensorSharding &sharding) {
  std::map<std::vector<int64_t>, int64_t> first;
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device) {
    Box box = getShardBox(mesh, shape, sharding, device);
    auto [it, isNew] = first.try_emplace(box.begin, device);
    if (isNew || shards[device].data() == shards[it->second].data())
      continue;
    HostTensor a = getPart(shards, box, it->second);
    HostTensor b = getPart(shards, box, device);
    if (std::memcmp(a.data(), b.data(), a.getNumBytes()) != 0)
      return std::pair(it->second, device);
  }
  return std::nullopt;
}

} // namespace partita::ref
