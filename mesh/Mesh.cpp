//===- Mesh.cpp - Device meshes with named axes -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Mesh.h"

#include <map>

namespace partita {

static constexpr std::string_view kReductionNames[kNumReductionKinds] = {
    "sum", "max", "min", "mul", "and", "or", "xor"};

std::string_view getName(ReductionKind kind) {
  return kReductionNames[static_cast<int>(kind)];
}

std::optional<ReductionKind> parseReductionKind(std::string_view name) {
  for (int i = 0; i < kNumReductionKinds; ++i)
    if (kReductionNames[i] == name)
      return static_cast<ReductionKind>(i);
  return std::nullopt;
}

Mesh::Mesh(std::vector<MeshAxis> theAxes, std::vector<int64_t> theDeviceIds)
    : axes(std::move(theAxes)), deviceIds(std::move(theDeviceIds)) {
  for (const MeshAxis &axis : axes)
    numDevices *= axis.size;
  if (deviceIds.empty())
    return;
  positions.resize(deviceIds.size());
  for (size_t i = 0; i < deviceIds.size(); ++i)
    positions[deviceIds[i]] = static_cast<int64_t>(i);
}

std::optional<int32_t> Mesh::findAxis(std::string_view name) const {
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i].name == name)
      return static_cast<int32_t>(i);
  return std::nullopt;
}

int64_t Mesh::getCoordinate(int64_t device, const AxisRef &ref) const {
  int64_t position = positions.empty() ? device : positions[device];
  for (size_t i = axes.size() - 1; i > static_cast<size_t>(ref.axis); --i)
    position /= axes[i].size;
  int64_t along = position % axes[ref.axis].size;
  int64_t after = axes[ref.axis].size / ref.end();
  return along / after % ref.size;
}

int64_t Mesh::getCoordinate(int64_t device,
                            std::span<const AxisRef> refs) const {
  int64_t coordinate = 0;
  for (const AxisRef &ref : refs)
    coordinate = coordinate * ref.size + getCoordinate(device, ref);
  return coordinate;
}

std::vector<std::vector<int64_t>>
Mesh::getGroups(std::span<const AxisRef> refs) const {
  // Devices of one group share what is left of their position when the
  // coordinates along `refs` are taken out.
  int64_t groupSize = getProduct(refs);
  std::map<std::vector<int64_t>, size_t> index;
  std::vector<std::vector<int64_t>> groups;
  for (int64_t position = 0; position < numDevices; ++position) {
    int64_t device = deviceIds.empty() ? position : deviceIds[position];
    std::vector<int64_t> key;
    for (size_t a = 0; a < axes.size(); ++a) {
      AxisRef whole = getWholeAxis(static_cast<int32_t>(a));
      int64_t along = getCoordinate(device, whole);
      for (const AxisRef &ref : refs) {
        if (ref.axis != whole.axis)
          continue;
        int64_t after = whole.size / ref.end();
        along -= along / after % ref.size * after;
      }
      key.push_back(along);
    }
    auto [it, isNew] = index.try_emplace(std::move(key), groups.size());
    if (isNew)
      groups.emplace_back(groupSize);
    groups[it->second][getCoordinate(device, refs)] = device;
  }
  return groups;
}

std::string Mesh::toString(const AxisRef &ref) const {
  std::string text = "\"" + axes[ref.axis].name + "\"";
  if (ref.pre != 1 || ref.size != axes[ref.axis].size)
    text += ":(" + std::to_string(ref.pre) + ")" + std::to_string(ref.size);
  return text;
}

int64_t getProduct(std::span<const AxisRef> refs) {
  int64_t product = 1;
  for (const AxisRef &ref : refs)
    product *= ref.size;
  return product;
}

std::vector<AxisRef> normalize(std::span<const AxisRef> refs) {
  std::vector<AxisRef> merged;
  for (const AxisRef &ref : refs) {
    if (ref.size == 1)
      continue;
    if (!merged.empty() && merged.back().axis == ref.axis &&
        merged.back().end() == ref.pre)
      merged.back().size *= ref.size;
    else
      merged.push_back(ref);
  }
  return merged;
}

} // namespace partita
