//===- Shards.cpp - Whole arrays and their parts on devices -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"

#include "absl/container/flat_hash_set.h"

#include <cstring>

namespace partita {

void Program::scatter(const HostTensor &tensor, const plan::Buffer &buffer,
                      uint32_t bufferId, const TensorSharding &sharding) {
  Shape local = getShape(buffer);
  int64_t width = getByteWidth(tensor.getDType()), bytes = getNumBytes(buffer);
  Shape origin(local.size());
  forEachDevice([&](int64_t id) {
    std::byte *shard = devices[id]->getPointers()[bufferId];
    Box box = getShardBox(schedule->mesh, tensor.getShape(), sharding, id);
    Shape size(box.begin.size());
    for (size_t d = 0; d < size.size(); ++d)
      size[d] = box.end[d] - box.begin[d];
    if (size != local && bytes)
      std::memset(shard, 0, static_cast<size_t>(bytes));
    BoxCopy(tensor.getShape(), box.begin, local, origin, size, width)
        .run(tensor.data(), shard);
  });
}

HostTensor Program::gather(const Shape &shape, uint32_t bufferId,
                           const TensorSharding &sharding) const {
  const plan::Buffer &buffer = plan.buffers(static_cast<int>(bufferId));
  HostTensor tensor(getDType(buffer), shape);
  int64_t width = getByteWidth(tensor.getDType());
  Shape local = getShape(buffer), origin(local.size());
  // Of devices that hold copies, the first is asked.
  std::vector<bool> isAsked(static_cast<size_t>(getNumDevices()));
  absl::flat_hash_set<std::vector<int64_t>> seen;
  for (int64_t id = 0; id < getNumDevices(); ++id) {
    Box box = getShardBox(schedule->mesh, shape, sharding, id);
    isAsked[static_cast<size_t>(id)] =
        !box.isEmpty() && seen.insert(box.begin).second;
  }
  forEachDevice([&](int64_t id) {
    if (!isAsked[static_cast<size_t>(id)])
      return;
    Box box = getShardBox(schedule->mesh, shape, sharding, id);
    Shape size(box.begin.size());
    for (size_t d = 0; d < size.size(); ++d)
      size[d] = box.end[d] - box.begin[d];
    BoxCopy(local, origin, shape, box.begin, size, width)
        .run(devices[id]->getPointers()[bufferId], tensor.data());
  });
  return tensor;
}

} // namespace partita
