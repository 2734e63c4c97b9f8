//===- Collectives.cpp - Collectives among virtual devices ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/ref/Collectives.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Evaluate.h"
#include "ir/core/Walk.h"

using namespace mlir;

namespace partita::ref {

namespace {
/// The devices that an op works among, group by group. Within a group the
/// position of a device is its coordinate along the op's axes.
struct Groups {
  std::vector<std::vector<int64_t>> members;

  /// Calls `visit` for each device with its group and its coordinate there.
  template <typename F> void forEachDevice(F visit) const {
    for (const std::vector<int64_t> &group : members)
      for (size_t c = 0; c < group.size(); ++c)
        visit(group[c], group, static_cast<int64_t>(c));
  }
};
} // namespace

static Mesh getMesh(Operation *op, StringRef name) {
  return lookupMesh(op, StringAttr::get(op->getContext(), name)).toMesh();
}
template <typename OpT> static Groups getGroups(OpT op) {
  Mesh mesh = getMesh(op, op.getMesh());
  return {mesh.getGroups(op.getAxes().toAxes(mesh))};
}

/// Part `c` of `count` equal parts along a dimension.
static HostTensor getPart(const HostTensor &whole, int64_t dim, int64_t c,
                          int64_t count) {
  Shape shape = whole.getShape(), starts(shape.size(), 0);
  shape[dim] /= count;
  starts[dim] = c * shape[dim];
  return core::eval::copyPart(whole, starts, shape);
}

static HostTensor concatenate(ArrayRef<HostTensor> parts, int64_t dim) {
  Shape shape = parts[0].getShape(), starts(shape.size(), 0);
  shape[dim] *= static_cast<int64_t>(parts.size());
  HostTensor whole(parts[0].getDType(), shape);
  for (const HostTensor &part : parts) {
    core::eval::writePart(part, whole, starts);
    starts[dim] += part.getShape()[dim];
  }
  return whole;
}

/// The values of a group combined, once per group.
static HostTensor combineGroup(const Shards &shards,
                               const std::vector<int64_t> &group,
                               ReductionKind kind) {
  std::vector<HostTensor> parts;
  parts.reserve(group.size());
  for (int64_t device : group)
    parts.push_back(shards[device]);
  return core::eval::combineTensors(kind, parts);
}

static Shards allReduce(comm::AllReduceOp op, const Shards &from) {
  Shards to(from.size());
  for (const auto &group : getGroups(op).members) {
    HostTensor combined = combineGroup(from, group, op.getKind().getKind());
    for (int64_t device : group)
      to[device] = combined;
  }
  return to;
}

static Shards allGather(comm::AllGatherOp op, const Shards &from, int64_t dim) {
  Shards to(from.size());
  for (const auto &group : getGroups(op).members) {
    std::vector<HostTensor> parts;
    parts.reserve(group.size());
    for (int64_t device : group)
      parts.push_back(from[device]);
    HostTensor whole = concatenate(parts, dim);
    for (int64_t device : group)
      to[device] = whole;
  }
  return to;
}

static Shards reduceScatter(comm::ReduceScatterOp op, const Shards &from,
                            int64_t dim) {
  Shards to(from.size());
  for (const auto &group : getGroups(op).members) {
    HostTensor combined = combineGroup(from, group, op.getKind().getKind());
    auto size = static_cast<int64_t>(group.size());
    for (int64_t c = 0; c < size; ++c)
      to[group[c]] = getPart(combined, dim, c, size);
  }
  return to;
}

static Shards allToAll(comm::AllToAllOp op, const Shards &from, int64_t split,
                       int64_t concat) {
  Shards to(from.size());
  getGroups(op).forEachDevice(
      [&](int64_t device, const std::vector<int64_t> &group, int64_t c) {
        std::vector<HostTensor> parts;
        parts.reserve(group.size());
        for (int64_t sender : group)
          parts.push_back(getPart(from[sender], split, c,
                                  static_cast<int64_t>(group.size())));
        to[device] = concatenate(parts, concat);
      });
  return to;
}

static Shards permute(comm::PermuteOp op, const Shards &from) {
  Shards to;
  for (const HostTensor &shard : from)
    to.emplace_back(shard.getDType(), shard.getShape());
  for (auto [source, target] : llvm::zip(op.getSources(), op.getTargets()))
    to[target] = from[source];
  return to;
}

static Shards slice(comm::SliceOp op, const Shards &from) {
  Shards to(from.size());
  getGroups(op).forEachDevice(
      [&](int64_t device, const std::vector<int64_t> &group, int64_t c) {
        to[device] = getPart(from[device], op.getDim(), c,
                             static_cast<int64_t>(group.size()));
      });
  return to;
}

static Shards axisIndex(comm::AxisIndexOp op, int64_t numDevices) {
  Shards to(numDevices);
  getGroups(op).forEachDevice(
      [&](int64_t device, const std::vector<int64_t> &, int64_t c) {
        to[device] = HostTensor(DType::S32, {});
        *to[device].dataAs<int32_t>() = static_cast<int32_t>(c);
      });
  return to;
}

/// One operand of a collective, after another.
static Shards runOne(Operation *op, unsigned i, const Shards &from) {
  return llvm::TypeSwitch<Operation *, Shards>(op)
      .Case([&](comm::AllReduceOp self) { return allReduce(self, from); })
      .Case([&](comm::AllGatherOp self) {
        return allGather(self, from, self.getDims()[i]);
      })
      .Case([&](comm::ReduceScatterOp self) {
        return reduceScatter(self, from, self.getDims()[i]);
      })
      .Case([&](comm::AllToAllOp self) {
        return allToAll(self, from, self.getSplitDims()[i],
                        self.getConcatDims()[i]);
      })
      .Case([&](comm::PermuteOp self) { return permute(self, from); })
      .Case([&](comm::SliceOp self) { return slice(self, from); })
      .Default([](Operation *) { return Shards(); });
}

LogicalResult runComm(Operation *op, int64_t numDevices,
                      ArrayRef<Shards> operands,
                      SmallVectorImpl<Shards> &results) {
  if (op->hasAttr("from")) {
    // The global form: the value stays.
    results.append(operands.begin(), operands.end());
    return success();
  }
  if (auto index = dyn_cast<comm::AxisIndexOp>(op)) {
    results.push_back(axisIndex(index, numDevices));
    return success();
  }
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    results.push_back(runOne(op, i, operands[i]));
  return success();
}

std::string getCollectiveName(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](comm::AllReduceOp) { return "all-reduce"; })
      .Case([](comm::AllGatherOp) { return "all-gather"; })
      .Case([](comm::ReduceScatterOp) { return "reduce-scatter"; })
      .Case([](comm::AllToAllOp) { return "all-to-all"; })
      .Case([](comm::PermuteOp) { return "collective-permute"; })
      .Default([](Operation *) { return ""; });
}

} // namespace partita::ref
