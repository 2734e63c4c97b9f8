//===- Sharding.cpp - How a tensor lies on a mesh ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Sharding.h"

#include <algorithm>

namespace partita {

bool TensorSharding::isFullyReplicated() const {
  return unreduced.empty() &&
         std::all_of(dims.begin(), dims.end(),
                     [](const DimSharding &dim) { return dim.axes.empty(); });
}

bool TensorSharding::uses(const AxisRef &ref) const {
  auto overlaps = [&](const AxisRef &other) { return ref.overlaps(other); };
  if (std::any_of(unreduced.begin(), unreduced.end(), overlaps))
    return true;
  return std::any_of(dims.begin(), dims.end(), [&](const DimSharding &dim) {
    return std::any_of(dim.axes.begin(), dim.axes.end(), overlaps);
  });
}

TensorSharding getReplicated(int64_t rank) {
  TensorSharding sharding;
  sharding.dims.resize(rank);
  return sharding;
}

bool isSamePlacement(const TensorSharding &a, const TensorSharding &b) {
  if (a.dims.size() != b.dims.size())
    return false;
  for (size_t i = 0; i < a.dims.size(); ++i)
    if (normalize(a.dims[i].axes) != normalize(b.dims[i].axes))
      return false;
  std::vector<AxisRef> ua = a.unreduced, ub = b.unreduced;
  std::sort(ua.begin(), ua.end());
  std::sort(ub.begin(), ub.end());
  ua = normalize(ua);
  ub = normalize(ub);
  return ua == ub && (ua.empty() || a.reduction == b.reduction);
}

bool Box::isEmpty() const {
  for (size_t i = 0; i < begin.size(); ++i)
    if (begin[i] >= end[i])
      return true;
  return false;
}

int64_t Box::getNumElements() const {
  int64_t n = 1;
  for (size_t i = 0; i < begin.size(); ++i)
    n *= std::max<int64_t>(0, end[i] - begin[i]);
  return n;
}

Box intersect(const Box &a, const Box &b) {
  Box box = a;
  for (size_t i = 0; i < a.begin.size(); ++i) {
    box.begin[i] = std::max(a.begin[i], b.begin[i]);
    box.end[i] = std::max(box.begin[i], std::min(a.end[i], b.end[i]));
  }
  return box;
}

std::vector<int64_t> getLocalShape(std::span<const int64_t> globalShape,
                                   const TensorSharding &sharding) {
  std::vector<int64_t> local(globalShape.begin(), globalShape.end());
  for (size_t i = 0; i < local.size(); ++i) {
    int64_t shards = sharding.getNumShards(static_cast<int64_t>(i));
    local[i] = (local[i] + shards - 1) / shards;
  }
  return local;
}

Box getShardBox(const Mesh &mesh, std::span<const int64_t> globalShape,
                const TensorSharding &sharding, int64_t device) {
  std::vector<int64_t> local = getLocalShape(globalShape, sharding);
  Box box{std::vector<int64_t>(local.size()),
          std::vector<int64_t>(local.size())};
  for (size_t i = 0; i < local.size(); ++i) {
    int64_t at = mesh.getCoordinate(device, sharding.dims[i].axes) * local[i];
    box.begin[i] = std::min(at, globalShape[i]);
    box.end[i] = std::min(at + local[i], globalShape[i]);
  }
  return box;
}

std::string toString(const Mesh &mesh, const TensorSharding &sharding) {
  auto list = [&](const std::vector<AxisRef> &refs) {
    std::string text;
    for (const AxisRef &ref : refs)
      text += (text.empty() ? "" : ", ") + mesh.toString(ref);
    return text;
  };
  std::string text = "[";
  for (size_t i = 0; i < sharding.dims.size(); ++i) {
    const DimSharding &dim = sharding.dims[i];
    std::string inner = list(dim.axes);
    if (dim.isOpen)
      inner += inner.empty() ? "?" : ", ?";
    text += (i ? ", {" : "{") + inner + "}";
    if (dim.priority)
      text += "p" + std::to_string(dim.priority);
  }
  text += "]";
  if (!sharding.replicated.empty())
    text += ", replicated={" + list(sharding.replicated) + "}";
  if (!sharding.unreduced.empty()) {
    std::string kind;
    if (sharding.reduction != ReductionKind::Sum)
      kind = getName(sharding.reduction);
    text += ", unreduced=" + kind + "{" + list(sharding.unreduced) + "}";
  }
  return text;
}

} // namespace partita
