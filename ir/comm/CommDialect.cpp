//===- CommDialect.cpp - The comm dialect -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/core/Reductions.h"
#include "mesh/Transition.h"

using namespace mlir;
using namespace partita;
using namespace partita::comm;

#include "ir/comm/CommDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/comm/CommOps.cpp.inc"

void CommDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/comm/CommOps.cpp.inc"
      >();
}

/// The mesh of that name, or an error at the op.
static FailureOr<Mesh> getMeshOf(Operation *op, StringRef name) {
  MeshAttr mesh = lookupMesh(op, StringAttr::get(op->getContext(), name));
  if (!mesh)
    return op->emitOpError()
           << "no mesh named @" << name << "; declare it with 'core.mesh'";
  return mesh.toMesh();
}

/// Checks that the axes are in the mesh and not named twice.
static LogicalResult verifyAxes(Operation *op, const Mesh &mesh,
                                AxesAttr axes) {
  SmallVector<AxisRef> seen;
  for (AxisRefAttr axis : axes.getAxes()) {
    std::optional<int32_t> index = mesh.findAxis(axis.getName());
    if (!index)
      return op->emitOpError()
             << "axis \"" << axis.getName() << "\" is not in the mesh";
    AxisRef ref = axis.toAxisRef(mesh);
    if (ref.pre < 1 || ref.size < 1 ||
        mesh.getAxisSize(*index) % ref.end() != 0)
      return op->emitOpError() << "sub-axis " << mesh.toString(ref)
                               << " does not divide its axis";
    for (const AxisRef &other : seen)
      if (ref.overlaps(other))
        return op->emitOpError()
               << "axis " << mesh.toString(ref) << " is used twice";
    seen.push_back(ref);
  }
  return success();
}

/// How one operand's shape changes: dimension -> multiplied, then divided.
struct ShapeChange {
  int64_t dim;
  int64_t times;
  int64_t over;
};

/// The placement that an op makes of operand i's; nothing where it cannot.
using Transition = function_ref<std::optional<TensorSharding>(
    size_t, const TensorSharding &, ArrayRef<AxisRef>)>;

/// Checks `from` and `to` of a collective in the global form, axis by axis.
static LogicalResult verifyPlacement(Operation *op, const Mesh &mesh, size_t i,
                                     ArrayRef<AxisRef> axes, Attribute fromAttr,
                                     Attribute toAttr, Transition transition) {
  auto from = dyn_cast<ShardingAttr>(fromAttr);
  auto to = dyn_cast<ShardingAttr>(toAttr);
  if (!from || !to)
    return op->emitOpError() << "'from' and 'to' must hold shardings";
  for (ShardingAttr sharding : {from, to})
    if (failed(sharding.verifyFor(MeshAttr::fromMesh(op->getContext(), mesh),
                                  op->getOperand(i).getType(),
                                  [&] { return op->emitOpError(); })))
      return failure();
  if (!transition)
    return success();
  std::optional<TensorSharding> made =
      transition(i, from.toSharding(mesh), axes);
  if (!made)
    return op->emitOpError()
           << "does not apply to operand " << i << " that is " << from;
  if (!isSamePlacement(*made, to.toSharding(mesh)))
    return op->emitOpError() << "leaves operand " << i << " as "
                             << toString(mesh, *made) << ", not as " << to;
  return success();
}

/// Checks that an op that reduces can do so with the elements of its operand.
static LogicalResult verifyReduction(Operation *op, Type operand) {
  auto kind = op->getAttrOfType<ReductionAttr>("kind");
  if (!kind)
    return success();
  Type element = getElementTypeOrSelf(operand);
  StringRef fault = getReductionFault(kind.getKind(), element);
  if (fault.empty())
    return success();
  return op->emitOpError() << StringRef(getName(kind.getKind()))
                           << " cannot reduce " << element << ": " << fault;
}

/// Checks what all collectives share. In the local form each result's shape is
/// its operand's with the given changes.
template <typename OpT>
static LogicalResult verifyCollective(
    OpT op, function_ref<SmallVector<ShapeChange>(size_t, int64_t)> changes,
    Transition transition) {
  FailureOr<Mesh> mesh = getMeshOf(op, op.getMesh());
  if (failed(mesh) || failed(verifyAxes(op, *mesh, op.getAxes())))
    return failure();
  size_t count = op.getOperands().size();
  if (count == 0 || op.getResults().size() != count)
    return op.emitOpError() << "needs one result per operand, and at least one";
  if (op.getFrom().has_value() != op.getTo().has_value())
    return op.emitOpError() << "needs both 'from' and 'to', or neither";
  if (op.getFrom() &&
      (op.getFrom()->size() != count || op.getTo()->size() != count))
    return op.emitOpError()
           << "needs a sharding per operand in 'from' and 'to'";
  std::vector<AxisRef> axes = op.getAxes().toAxes(*mesh);
  int64_t group = getProduct(axes);
  for (size_t i = 0; i < count; ++i) {
    if (failed(verifyReduction(op, op.getOperands()[i].getType())))
      return failure();
    if (op.getFrom() &&
        failed(verifyPlacement(op, *mesh, i, axes, (*op.getFrom())[i],
                               (*op.getTo())[i], transition)))
      return failure();
    auto from = cast<RankedTensorType>(op.getOperands()[i].getType());
    auto to = cast<RankedTensorType>(op.getResults()[i].getType());
    SmallVector<int64_t> shape(from.getShape());
    for (ShapeChange change : changes(i, group)) {
      if (change.dim < 0 || change.dim >= from.getRank())
        return op.emitOpError()
               << "dimension " << change.dim << " is not in operand " << i;
      if (op.getFrom())
        continue;
      int64_t size = shape[change.dim] * change.times;
      if (size % change.over != 0)
        return op.emitOpError()
               << "dimension " << change.dim << " of size " << size
               << " cannot be cut in " << change.over << " equal parts";
      shape[change.dim] = size / change.over;
    }
    auto expected = RankedTensorType::get(shape, from.getElementType());
    if (to != expected)
      return op.emitOpError()
             << "result " << i << " should be " << expected << ", not " << to;
  }
  return success();
}

static LogicalResult verifyOnePerOperand(Operation *op, size_t count,
                                         size_t operands) {
  if (count != operands)
    return op->emitOpError() << "needs one dimension per operand, not " << count
                             << " for " << operands;
  return success();
}

LogicalResult ReshardOp::verify() {
  for (ShardingAttr sharding : {getFrom(), getTo()}) {
    MeshAttr mesh = lookupMesh(getOperation(), sharding.getMesh());
    if (!mesh)
      return emitOpError() << "no mesh named @" << sharding.getMesh().getValue()
                           << "; declare it with 'core.mesh'";
    if (failed(
            sharding.verifyFor(mesh, getType(), [&] { return emitOpError(); })))
      return failure();
  }
  return success();
}

LogicalResult AllReduceOp::verify() {
  return verifyCollective(
      *this, [](size_t, int64_t) { return SmallVector<ShapeChange>(); },
      [&](size_t, const TensorSharding &from, ArrayRef<AxisRef> axes) {
        return afterAllReduce(from, getKind().getKind(), axes);
      });
}

LogicalResult AllGatherOp::verify() {
  if (failed(
          verifyOnePerOperand(*this, getDims().size(), getOperands().size())))
    return failure();
  return verifyCollective(
      *this,
      [&](size_t i, int64_t group) {
        return SmallVector<ShapeChange>{{getDims()[i], group, 1}};
      },
      [&](size_t i, const TensorSharding &from, ArrayRef<AxisRef> axes) {
        return afterAllGather(from, getDims()[i], axes);
      });
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(
          verifyOnePerOperand(*this, getDims().size(), getOperands().size())))
    return failure();
  return verifyCollective(
      *this,
      [&](size_t i, int64_t group) {
        return SmallVector<ShapeChange>{{getDims()[i], 1, group}};
      },
      [&](size_t i, const TensorSharding &from, ArrayRef<AxisRef> axes) {
        return afterReduceScatter(from, getDims()[i], getKind().getKind(),
                                  axes);
      });
}

LogicalResult AllToAllOp::verify() {
  if (failed(verifyOnePerOperand(*this, getSplitDims().size(),
                                 getOperands().size())) ||
      failed(verifyOnePerOperand(*this, getConcatDims().size(),
                                 getOperands().size())))
    return failure();
  return verifyCollective(
      *this,
      [&](size_t i, int64_t group) {
        return SmallVector<ShapeChange>{{getSplitDims()[i], 1, group},
                                        {getConcatDims()[i], group, 1}};
      },
      [&](size_t i, const TensorSharding &from, ArrayRef<AxisRef> axes) {
        return afterAllToAll(from, getSplitDims()[i], getConcatDims()[i], axes);
      });
}

/// Checks that each pair's target wants what its source holds.
static LogicalResult verifyPairs(PermuteOp op, const Mesh &mesh) {
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.getType()).getShape();
    TensorSharding from =
        cast<ShardingAttr>((*op.getFrom())[i]).toSharding(mesh);
    TensorSharding to = cast<ShardingAttr>((*op.getTo())[i]).toSharding(mesh);
    for (auto [source, target] : llvm::zip(op.getSources(), op.getTargets()))
      if (getShardBox(mesh, shape, from, source) !=
          getShardBox(mesh, shape, to, target))
        return op.emitOpError()
               << "device " << source << " does not hold what device " << target
               << " needs of operand " << i;
  }
  return success();
}

LogicalResult PermuteOp::verify() {
  FailureOr<Mesh> mesh = getMeshOf(*this, getMesh());
  if (failed(mesh))
    return failure();
  if (getSources().size() != getTargets().size())
    return emitOpError() << "needs as many sources as targets";
  for (ArrayRef<int64_t> devices : {getSources(), getTargets()}) {
    llvm::SmallDenseSet<int64_t> seen;
    for (int64_t device : devices)
      if (device < 0 || device >= mesh->getNumDevices() ||
          !seen.insert(device).second)
        return emitOpError()
               << "device " << device << " is not in the mesh or named twice";
  }
  if (failed(verifyCollective(
          *this, [](size_t, int64_t) { return SmallVector<ShapeChange>(); },
          nullptr)))
    return failure();
  return getFrom() ? verifyPairs(*this, *mesh) : success();
}

LogicalResult SliceOp::verify() {
  FailureOr<Mesh> mesh = getMeshOf(*this, getMesh());
  if (failed(mesh) || failed(verifyAxes(*this, *mesh, getAxes())))
    return failure();
  auto from = getOperand().getType();
  if (getDim() >= static_cast<uint64_t>(from.getRank()))
    return emitOpError() << "dimension " << getDim() << " is not in " << from;
  std::vector<AxisRef> axes = getAxes().toAxes(*mesh);
  if (getFrom() && getTo() && getFrom()->size() == 1 && getTo()->size() == 1)
    return verifyPlacement(
        *this, *mesh, 0, axes, (*getFrom())[0], (*getTo())[0],
        [&](size_t, const TensorSharding &before, ArrayRef<AxisRef> refs) {
          return afterSlice(before, static_cast<int64_t>(getDim()), refs);
        });
  if (getFrom() || getTo())
    return emitOpError() << "needs one sharding in 'from' and one in 'to'";
  int64_t group = getProduct(axes);
  SmallVector<int64_t> shape(from.getShape());
  if (shape[getDim()] % group != 0)
    return emitOpError() << "dimension " << getDim() << " of size "
                         << shape[getDim()] << " cannot be cut in " << group
                         << " equal parts";
  shape[getDim()] /= group;
  if (ArrayRef<int64_t>(shape) != getType().getShape())
    return emitOpError() << "result should be "
                         << RankedTensorType::get(shape, from.getElementType())
                         << ", not " << getType();
  return success();
}

LogicalResult AxisIndexOp::verify() {
  FailureOr<Mesh> mesh = getMeshOf(*this, getMesh());
  if (failed(mesh) || failed(verifyAxes(*this, *mesh, getAxes())))
    return failure();
  if (getType().getRank() != 0 || !getType().getElementType().isInteger(32))
    return emitOpError() << "the result must be tensor<i32>, not " << getType();
  return success();
}

/// Checks that the body's value is a device's part of the op's.
static LogicalResult verifyPart(ManualOp op, Attribute attr, Type global,
                                Type local, const Twine &what) {
  auto sharding = dyn_cast<ShardingAttr>(attr);
  if (!sharding)
    return op.emitOpError() << "'in' and 'out' must hold shardings";
  FailureOr<Mesh> mesh = getMeshOf(op, sharding.getMesh().getValue());
  if (failed(mesh) ||
      failed(sharding.verifyFor(MeshAttr::fromMesh(op.getContext(), *mesh),
                                cast<RankedTensorType>(global),
                                [&] { return op.emitOpError(); })))
    return failure();
  TensorSharding placement = sharding.toSharding(*mesh);
  SmallVector<int64_t> shape(cast<RankedTensorType>(global).getShape());
  for (auto [d, size] : llvm::enumerate(shape)) {
    int64_t parts = getProduct(placement.dims[d].axes);
    if (size % parts != 0)
      return op.emitOpError()
             << what << " of type " << global << " cannot be cut in " << parts
             << " equal parts along dimension " << d;
    size /= parts;
  }
  Type expected = cast<RankedTensorType>(global).clone(shape);
  if (local == expected)
    return success();
  return op.emitOpError() << "is written for parts " << local << " of " << what
                          << ", which on this mesh are " << expected
                          << "; use the mesh that the program was written for";
}

LogicalResult ManualOp::verify() {
  Block &block = getBody().front();
  Operation *end = block.empty() ? nullptr : &block.back();
  if (!isa_and_nonnull<ReturnOp>(end) ||
      block.getNumArguments() != getNumOperands() ||
      end->getNumOperands() != getNumResults() ||
      getInShardings().size() != getNumOperands() ||
      getOutShardings().size() != getNumResults())
    return emitOpError() << "needs a sharding and a value of the body for each "
                            "operand and result";
  for (auto [i, operand] : llvm::enumerate(getOperands()))
    if (failed(verifyPart(*this, getInShardings()[i], operand.getType(),
                          block.getArgument(i).getType(),
                          "operand " + Twine(i))))
      return failure();
  for (auto [i, result] : llvm::enumerate(getResults()))
    if (failed(verifyPart(*this, getOutShardings()[i], result.getType(),
                          end->getOperand(i).getType(), "result " + Twine(i))))
      return failure();
  return success();
}
