//===- ReshardSimulator.cpp - Executes reshard plans ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshardSimulator.h"

#include "mesh/Exchange.h"
#include "mesh/Permutation.h"

#include <algorithm>
#include <set>

namespace partita {

static constexpr int64_t kGarbage = -1000000007;

static int64_t getCount(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Calls `visit(index, number)` for every index of a shape, in row-major order.
template <typename Visitor>
static void forEachIndex(const std::vector<int64_t> &shape, Visitor visit) {
  std::vector<int64_t> index(shape.size(), 0);
  int64_t count = getCount(shape);
  for (int64_t number = 0; number < count; ++number) {
    visit(index, number);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

static int64_t getNumber(const std::vector<int64_t> &shape,
                         const std::vector<int64_t> &index) {
  int64_t number = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    number = number * shape[dim] + index[dim];
  return number;
}

/// Elements [begin, begin + size) of a dimension; garbage beyond its end.
static Array getPart(const Array &array, int64_t dim, int64_t begin,
                     int64_t size) {
  Array part{array.shape, {}};
  part.shape[dim] = size;
  part.data.resize(getCount(part.shape), kGarbage);
  forEachIndex(part.shape, [&](std::vector<int64_t> index, int64_t number) {
    index[dim] += begin;
    if (index[dim] < array.shape[dim])
      part.data[number] = array.data[getNumber(array.shape, index)];
  });
  return part;
}

static Array concatenate(const std::vector<Array> &parts, int64_t dim) {
  Array whole{parts[0].shape, {}};
  int64_t size = parts[0].shape[dim];
  whole.shape[dim] = size * static_cast<int64_t>(parts.size());
  whole.data.resize(getCount(whole.shape));
  forEachIndex(whole.shape, [&](std::vector<int64_t> index, int64_t number) {
    const Array &part = parts[index[dim] / size];
    index[dim] %= size;
    whole.data[number] = part.data[getNumber(part.shape, index)];
  });
  return whole;
}

/// The partial value of an element: any numbers that are not alike.
static int64_t getPartial(int64_t element, int64_t part) {
  return (element * 7919 + part * 104729 + element * part * 31) % 10007;
}

ReshardSimulator::ReshardSimulator(const Mesh &theMesh,
                                   const ReshardRequest &theRequest)
    : mesh(theMesh), request(theRequest), sharding(theRequest.from) {
  std::vector<int64_t> local = getLocalShape(request.shape, sharding);
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device) {
    Array array{local, std::vector<int64_t>(getCount(local), kGarbage)};
    Box box = getShardBox(mesh, request.shape, sharding, device);
    int64_t part = mesh.getCoordinate(device, sharding.unreduced);
    forEachIndex(local, [&](std::vector<int64_t> index, int64_t number) {
      for (size_t dim = 0; dim < index.size(); ++dim) {
        index[dim] += box.begin[dim];
        if (index[dim] >= box.end[dim])
          return;
      }
      array.data[number] = getPartial(getNumber(request.shape, index), part);
    });
    arrays.push_back(std::move(array));
  }
}

int64_t ReshardSimulator::combine(int64_t a, int64_t b) const {
  return request.from.reduction == ReductionKind::Max ? std::max(a, b) : a + b;
}

void ReshardSimulator::exchangeGroup(const ReshardStep &step,
                                     const std::vector<int64_t> &group) {
  auto size = static_cast<int64_t>(group.size());
  auto getShard = [&](int64_t dim) {
    return getLocalShape(request.shape, step.result)[dim];
  };
  std::vector<Array> before;
  before.reserve(group.size());
  for (int64_t device : group)
    before.push_back(arrays[device]);
  Array reduced = before[0];
  for (size_t i = 1; i < before.size(); ++i)
    for (size_t e = 0; e < reduced.data.size(); ++e)
      reduced.data[e] = combine(reduced.data[e], before[i].data[e]);

  for (int64_t at = 0; at < size; ++at) {
    Array &after = arrays[group[at]];
    switch (step.kind) {
    case ReshardStepKind::Slice:
      after = getPart(before[at], step.dim, at * getShard(step.dim),
                      getShard(step.dim));
      break;
    case ReshardStepKind::AllReduce:
      after = reduced;
      break;
    case ReshardStepKind::ReduceScatter:
      after = getPart(reduced, step.dim, at * getShard(step.dim),
                      getShard(step.dim));
      break;
    case ReshardStepKind::AllGather:
      after = concatenate(before, step.dim);
      break;
    case ReshardStepKind::AllToAll: {
      std::vector<Array> parts;
      parts.reserve(before.size());
      for (const Array &from : before)
        parts.push_back(getPart(from, step.dim, at * getShard(step.dim),
                                getShard(step.dim)));
      after = concatenate(parts, step.concatDim);
      break;
    }
    case ReshardStepKind::Permute:
    case ReshardStepKind::Exchange:
      break;
    }
    joinedBytes = getCount(after.shape) * request.elementBytes;
    int64_t cut =
        step.kind == ReshardStepKind::AllGather ? step.dim : step.concatDim;
    if (cut >= 0)
      after = getPart(after, cut, 0, getShard(cut));
  }
}

/// What `device`'s box of a sharding becomes in its shard's own indices.
static std::vector<int64_t> getPlace(const Mesh &mesh,
                                     const std::vector<int64_t> &shape,
                                     const TensorSharding &sharding,
                                     int64_t device,
                                     std::vector<int64_t> index) {
  Box box = getShardBox(mesh, shape, sharding, device);
  for (size_t dim = 0; dim < index.size(); ++dim)
    index[dim] -= box.begin[dim];
  return index;
}

std::string ReshardSimulator::exchangeBoxes(const ReshardStep &step) {
  auto plan = planExchange(mesh, request.shape, sharding, step.result);
  if (!plan)
    return "no exchange";
  std::vector<Array> before = arrays;
  std::vector<int64_t> local = getLocalShape(request.shape, step.result);
  for (Array &array : arrays)
    array = {local, std::vector<int64_t>(getCount(local), kGarbage)};
  auto move = [&](const BoxTransfer &transfer) {
    std::vector<int64_t> shape;
    shape.reserve(local.size());
    for (size_t dim = 0; dim < local.size(); ++dim)
      shape.push_back(transfer.box.end[dim] - transfer.box.begin[dim]);
    Array &target = arrays[transfer.receiver];
    const Array &source = before[transfer.sender];
    forEachIndex(shape, [&](std::vector<int64_t> index, int64_t) {
      for (size_t dim = 0; dim < index.size(); ++dim)
        index[dim] += transfer.box.begin[dim];
      target.data[getNumber(local, getPlace(mesh, request.shape, step.result,
                                            transfer.receiver, index))] =
          source.data[getNumber(
              source.shape,
              getPlace(mesh, request.shape, sharding, transfer.sender, index))];
    });
  };
  for (const BoxTransfer &transfer : plan->own)
    move(transfer);
  for (const auto &round : plan->rounds)
    for (const BoxTransfer &transfer : round)
      move(transfer);
  joinedBytes = getNumElements(*plan) * request.elementBytes;
  return "";
}

std::string ReshardSimulator::execute(const ReshardStep &step) {
  if (step.kind == ReshardStepKind::Permute) {
    auto sources = getPermutation(mesh, sharding, step.result);
    if (!sources)
      return "no permutation";
    std::vector<Array> before = arrays;
    for (size_t device = 0; device < arrays.size(); ++device)
      arrays[device] = before[(*sources)[device]];
    joinedBytes = getCount(arrays[0].shape) * request.elementBytes;
  } else if (step.kind == ReshardStepKind::Exchange) {
    std::string trouble = exchangeBoxes(step);
    if (!trouble.empty())
      return trouble;
  } else {
    for (const std::vector<int64_t> &group : mesh.getGroups(step.axes))
      exchangeGroup(step, group);
  }
  if (step.kind != ReshardStepKind::Slice && joinedBytes != step.resultBytes)
    return "bytes " + std::to_string(step.resultBytes) + ", made " +
           std::to_string(joinedBytes);
  if (arrays[0].shape != getLocalShape(request.shape, step.result))
    return "wrong local shape";
  sharding = step.result;
  return "";
}

std::string ReshardSimulator::check() const {
  if (!isSamePlacement(sharding, request.to))
    return "not the target sharding";
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device) {
    // The partial values that this device's result stands for.
    std::set<int64_t> parts;
    for (int64_t other = 0; other < mesh.getNumDevices(); ++other)
      if (mesh.getCoordinate(other, request.to.unreduced) ==
          mesh.getCoordinate(device, request.to.unreduced))
        parts.insert(mesh.getCoordinate(other, request.from.unreduced));
    Box box = getShardBox(mesh, request.shape, request.to, device);
    const Array &array = arrays[device];
    bool isRight = true;
    forEachIndex(array.shape, [&](std::vector<int64_t> index, int64_t number) {
      for (size_t dim = 0; dim < index.size(); ++dim) {
        index[dim] += box.begin[dim];
        if (index[dim] >= box.end[dim])
          return;
      }
      int64_t element = getNumber(request.shape, index);
      std::optional<int64_t> want;
      for (int64_t part : parts)
        want = want ? combine(*want, getPartial(element, part))
                    : getPartial(element, part);
      isRight &= array.data[number] == *want;
    });
    if (!isRight)
      return "wrong values on device " + std::to_string(device);
  }
  return "";
}

std::string ReshardSimulator::run(const ReshardPlan &plan) {
  for (const ReshardStep &step : plan.steps)
    if (std::string error = execute(step); !error.empty())
      return toString(mesh, step) + ": " + error;
  return check();
}

} // namespace partita
