//===- ImportCollectives.cpp - Import of collectives in manual code -------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective over groups that axes of the mesh form becomes one of core's.
// Over other groups, or with a reducer of its own, each device gets what all
// members of its group have, in the group's order, and computes its result.
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/io/import/ImportGroups.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// From what all members have
//===----------------------------------------------------------------------===//

/// [n, shape…] with the n parts one after the other along a dimension of shape.
static Value joinMembers(ImportBuilder &builder, Value members, int64_t dim) {
  auto type = cast<RankedTensorType>(members.getType());
  auto order = llvm::to_vector(llvm::seq<int64_t>(1, type.getRank()));
  order.insert(order.begin() + dim, 0);
  SmallVector<int64_t> shape(type.getShape().drop_front());
  shape[dim] *= type.getDimSize(0);
  return builder.reshape(builder.transpose(members, order), shape);
}

/// The part of a value that belongs to the device's position in its group.
static Value takePart(ImportBuilder &builder, const DeviceGroups &devices,
                      Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t size = type.getDimSize(dim) / devices.getWidth();
  Value position = devices.getPosition(builder);
  Value start = builder.make(
      "mul",
      {position, builder.splat(position.getType(), static_cast<double>(size))});
  return builder.sliceAt(value, dim, start, size);
}

/// Whether two scalars are equal, as a condition for all elements of `type`.
static Value isEqual(ImportBuilder &builder, Value a, Value b, Type type) {
  return builder.broadcastScalar(builder.compare(Comparison::Eq, a, b), type);
}

/// All rows combined in their order by an op's reducer.
static Imported reduceRows(Importer &importer, Operation *op,
                           ImportBuilder &builder, Value rows) {
  auto type = cast<RankedTensorType>(rows.getType());
  std::optional<ReductionKind> kind = matchReduction(op->getRegion(0));
  if (kind)
    return SmallVector<Value>{builder.reduce(*kind, rows, {0})};
  auto getRow = [&](int64_t row) {
    return builder.reshape(builder.slice(rows, 0, row, row + 1),
                           type.getShape().drop_front());
  };
  SmallVector<Value> result{getRow(0)};
  for (int64_t row = 1; row < type.getDimSize(0); ++row) {
    Imported next = applyRegion(importer, op, builder, op->getRegion(0),
                                {result[0], getRow(row)});
    if (failed(next))
      return failure();
    result = *next;
  }
  return result;
}

/// What all members have, combined. Groups of other sizes have fewer rows.
static Imported reduceMembers(Importer &importer, Operation *op,
                              ImportBuilder &builder,
                              const DeviceGroups &devices, Value value) {
  Value members = devices.gatherMembers(builder, value);
  Value result;
  for (int64_t size : devices.getSizes()) {
    Imported reduced =
        reduceRows(importer, op, builder, builder.slice(members, 0, 0, size));
    if (failed(reduced))
      return failure();
    Value own = (*reduced)[0];
    if (!result) {
      result = own;
      continue;
    }
    Value count = devices.getSize(builder);
    Value isOwn =
        isEqual(builder, count,
                builder.splat(count.getType(), static_cast<double>(size)),
                own.getType());
    result = builder.select(isOwn, own, result);
  }
  return SmallVector<Value>{result};
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The kind of an op's reducer, null where it is one of its own.
static core::ReductionAttr getKind(Operation *op) {
  std::optional<ReductionKind> kind = matchReduction(op->getRegion(0));
  return kind ? core::ReductionAttr::get(op->getContext(), *kind) : nullptr;
}

/// A collective's one dimension for each operand.
static DenseI64ArrayAttr repeat(ImportBuilder &builder, Operation *op,
                                int64_t dim) {
  return builder.getDenseI64ArrayAttr(
      SmallVector<int64_t>(op->getNumOperands(), dim));
}

/// Checks the shape of a result that has `more` times as many elements along
/// one dimension as its operand, and a part of them along another; -1: none.
static LogicalResult checkShape(Operation *op, const DeviceGroups &devices,
                                unsigned number, int64_t more, int64_t part) {
  if (devices.getSizes().size() > 1)
    return op->emitError() << "'" << op->getName()
                           << "' needs groups of one size";
  auto operand = cast<RankedTensorType>(op->getOperand(number).getType());
  auto result = cast<RankedTensorType>(op->getResult(number).getType());
  int64_t width = devices.getWidth();
  SmallVector<int64_t> shape(operand.getShape());
  if (part >= 0 && shape[part] % width != 0)
    return op->emitError() << "'" << op->getName() << "' cannot cut dimension "
                           << part << " of " << operand << " into " << width
                           << " equal parts";
  if (part >= 0)
    shape[part] /= width;
  if (more >= 0)
    shape[more] *= width;
  if (result.getShape() == ArrayRef(shape))
    return success();
  return op->emitError() << "'" << op->getName() << "' has a result of type "
                         << result << "; over groups of " << width
                         << " devices its shape is "
                         << RankedTensorType::get(shape,
                                                  result.getElementType());
}

/// checkShape of every result.
static LogicalResult checkShapes(Operation *op, const DeviceGroups &devices,
                                 int64_t more, int64_t part) {
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(checkShape(op, devices, i, more, part)))
      return failure();
  return success();
}

/// The operand as the reducer takes it.
static Value convertLike(ImportBuilder &builder, Value operand, Value result) {
  return builder.convert(operand, getElementTypeOrSelf(result.getType()));
}

static Imported makeAllReduce(Importer &importer, Operation *op,
                              ImportBuilder &builder,
                              const DeviceGroups &devices) {
  SmallVector<Value> operands;
  for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults()))
    operands.push_back(convertLike(builder, operand, result));
  core::AxesAttr axes = devices.findAxes(op->getContext(), /*isOrdered=*/false);
  core::ReductionAttr kind = getKind(op);
  if (axes && kind)
    return SmallVector<Value>(
        comm::AllReduceOp::create(builder, op->getResultTypes(), operands,
                                  devices.getMesh(), axes, kind, nullptr,
                                  nullptr)
            .getResults());
  SmallVector<Value> results;
  for (Value operand : operands) {
    Imported reduced = reduceMembers(importer, op, builder, devices, operand);
    if (failed(reduced))
      return failure();
    results.push_back((*reduced)[0]);
  }
  return results;
}

static Imported importAllReduce(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  FailureOr<DeviceGroups> devices = DeviceGroups::get(importer, op);
  if (failed(devices))
    return failure();
  return makeAllReduce(importer, op, builder, *devices);
}

/// The number of the device in its group that result `i` comes from or goes to,
/// which a last operand lists; null for the first one.
static Value getRoot(ImportBuilder &builder, Operation *op, unsigned i) {
  unsigned count = op->getNumResults();
  if (op->getNumOperands() == count)
    return nullptr;
  return builder.reshape(builder.slice(op->getOperand(count), 0, i, i + 1), {});
}

/// As all_reduce on one device of each group, zeros on the others.
static Imported importCollectiveReduce(Importer &importer, Operation *op,
                                       ImportBuilder &builder) {
  FailureOr<DeviceGroups> devices = DeviceGroups::get(importer, op);
  if (failed(devices))
    return failure();
  Imported results = makeAllReduce(importer, op, builder, *devices);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results)) {
    Value position = devices->getPosition(builder);
    Value root = getRoot(builder, op, i);
    if (root)
      position = builder.convert(position, getElementTypeOrSelf(root));
    else
      root = builder.splat(position.getType(), 0);
    result = builder.select(isEqual(builder, position, root, result.getType()),
                            result, builder.splat(result.getType(), 0));
  }
  return results;
}

static Imported importReduceScatter(Importer &importer, Operation *op,
                                    ImportBuilder &builder) {
  auto scatter = cast<stablehlo::ReduceScatterOp>(op);
  FailureOr<DeviceGroups> devices = DeviceGroups::get(importer, op);
  if (failed(devices))
    return failure();
  Value operand = convertLike(builder, op->getOperand(0), scatter.getResult());
  auto dim = static_cast<int64_t>(scatter.getScatterDimension());
  if (failed(checkShapes(op, *devices, /*more=*/-1, /*part=*/dim)))
    return failure();
  core::AxesAttr axes = devices->findAxes(op->getContext(), /*isOrdered=*/true);
  core::ReductionAttr kind = getKind(op);
  if (axes && kind)
    return SmallVector<Value>(
        comm::ReduceScatterOp::create(
            builder, op->getResultTypes(), operand, devices->getMesh(), axes,
            repeat(builder, op, dim), kind, nullptr, nullptr)
            .getResults());
  Imported reduced = reduceMembers(importer, op, builder, *devices, operand);
  if (failed(reduced))
    return failure();
  return SmallVector<Value>{takePart(builder, *devices, (*reduced)[0], dim)};
}

static Imported importAllGather(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  auto gather = cast<stablehlo::AllGatherOp>(op);
  FailureOr<DeviceGroups> devices = DeviceGroups::get(importer, op);
  if (failed(devices))
    return failure();
  auto dim = static_cast<int64_t>(gather.getAllGatherDim());
  if (failed(checkShapes(op, *devices, /*more=*/dim, /*part=*/-1)))
    return failure();
  if (auto axes = devices->findAxes(op->getContext(), /*isOrdered=*/true))
    return SmallVector<Value>(
        comm::AllGatherOp::create(builder, op->getResultTypes(),
                                  op->getOperands(), devices->getMesh(), axes,
                                  repeat(builder, op, dim), nullptr, nullptr)
            .getResults());
  SmallVector<Value> results;
  for (Value operand : op->getOperands())
    results.push_back(
        joinMembers(builder, devices->gatherMembers(builder, operand), dim));
  return results;
}

static Imported importAllToAll(Importer &importer, Operation *op,
                               ImportBuilder &builder) {
  auto exchange = cast<stablehlo::AllToAllOp>(op);
  FailureOr<DeviceGroups> devices = DeviceGroups::get(importer, op);
  if (failed(devices))
    return failure();
  auto split = static_cast<int64_t>(exchange.getSplitDimension());
  auto concat = static_cast<int64_t>(exchange.getConcatDimension());
  if (failed(checkShapes(op, *devices, /*more=*/concat, /*part=*/split)))
    return failure();
  if (auto axes = devices->findAxes(op->getContext(), /*isOrdered=*/true))
    return SmallVector<Value>(
        comm::AllToAllOp::create(builder, op->getResultTypes(),
                                 op->getOperands(), devices->getMesh(), axes,
                                 repeat(builder, op, split),
                                 repeat(builder, op, concat), nullptr, nullptr)
            .getResults());
  SmallVector<Value> results;
  for (Value operand : op->getOperands()) {
    Value members = devices->gatherMembers(builder, operand);
    results.push_back(joinMembers(
        builder, takePart(builder, *devices, members, split + 1), concat));
  }
  return results;
}

static Imported importPermute(Importer &importer, Operation *op,
                              ImportBuilder &builder) {
  FailureOr<DeviceGroups> devices = DeviceGroups::getWhole(importer, op);
  if (failed(devices))
    return failure();
  FailureOr<Groups> pairs = devices->getPairs(importer, op);
  if (failed(pairs))
    return failure();
  SmallVector<int64_t> sources, targets;
  for (const std::vector<int64_t> &pair : *pairs) {
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
  }
  return SmallVector<Value>{
      devices->permute(builder, op->getOperand(0), sources, targets)};
}

/// What one device of a group holds, the first where no operand tells which.
static Imported importBroadcast(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  FailureOr<DeviceGroups> devices = DeviceGroups::get(importer, op);
  if (failed(devices))
    return failure();
  SmallVector<Value> results;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Value operand = op->getOperand(i);
    Value members = devices->gatherMembers(builder, operand);
    Value root = getRoot(builder, op, i);
    Value row = root ? builder.sliceAt(members, 0, root, 1)
                     : builder.slice(members, 0, 0, 1);
    results.push_back(builder.reshape(
        row, cast<RankedTensorType>(operand.getType()).getShape()));
  }
  return results;
}

/// The number of a device's partition, or of its replica.
static Imported importId(Importer &importer, Operation *op,
                         ImportBuilder &builder) {
  Type type = op->getResult(0).getType();
  bool isReplica = isa<stablehlo::ReplicaIdOp>(op);
  std::optional<ProcessGrid> grid = importer.getGrid();
  if (!getMeshName(importer.getModule()) || (isReplica && !grid))
    return SmallVector<Value>{builder.splat(type, 0)};
  Value id = DeviceGroups::getWhole(importer, op)->getDevice(builder);
  if (grid)
    id = builder.make(isReplica ? "div" : "rem",
                      {id, builder.splat(id.getType(), static_cast<double>(
                                                           grid->partitions))});
  return SmallVector<Value>{builder.convert(id, getElementTypeOrSelf(type))};
}

void addCollectiveImports(ImportTable &table) {
  table.functions["stablehlo.all_reduce"] = importAllReduce;
  table.functions["stablehlo.all_gather"] = importAllGather;
  table.functions["stablehlo.all_to_all"] = importAllToAll;
  table.functions["stablehlo.reduce_scatter"] = importReduceScatter;
  table.functions["stablehlo.collective_permute"] = importPermute;
  table.functions["stablehlo.collective_broadcast"] = importBroadcast;
  table.functions["stablehlo.collective_reduce"] = importCollectiveReduce;
  table.functions["stablehlo.partition_id"] = importId;
  table.functions["stablehlo.replica_id"] = importId;
}

} // namespace partita::io
