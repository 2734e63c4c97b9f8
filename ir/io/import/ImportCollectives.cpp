//===- ImportCollectives.cpp - Import of collectives in manual code -------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO lists the devices of each group; core names the axes along which
// the devices of a group differ. All products of (sub-)axes are tried.
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

using Groups = std::vector<std::vector<int64_t>>;
using Axes = std::vector<AxisRef>;

/// The mesh that an op's devices form; nothing where the module has none.
static StringAttr findMesh(Importer &importer) {
  return getMeshName(importer.getModule());
}

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

/// Appends axes to `chosen` until they form the groups, in their order.
static bool searchAxes(const Mesh &mesh, const Axes &candidates,
                       const Groups &groups, int64_t size, Axes &chosen) {
  if (getProduct(chosen) == size) {
    Groups found = mesh.getGroups(chosen);
    Groups wanted = groups;
    llvm::sort(found);
    llvm::sort(wanted);
    return found == wanted;
  }
  for (const AxisRef &axis : candidates) {
    if (size % (getProduct(chosen) * axis.size) != 0 ||
        llvm::any_of(
            chosen, [&](const AxisRef &other) { return other.overlaps(axis); }))
      continue;
    chosen.push_back(axis);
    if (searchAxes(mesh, candidates, groups, size, chosen))
      return true;
    chosen.pop_back();
  }
  return false;
}

/// The axes whose groups are `groups`; nothing where there are none.
static std::optional<Axes> findAxes(const Mesh &mesh, const Groups &groups) {
  if (groups.empty() || groups.front().empty())
    return std::nullopt;
  Axes chosen;
  auto size = static_cast<int64_t>(groups.front().size());
  for (const Axes &candidates : {getWholeAxes(mesh), getPrimeAxes(mesh)}) {
    chosen.clear();
    if (searchAxes(mesh, candidates, groups, size, chosen))
      return chosen;
  }
  return std::nullopt;
}

/// The rows of `replica_groups`; none listed means all devices.
static std::optional<Groups> getGroups(Operation *op, const Mesh &mesh) {
  auto list = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!list)
    return std::nullopt;
  Groups groups;
  if (list.getNumElements() == 0) {
    groups.emplace_back();
    for (int64_t i = 0; i < mesh.getNumDevices(); ++i)
      groups.back().push_back(i);
    return groups;
  }
  int64_t width = list.getType().getDimSize(1), at = 0;
  for (const APInt &device : list.getValues<APInt>()) {
    if (at++ % width == 0)
      groups.emplace_back();
    groups.back().push_back(device.getSExtValue());
  }
  return groups;
}

namespace {
/// Where a collective takes place.
struct Place {
  FlatSymbolRefAttr mesh;
  core::AxesAttr axes;
};
} // namespace

static FailureOr<Place> getPlace(Importer &importer, Operation *op) {
  StringAttr name = findMesh(importer);
  if (!name)
    return importer.reportUnsupported(op, " without a mesh");
  Mesh mesh = lookupMesh(importer.getModule(), name).toMesh();
  std::optional<Groups> groups = getGroups(op, mesh);
  std::optional<Axes> axes = groups ? findAxes(mesh, *groups) : std::nullopt;
  if (!axes)
    return importer.reportUnsupported(
        op, " over groups that are not those of axes of the mesh");
  return Place{
      FlatSymbolRefAttr::get(name),
      core::AxesAttr::fromAxes(op->getContext(), mesh, normalize(*axes))};
}

static FailureOr<core::ReductionAttr> getKind(Importer &importer,
                                              Operation *op) {
  std::optional<ReductionKind> kind = matchReduction(op->getRegion(0));
  if (!kind)
    return importer.reportUnsupported(op, " with a reducer other than one op");
  return core::ReductionAttr::get(op->getContext(), *kind);
}

/// A collective's one dimension for each operand.
static DenseI64ArrayAttr repeat(ImportBuilder &builder, Operation *op,
                                int64_t dim) {
  return builder.getDenseI64ArrayAttr(
      SmallVector<int64_t>(op->getNumOperands(), dim));
}

static Imported importAllReduce(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  FailureOr<Place> place = getPlace(importer, op);
  FailureOr<core::ReductionAttr> kind = getKind(importer, op);
  if (failed(place) || failed(kind))
    return failure();
  SmallVector<Value> operands;
  for (auto [operand, type] :
       llvm::zip(op->getOperands(), op->getResultTypes()))
    operands.push_back(builder.convert(operand, getElementTypeOrSelf(type)));
  auto made = comm::AllReduceOp::create(builder, op->getResultTypes(), operands,
                                        place->mesh, place->axes, *kind,
                                        nullptr, nullptr);
  return SmallVector<Value>(made.getResults());
}

static Imported importReduceScatter(Importer &importer, Operation *op,
                                    ImportBuilder &builder) {
  auto scatter = cast<stablehlo::ReduceScatterOp>(op);
  FailureOr<Place> place = getPlace(importer, op);
  FailureOr<core::ReductionAttr> kind = getKind(importer, op);
  if (failed(place) || failed(kind))
    return failure();
  Value operand = builder.convert(op->getOperand(0),
                                  getElementTypeOrSelf(scatter.getType()));
  auto dim = static_cast<int64_t>(scatter.getScatterDimension());
  auto made = comm::ReduceScatterOp::create(
      builder, op->getResultTypes(), operand, place->mesh, place->axes,
      repeat(builder, op, dim), *kind, nullptr, nullptr);
  return SmallVector<Value>(made.getResults());
}

static Imported importAllGather(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  auto gather = cast<stablehlo::AllGatherOp>(op);
  FailureOr<Place> place = getPlace(importer, op);
  if (failed(place))
    return failure();
  auto dim = static_cast<int64_t>(gather.getAllGatherDim());
  auto made = comm::AllGatherOp::create(
      builder, op->getResultTypes(), op->getOperands(), place->mesh,
      place->axes, repeat(builder, op, dim), nullptr, nullptr);
  return SmallVector<Value>(made.getResults());
}

static Imported importAllToAll(Importer &importer, Operation *op,
                               ImportBuilder &builder) {
  auto exchange = cast<stablehlo::AllToAllOp>(op);
  FailureOr<Place> place = getPlace(importer, op);
  if (failed(place))
    return failure();
  auto split = static_cast<int64_t>(exchange.getSplitDimension());
  auto concat = static_cast<int64_t>(exchange.getConcatDimension());
  auto made = comm::AllToAllOp::create(
      builder, op->getResultTypes(), op->getOperands(), place->mesh,
      place->axes, repeat(builder, op, split), repeat(builder, op, concat),
      nullptr, nullptr);
  return SmallVector<Value>(made.getResults());
}

/// All along the axes of the mesh, as pairs may differ along any.
static core::AxesAttr getAllAxes(MLIRContext *context, const Mesh &mesh) {
  return core::AxesAttr::fromAxes(context, mesh, getWholeAxes(mesh));
}

static Imported importPermute(Importer &importer, Operation *op,
                              ImportBuilder &builder) {
  auto permute = cast<stablehlo::CollectivePermuteOp>(op);
  StringAttr name = findMesh(importer);
  if (!name)
    return importer.reportUnsupported(op, " without a mesh");
  Mesh mesh = lookupMesh(importer.getModule(), name).toMesh();
  SmallVector<int64_t> sources, targets;
  for (auto [i, device] :
       llvm::enumerate(permute.getSourceTargetPairs().getValues<APInt>()))
    (i % 2 ? targets : sources).push_back(device.getSExtValue());
  auto made = comm::PermuteOp::create(
      builder, op->getResultTypes(), op->getOperands(),
      FlatSymbolRefAttr::get(name), getAllAxes(op->getContext(), mesh),
      builder.getDenseI64ArrayAttr(sources),
      builder.getDenseI64ArrayAttr(targets), nullptr, nullptr);
  return SmallVector<Value>(made.getResults());
}

/// The coordinate of each group's first device along the axes, where it is one
/// for all groups.
static std::optional<int64_t> findRoot(const Mesh &mesh, const Groups &groups,
                                       const Axes &axes) {
  int64_t root = mesh.getCoordinate(groups.front().front(), axes);
  for (const std::vector<int64_t> &group : groups)
    if (mesh.getCoordinate(group.front(), axes) != root)
      return std::nullopt;
  return root;
}

/// What the first device of a group holds: its part of all.
static Imported importBroadcast(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  StringAttr name = findMesh(importer);
  if (!name)
    return importer.reportUnsupported(op, " without a mesh");
  Mesh mesh = lookupMesh(importer.getModule(), name).toMesh();
  std::optional<Groups> groups = getGroups(op, mesh);
  std::optional<Axes> axes;
  if (groups) {
    Groups ordered = *groups;
    for (std::vector<int64_t> &group : ordered)
      llvm::sort(group);
    axes = findAxes(mesh, ordered);
  }
  std::optional<int64_t> root =
      axes ? findRoot(mesh, *groups, *axes) : std::nullopt;
  if (!root)
    return importer.reportUnsupported(
        op, " over groups that are not those of axes of the mesh");
  auto axesAttr =
      core::AxesAttr::fromAxes(op->getContext(), mesh, normalize(*axes));
  SmallVector<Value> results;
  for (Value operand : op->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), 1);
    Value part = builder.reshape(operand, shape);
    shape.front() = getProduct(*axes);
    Value all =
        comm::AllGatherOp::create(
            builder, type.clone(shape), part, FlatSymbolRefAttr::get(name),
            axesAttr, builder.getDenseI64ArrayAttr(0), nullptr, nullptr)
            ->getResult(0);
    results.push_back(builder.reshape(builder.slice(all, 0, *root, *root + 1),
                                      type.getShape()));
  }
  return results;
}

/// The number of the device in the mesh.
static Imported importPartitionId(Importer &importer, Operation *op,
                                  ImportBuilder &builder) {
  StringAttr name = findMesh(importer);
  if (!name)
    return SmallVector<Value>{builder.splat(op->getResult(0).getType(), 0)};
  Mesh mesh = lookupMesh(importer.getModule(), name).toMesh();
  if (!mesh.getDeviceIds().empty() && !llvm::is_sorted(mesh.getDeviceIds()))
    return importer.reportUnsupported(op, " of a mesh in an order of its own");
  Value index = comm::AxisIndexOp::create(
      builder, RankedTensorType::get({}, builder.getI32Type()),
      FlatSymbolRefAttr::get(name), getAllAxes(op->getContext(), mesh));
  return SmallVector<Value>{
      builder.convert(index, getElementTypeOrSelf(op->getResult(0).getType()))};
}

void addCollectiveImports(ImportTable &table) {
  table.functions["stablehlo.all_reduce"] = importAllReduce;
  table.functions["stablehlo.all_gather"] = importAllGather;
  table.functions["stablehlo.all_to_all"] = importAllToAll;
  table.functions["stablehlo.reduce_scatter"] = importReduceScatter;
  table.functions["stablehlo.collective_permute"] = importPermute;
  table.functions["stablehlo.collective_broadcast"] = importBroadcast;
  table.functions["stablehlo.partition_id"] = importPartitionId;
}

} // namespace partita::io
