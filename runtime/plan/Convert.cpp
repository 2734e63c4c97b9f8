//===- Convert.cpp - Meshes and shardings in plans --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/plan/Convert.h"

namespace partita {

void toPlan(const Mesh &mesh, plan::Mesh &message) {
  message.Clear();
  for (const MeshAxis &axis : mesh.getAxes()) {
    plan::Mesh::Axis *added = message.add_axes();
    added->set_name(axis.name);
    added->set_size(axis.size);
  }
  for (int64_t id : mesh.getDeviceIds())
    message.add_device_ids(id);
}

void toPlan(std::span<const AxisRef> axes,
            google::protobuf::RepeatedPtrField<plan::SubAxis> &message) {
  message.Clear();
  for (const AxisRef &ref : axes) {
    plan::SubAxis *added = message.Add();
    added->set_axis(static_cast<uint32_t>(ref.axis));
    added->set_pre(ref.pre);
    added->set_size(ref.size);
  }
}

void toPlan(const TensorSharding &sharding, plan::Sharding &message) {
  message.Clear();
  for (const DimSharding &dim : sharding.dims)
    toPlan(dim.axes, *message.add_dims()->mutable_axes());
}

Mesh fromPlan(const plan::Mesh &message) {
  std::vector<MeshAxis> axes;
  for (const plan::Mesh::Axis &axis : message.axes())
    axes.push_back({axis.name(), axis.size()});
  return Mesh(std::move(axes),
              {message.device_ids().begin(), message.device_ids().end()});
}

std::vector<AxisRef>
fromPlan(const google::protobuf::RepeatedPtrField<plan::SubAxis> &message) {
  std::vector<AxisRef> axes;
  for (const plan::SubAxis &axis : message)
    axes.push_back(
        {static_cast<int32_t>(axis.axis()), axis.pre(), axis.size()});
  return axes;
}

TensorSharding fromPlan(const plan::Sharding &message) {
  TensorSharding sharding;
  for (const plan::Sharding::Dim &dim : message.dims())
    sharding.dims.push_back({fromPlan(dim.axes())});
  return sharding;
}

DType getDType(const plan::Buffer &buffer) {
  return static_cast<DType>(buffer.dtype());
}

Shape getShape(const plan::Buffer &buffer) {
  return {buffer.shape().begin(), buffer.shape().end()};
}

int64_t getNumBytes(const plan::Buffer &buffer) {
  return getNumElements(getShape(buffer)) * getByteWidth(getDType(buffer));
}

std::string_view getName(plan::Collective::Kind kind) {
  switch (kind) {
  case plan::Collective::ALL_REDUCE:
    return "all-reduce";
  case plan::Collective::REDUCE_SCATTER:
    return "reduce-scatter";
  case plan::Collective::ALL_GATHER:
    return "all-gather";
  case plan::Collective::ALL_TO_ALL:
    return "all-to-all";
  case plan::Collective::PERMUTE:
    return "collective-permute";
  case plan::Collective::BROADCAST:
    return "collective-broadcast";
  default:
    return "unknown collective";
  }
}

bool isReducible(ReductionKind kind, DType type) {
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::Mul:
    return true;
  case ReductionKind::Max:
  case ReductionKind::Min:
    return !isComplex(type);
  case ReductionKind::And:
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return !isComplex(type) && !isFloat(type);
  }
  return false;
}

int64_t getPeakBytes(const plan::Plan &plan) {
  int64_t bytes = 0;
  for (const plan::Allocation &allocation : plan.allocations())
    bytes += static_cast<int64_t>(allocation.bytes());
  return bytes;
}

std::vector<std::vector<int64_t>>
getGroups(const Mesh &mesh, const plan::Collective &collective) {
  std::vector<std::vector<int64_t>> groups;
  for (const plan::Collective::Pair &pair : collective.pairs())
    groups.push_back({pair.source(), pair.target()});
  for (const plan::Collective::Group &group : collective.groups())
    groups.emplace_back(group.devices().begin(), group.devices().end());
  if (groups.empty() && collective.kind() != plan::Collective::PERMUTE)
    groups = mesh.getGroups(fromPlan(collective.axes()));
  return groups;
}

} // namespace partita
