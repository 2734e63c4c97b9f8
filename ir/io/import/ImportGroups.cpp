//===- ImportGroups.cpp - The devices of written collectives --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/ImportGroups.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/io/stablehlo/Ops.h"

#include <set>

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// From groups to axes
//===----------------------------------------------------------------------===//

using Axes = std::vector<AxisRef>;

/// All axes of a mesh, each whole.
static Axes getWholeAxes(const Mesh &mesh) {
  Axes axes;
  for (size_t i = 0; i < mesh.getAxes().size(); ++i)
    axes.push_back(mesh.getWholeAxis(static_cast<int32_t>(i)));
  return axes;
}

/// Each axis cut into prime factors, major to minor.
static Axes getPrimeAxes(const Mesh &mesh) {
  Axes primes;
  for (size_t i = 0; i < mesh.getAxes().size(); ++i) {
    auto axis = static_cast<int32_t>(i);
    int64_t pre = 1, rest = mesh.getAxisSize(axis);
    for (int64_t prime = 2; rest > 1; ++prime)
      for (; rest % prime == 0; rest /= prime, pre *= prime)
        primes.push_back({axis, pre, prime});
  }
  return primes;
}

/// The axes along which the devices of a group differ, the order of the group
/// telling which counts fastest; nothing where axes form no such group.
static std::optional<Axes> readAxes(const Mesh &mesh, ArrayRef<int64_t> group) {
  Axes primes = getPrimeAxes(mesh), chosen;
  for (size_t stride = 1; stride < group.size();) {
    // The device one step further differs along one axis.
    Axes differing;
    for (const AxisRef &axis : primes)
      if (mesh.getCoordinate(group[0], axis) !=
          mesh.getCoordinate(group[stride], axis))
        differing.push_back(axis);
    if (differing.size() != 1)
      return std::nullopt;
    chosen.insert(chosen.begin(), differing.front());
    stride *= static_cast<size_t>(differing.front().size);
  }
  return chosen;
}

/// Puts a group's devices in the order of the mesh.
static void sortByPlace(const Mesh &mesh, std::vector<int64_t> &group) {
  Axes axes = getWholeAxes(mesh);
  llvm::sort(group, [&](int64_t a, int64_t b) {
    return mesh.getCoordinate(a, axes) < mesh.getCoordinate(b, axes);
  });
}

core::AxesAttr DeviceGroups::findAxes(MLIRContext *context,
                                      bool isOrdered) const {
  Groups wanted = groups;
  if (!isOrdered)
    for (std::vector<int64_t> &group : wanted)
      sortByPlace(mesh, group);
  std::optional<Axes> axes = readAxes(mesh, wanted.front());
  if (!axes)
    return nullptr;
  Groups found = mesh.getGroups(*axes);
  llvm::sort(found);
  llvm::sort(wanted);
  if (found != wanted)
    return nullptr;
  return core::AxesAttr::fromAxes(context, mesh, normalize(*axes));
}

core::AxesAttr DeviceGroups::getAllAxes(MLIRContext *context) const {
  return core::AxesAttr::fromAxes(context, mesh, getWholeAxes(mesh));
}

//===----------------------------------------------------------------------===//
// From ids to devices
//===----------------------------------------------------------------------===//

/// The rows of a table of ids. In groups, -1 fills up the shorter ones.
static Groups getRows(DenseIntElementsAttr list, bool isFilled) {
  Groups rows;
  if (!list || list.getNumElements() == 0)
    return rows;
  int64_t width = list.getType().getShape().back(), at = 0;
  for (const APInt &id : list.getValues<APInt>()) {
    if (at++ % width == 0)
      rows.emplace_back();
    if (!isFilled || !id.isAllOnes())
      rows.back().push_back(id.getSExtValue());
  }
  llvm::erase_if(rows, [](const auto &row) { return row.empty(); });
  return rows;
}

namespace {
/// What the ids of a collective number, after StableHLO's specification.
enum class Ids { Replicas, Partitions, ReplicasOfAllPartitions, Devices };
} // namespace

static Ids getGridIds(Operation *op) {
  auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  if (op->hasAttr("use_global_device_ids"))
    return Ids::Devices;
  if (!channel || channel.getHandle() <= 0)
    return Ids::Replicas;
  if (isa<stablehlo::CollectivePermuteOp, stablehlo::CollectiveBroadcastOp,
          stablehlo::AllToAllOp>(op))
    return Ids::Partitions;
  return Ids::ReplicasOfAllPartitions;
}

/// The devices that rows of ids stand for: device r * partitions + p is
/// partition p of replica r.
static Groups toDevices(const Groups &rows, Ids ids, ProcessGrid grid) {
  if (ids == Ids::Devices)
    return rows;
  Groups groups;
  bool isByPartition = ids == Ids::Partitions;
  int64_t others = isByPartition ? grid.replicas : grid.partitions;
  for (const std::vector<int64_t> &row : rows)
    for (int64_t other = 0; other < others; ++other) {
      if (other == 0 || ids != Ids::ReplicasOfAllPartitions)
        groups.emplace_back();
      for (int64_t id : row)
        groups.back().push_back(isByPartition ? other * grid.partitions + id
                                              : id * grid.partitions + other);
    }
  return groups;
}

/// What the ids of an op number in this program. Outside of a grid of replicas
/// they are devices.
static Ids getIds(Importer &importer, Operation *op) {
  return importer.getGrid() ? getGridIds(op) : Ids::Devices;
}

static LogicalResult checkId(Operation *op, int64_t id, int64_t count) {
  if (id >= 0 && id < count)
    return success();
  return op->emitError() << "'" << op->getName() << "' names number " << id
                         << "; here are numbers 0 to " << count - 1;
}

static LogicalResult checkGroups(Operation *op, const Groups &groups,
                                 int64_t count) {
  std::vector<bool> isKnown(count);
  for (const std::vector<int64_t> &group : groups)
    for (int64_t id : group) {
      if (failed(checkId(op, id, count)))
        return failure();
      if (isKnown[id])
        return op->emitError() << "'" << op->getName() << "' names number "
                               << id << " twice in its groups";
      isKnown[id] = true;
    }
  return success();
}

/// How many ids of that kind there are.
static int64_t getCount(Ids ids, std::optional<ProcessGrid> grid,
                        const Mesh &mesh) {
  if (ids == Ids::Devices)
    return mesh.getNumDevices();
  return ids == Ids::Partitions ? grid->partitions : grid->replicas;
}

FailureOr<DeviceGroups> DeviceGroups::getWhole(Importer &importer,
                                               Operation *op) {
  StringAttr name = getMeshName(importer.getModule());
  if (!name)
    return importer.reportUnsupported(op, " without a mesh");
  return DeviceGroups(FlatSymbolRefAttr::get(name),
                      lookupMesh(importer.getModule(), name).toMesh());
}

FailureOr<DeviceGroups> DeviceGroups::get(Importer &importer, Operation *op) {
  FailureOr<DeviceGroups> devices = getWhole(importer, op);
  if (failed(devices))
    return failure();
  auto list = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!list)
    return importer.reportUnsupported(op, " with groups that are axes");
  Ids ids = getIds(importer, op);
  int64_t count = getCount(ids, importer.getGrid(), devices->mesh);
  Groups rows =
      getRows(op->getAttrOfType<DenseIntElementsAttr>("replica_groups"), true);
  if (rows.empty() && list.getNumElements() > 0)
    return op->emitError() << "'" << op->getName()
                           << "' has groups without devices";
  if (rows.empty()) // means all
    llvm::append_range(rows.emplace_back(), llvm::seq(count));
  if (failed(checkGroups(op, rows, count)))
    return failure();
  devices->groups =
      toDevices(rows, ids, importer.getGrid().value_or(ProcessGrid()));
  return devices;
}

FailureOr<Groups> DeviceGroups::getPairs(Importer &importer,
                                         Operation *op) const {
  Ids ids = getIds(importer, op);
  int64_t count = getCount(ids, importer.getGrid(), mesh);
  Groups pairs = getRows(
      cast<stablehlo::CollectivePermuteOp>(op).getSourceTargetPairs(), false);
  for (const std::vector<int64_t> &pair : pairs)
    for (int64_t id : pair)
      if (failed(checkId(op, id, count)))
        return failure();
  return toDevices(pairs, ids, importer.getGrid().value_or(ProcessGrid()));
}

//===----------------------------------------------------------------------===//
// Values of groups
//===----------------------------------------------------------------------===//

std::vector<int64_t> DeviceGroups::getSizes() const {
  std::set<int64_t> sizes;
  for (const std::vector<int64_t> &group : groups)
    sizes.insert(static_cast<int64_t>(group.size()));
  return {sizes.begin(), sizes.end()};
}

int64_t DeviceGroups::getWidth() const {
  return groups.empty() ? 0 : getSizes().back();
}

/// The device's place in the order of the mesh.
static Value getIndex(ImportBuilder &builder, const DeviceGroups &devices) {
  return comm::AxisIndexOp::create(
      builder, RankedTensorType::get({}, builder.getI32Type()),
      devices.getMesh(), devices.getAllAxes(builder.getContext()));
}

Value DeviceGroups::lookUp(ImportBuilder &builder, ArrayRef<int32_t> table,
                           int64_t width) const {
  auto type = RankedTensorType::get({mesh.getNumDevices(), width},
                                    builder.getI32Type());
  Value row =
      builder.sliceAt(builder.constant(DenseElementsAttr::get(type, table)), 0,
                      getIndex(builder, *this), 1);
  SmallVector<int64_t> shape{width};
  return builder.reshape(row, width == 1 ? SmallVector<int64_t>() : shape);
}

/// A table for `lookUp`: what `getEntry` says of each place in a group, by the
/// device's position in the mesh.
static SmallVector<int32_t>
makeTable(const Mesh &mesh, const Groups &groups, int64_t width,
          int32_t whereInNone,
          function_ref<int64_t(int64_t position, int64_t size, int64_t column)>
              getEntry) {
  SmallVector<int32_t> table(mesh.getNumDevices() * width, whereInNone);
  Axes axes = getWholeAxes(mesh);
  for (const std::vector<int64_t> &group : groups)
    for (auto [position, device] : llvm::enumerate(group))
      for (int64_t column = 0; column < width; ++column)
        table[mesh.getCoordinate(device, axes) * width + column] =
            static_cast<int32_t>(getEntry(static_cast<int64_t>(position),
                                          static_cast<int64_t>(group.size()),
                                          column));
  return table;
}

Value DeviceGroups::getDevice(ImportBuilder &builder) const {
  if (llvm::is_sorted(mesh.getDeviceIds()))
    return getIndex(builder, *this);
  SmallVector<int32_t> ids(mesh.getDeviceIds().begin(),
                           mesh.getDeviceIds().end());
  return lookUp(builder, ids, 1);
}

Value DeviceGroups::getPosition(ImportBuilder &builder) const {
  auto getEntry = [](int64_t position, int64_t, int64_t) { return position; };
  return lookUp(builder, makeTable(mesh, groups, 1, -1, getEntry), 1);
}

Value DeviceGroups::getSize(ImportBuilder &builder) const {
  auto getEntry = [](int64_t, int64_t size, int64_t) { return size; };
  return lookUp(builder, makeTable(mesh, groups, 1, 0, getEntry), 1);
}

Value DeviceGroups::permute(ImportBuilder &builder, Value value,
                            ArrayRef<int64_t> sources,
                            ArrayRef<int64_t> targets) const {
  return comm::PermuteOp::create(builder, value.getType(), value, name,
                                 getAllAxes(builder.getContext()),
                                 builder.getDenseI64ArrayAttr(sources),
                                 builder.getDenseI64ArrayAttr(targets), nullptr,
                                 nullptr)
      ->getResult(0);
}

/// What the member `distance` places before has.
Value DeviceGroups::rotate(ImportBuilder &builder, Value value,
                           size_t distance) const {
  SmallVector<int64_t> sources, targets;
  for (const std::vector<int64_t> &group : groups)
    for (size_t i = 0; distance < group.size() && i < group.size(); ++i) {
      sources.push_back(group[i]);
      targets.push_back(group[(i + distance) % group.size()]);
    }
  return permute(builder, value, sources, targets);
}

Value DeviceGroups::gatherMembers(ImportBuilder &builder, Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), 1);
  Value own = builder.reshape(value, shape);
  int64_t width = getWidth();
  if (core::AxesAttr axes =
          findAxes(builder.getContext(), /*isOrdered=*/true)) {
    shape.front() = width;
    return comm::AllGatherOp::create(builder, type.clone(shape), own, name,
                                     axes, builder.getDenseI64ArrayAttr(0),
                                     nullptr, nullptr)
        ->getResult(0);
  }
  // Row r is from the member r places before, the last row is zero.
  SmallVector<Value> rows{own};
  for (int64_t distance = 1; distance < width; ++distance)
    rows.push_back(rotate(builder, own, distance));
  rows.push_back(builder.splat(own.getType(), 0));
  Value stacked = builder.concatenate(rows, 0);
  auto getEntry = [&](int64_t position, int64_t size, int64_t column) {
    return column < size ? (position - column + size) % size : width;
  };
  Value order = lookUp(
      builder,
      makeTable(mesh, groups, width, static_cast<int32_t>(width), getEntry),
      width);
  return builder.take(stacked, builder.reshape(order, width));
}

} // namespace partita::io
