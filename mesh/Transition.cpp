//===- Transition.cpp - What a collective does to a sharding ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Transition.h"

namespace partita {

/// Takes `axes` off the end of `list`, cutting a factor where they end inside
/// one. Says whether they were there.
static bool takeSuffix(std::vector<AxisRef> &list,
                       std::span<const AxisRef> axes) {
  std::vector<AxisRef> rest(axes.begin(), axes.end());
  while (!rest.empty()) {
    if (list.empty())
      return false;
    AxisRef &have = list.back();
    AxisRef &want = rest.back();
    if (have.axis != want.axis || have.end() != want.end())
      return false;
    int64_t size = std::min(have.size, want.size);
    if (have.size % size != 0 || want.size % size != 0)
      return false;
    have.size /= size;
    want.size /= size;
    if (want.size == 1)
      rest.pop_back();
    if (have.size == 1)
      list.pop_back();
  }
  return true;
}

/// Takes one factor out of a set of factors. Says whether it was there.
static bool takeFactor(std::vector<AxisRef> &set, const AxisRef &ref) {
  for (size_t i = 0; i < set.size(); ++i) {
    AxisRef have = set[i];
    if (have.axis != ref.axis || ref.pre < have.pre || ref.end() > have.end() ||
        ref.pre % have.pre != 0 || have.end() % ref.end() != 0)
      continue;
    set.erase(set.begin() + static_cast<ptrdiff_t>(i));
    if (ref.pre > have.pre)
      set.push_back({have.axis, have.pre, ref.pre / have.pre});
    if (have.end() > ref.end())
      set.push_back({have.axis, ref.end(), have.end() / ref.end()});
    return true;
  }
  return false;
}

static bool hasDim(const TensorSharding &sharding, int64_t dim) {
  return dim >= 0 && dim < sharding.getRank();
}

std::optional<TensorSharding> afterAllGather(const TensorSharding &from,
                                             int64_t dim,
                                             std::span<const AxisRef> axes) {
  if (!hasDim(from, dim))
    return std::nullopt;
  TensorSharding to = from;
  if (!takeSuffix(to.dims[dim].axes, axes))
    return std::nullopt;
  return to;
}

std::optional<TensorSharding> afterSlice(const TensorSharding &from,
                                         int64_t dim,
                                         std::span<const AxisRef> axes) {
  if (!hasDim(from, dim))
    return std::nullopt;
  TensorSharding to = from;
  for (const AxisRef &ref : axes) {
    if (to.uses(ref))
      return std::nullopt;
    to.dims[dim].axes.push_back(ref);
  }
  to.dims[dim].axes = normalize(to.dims[dim].axes);
  return to;
}

std::optional<TensorSharding> afterAllReduce(const TensorSharding &from,
                                             ReductionKind kind,
                                             std::span<const AxisRef> axes) {
  if (from.reduction != kind)
    return std::nullopt;
  TensorSharding to = from;
  for (const AxisRef &ref : axes)
    if (!takeFactor(to.unreduced, ref))
      return std::nullopt;
  return to;
}

std::optional<TensorSharding>
afterReduceScatter(const TensorSharding &from, int64_t dim, ReductionKind kind,
                   std::span<const AxisRef> axes) {
  std::optional<TensorSharding> reduced = afterAllReduce(from, kind, axes);
  return reduced ? afterSlice(*reduced, dim, axes) : std::nullopt;
}

std::optional<TensorSharding> afterAllToAll(const TensorSharding &from,
                                            int64_t splitDim, int64_t concatDim,
                                            std::span<const AxisRef> axes) {
  if (splitDim == concatDim)
    return std::nullopt;
  std::optional<TensorSharding> gathered =
      afterAllGather(from, concatDim, axes);
  return gathered ? afterSlice(*gathered, splitDim, axes) : std::nullopt;
}

} // namespace partita
