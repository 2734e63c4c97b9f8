//===- ExportCollectives.cpp - Export of collectives ----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/io/export/Exporter.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// Groups of devices
//===----------------------------------------------------------------------===//

namespace {
/// The mesh and axes of a collective.
struct Group {
  Mesh mesh;
  std::vector<AxisRef> axes;
  int64_t getSize() const { return getProduct(axes); }
};
} // namespace

static FailureOr<Group> getGroup(Operation *op) {
  auto name = op->getAttrOfType<FlatSymbolRefAttr>("mesh");
  MeshAttr mesh = lookupMesh(op, name.getAttr());
  if (!mesh)
    return op->emitError() << "there is no mesh " << name;
  if (op->hasAttr("from"))
    return op->emitError()
           << "'" << op->getName() << "' on global shapes has no StableHLO "
           << "form: export before collectives are made, or after localisation";
  Mesh value = mesh.toMesh();
  return Group{value, op->getAttrOfType<AxesAttr>("axes").toAxes(value)};
}

/// dense<[[0, 1], [2, 3]]>: a row for each group.
static NamedAttribute getReplicaGroups(ExportBuilder &builder,
                                       const Group &group) {
  SmallVector<int64_t> ids;
  auto groups = group.mesh.getGroups(group.axes);
  for (const std::vector<int64_t> &members : groups)
    llvm::append_range(ids, members);
  auto type = RankedTensorType::get(
      {static_cast<int64_t>(groups.size()), group.getSize()},
      builder.getI64Type());
  return builder.getNamedAttr("replica_groups",
                              DenseIntElementsAttr::get(type, ids));
}

static NamedAttribute getChannel(Exporter &exporter, ExportBuilder &builder) {
  return builder.getNamedAttr(
      "channel_handle",
      stablehlo::ChannelHandleAttr::get(builder.getContext(),
                                        exporter.getNextChannel(), /*type=*/1));
}

static NamedAttribute getGlobalIds(ExportBuilder &builder) {
  return builder.getNamedAttr("use_global_device_ids", builder.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Collectives. Core's take several operands; most of StableHLO's take one, or
// share their dimension.
//===----------------------------------------------------------------------===//

static Exported exportAllReduce(Exporter &exporter, Operation *op,
                                ExportBuilder &builder) {
  FailureOr<Group> group = getGroup(op);
  if (failed(group))
    return failure();
  ReductionKind kind = op->getAttrOfType<core::ReductionAttr>("kind").getKind();
  SmallVector<Value> results;
  for (Value operand : op->getOperands()) {
    Operation *result =
        builder.makeOp("stablehlo.all_reduce", operand.getType(), operand,
                       {getReplicaGroups(builder, *group),
                        getChannel(exporter, builder), getGlobalIds(builder)},
                       /*numRegions=*/1);
    builder.makeReducer(result->getRegion(0),
                        getElementTypeOrSelf(operand.getType()), kind);
    results.push_back(result->getResult(0));
  }
  return results;
}

static Exported exportAllGather(Exporter &exporter, Operation *op,
                                ExportBuilder &builder) {
  FailureOr<Group> group = getGroup(op);
  if (failed(group))
    return failure();
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  SmallVector<Value> results;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    results.push_back(builder.make(
        "stablehlo.all_gather", op->getResult(i).getType(), operand,
        {builder.number("all_gather_dim", dims[i]),
         getReplicaGroups(builder, *group), getChannel(exporter, builder),
         getGlobalIds(builder)}));
  return results;
}

static Exported exportReduceScatter(Exporter &exporter, Operation *op,
                                    ExportBuilder &builder) {
  FailureOr<Group> group = getGroup(op);
  if (failed(group))
    return failure();
  ReductionKind kind = op->getAttrOfType<core::ReductionAttr>("kind").getKind();
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  SmallVector<Value> results;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Operation *result = builder.makeOp(
        "stablehlo.reduce_scatter", op->getResult(i).getType(), operand,
        {builder.number("scatter_dimension", dims[i]),
         getReplicaGroups(builder, *group), getChannel(exporter, builder),
         getGlobalIds(builder)},
        /*numRegions=*/1);
    builder.makeReducer(result->getRegion(0),
                        getElementTypeOrSelf(operand.getType()), kind);
    results.push_back(result->getResult(0));
  }
  return results;
}

static Exported exportAllToAll(Exporter &exporter, Operation *op,
                               ExportBuilder &builder) {
  FailureOr<Group> group = getGroup(op);
  if (failed(group))
    return failure();
  auto split = op->getAttrOfType<DenseI64ArrayAttr>("split_dims");
  auto concat = op->getAttrOfType<DenseI64ArrayAttr>("concat_dims");
  SmallVector<Value> results;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    results.push_back(builder.make(
        "stablehlo.all_to_all", op->getResult(i).getType(), operand,
        {builder.number("split_dimension", split[i]),
         builder.number("concat_dimension", concat[i]),
         builder.number("split_count", group->getSize()),
         getReplicaGroups(builder, *group), getChannel(exporter, builder)}));
  return results;
}

static Exported exportPermute(Exporter &exporter, Operation *op,
                              ExportBuilder &builder) {
  if (failed(getGroup(op)))
    return failure();
  auto sources = op->getAttrOfType<DenseI64ArrayAttr>("sources");
  auto targets = op->getAttrOfType<DenseI64ArrayAttr>("targets");
  SmallVector<int64_t> pairs;
  for (auto [source, target] :
       llvm::zip_equal(sources.asArrayRef(), targets.asArrayRef()))
    pairs.append({source, target});
  auto type = RankedTensorType::get({sources.size(), 2}, builder.getI64Type());
  auto attribute = builder.getNamedAttr("source_target_pairs",
                                        DenseIntElementsAttr::get(type, pairs));
  SmallVector<Value> results;
  for (Value operand : op->getOperands())
    results.push_back(builder.make("stablehlo.collective_permute",
                                   operand.getType(), operand,
                                   {attribute, getChannel(exporter, builder)}));
  return results;
}

//===----------------------------------------------------------------------===//
// Where a device is
//===----------------------------------------------------------------------===//

/// A scalar that each device has its own value of: `values` by device id.
static Value makePerDevice(ExportBuilder &builder, Type elementType,
                           ArrayRef<int64_t> values) {
  int64_t count = values.size();
  auto tableType = RankedTensorType::get({count}, elementType);
  auto numbers = llvm::map_to_vector(values, [&](int64_t value) {
    return APInt(elementType.getIntOrFloatBitWidth(), value);
  });
  Value table = builder.constant(DenseElementsAttr::get(
      tableType, ArrayRef<APInt>(numbers.data(), numbers.size())));
  Type idType =
      RankedTensorType::get({}, builder.getIntegerType(32, /*isSigned=*/false));
  Value id = builder.make("stablehlo.partition_id", idType, {});
  Value entry = builder.make("stablehlo.dynamic_slice",
                             RankedTensorType::get({1}, elementType),
                             {table, id}, builder.dims("slice_sizes", {1}));
  return builder.make("stablehlo.reshape",
                      RankedTensorType::get({}, elementType), entry);
}

static Value makeAxisIndex(ExportBuilder &builder, const Group &group,
                           Type elementType, int64_t scale) {
  SmallVector<int64_t> values;
  for (int64_t id = 0; id < group.mesh.getNumDevices(); ++id)
    values.push_back(group.mesh.getCoordinate(id, group.axes) * scale);
  return makePerDevice(builder, elementType, values);
}

static Exported exportAxisIndex(Exporter &, Operation *op,
                                ExportBuilder &builder) {
  FailureOr<Group> group = getGroup(op);
  if (failed(group))
    return failure();
  return SmallVector<Value>{makeAxisIndex(
      builder, *group, getElementTypeOrSelf(op->getResult(0).getType()), 1)};
}

static Exported exportSlice(Exporter &, Operation *op, ExportBuilder &builder) {
  FailureOr<Group> group = getGroup(op);
  if (failed(group))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t dim = op->getAttrOfType<IntegerAttr>("dim").getInt();
  Value start = makeAxisIndex(builder, *group, builder.getI32Type(),
                              type.getDimSize(dim));
  Value zero = builder.identity(builder.getI32Type(), ReductionKind::Sum);
  SmallVector<Value> operands{op->getOperand(0)};
  operands.append(type.getRank(), zero);
  operands[dim + 1] = start;
  return SmallVector<Value>{
      builder.make("stablehlo.dynamic_slice", type, operands,
                   builder.dims("slice_sizes", type.getShape()))};
}

void addCollectiveExports(ExportTable &table) {
  table.functions["comm.all_reduce"] = exportAllReduce;
  table.functions["comm.all_gather"] = exportAllGather;
  table.functions["comm.reduce_scatter"] = exportReduceScatter;
  table.functions["comm.all_to_all"] = exportAllToAll;
  table.functions["comm.permute"] = exportPermute;
  table.functions["comm.axis_index"] = exportAxisIndex;
  table.functions["comm.slice"] = exportSlice;
}

} // namespace partita::io
