//===- CommDialect.cpp - The comm dialect -*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"

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

/// Checks what all collectives share. In the local form each result's shape is
/// its operand's with the given changes.
template <typename OpT>
static LogicalResult verifyCollective(
    OpT op, function_ref<SmallVector<ShapeChange>(size_t, int64_t)> changes) {
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
  int64_t group = getProduct(op.getAxes().toAxes(*mesh));
  for (size_t i = 0; i < count; ++i) {
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
      *this, [](size_t, int64_t) { return SmallVector<ShapeChange>(); });
}

LogicalResult AllGatherOp::verify() {
  if (failed(
          verifyOnePerOperand(*this, getDims().size(), getOperands().size())))
    return failure();
  return verifyCollective(*this, [&](size_t i, int64_t group) {
    return SmallVector<ShapeChange>{{getDims()[i], group, 1}};
  });
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(
          verifyOnePerOperand(*this, getDims().size(), getOperands().size())))
    return failure();
  return verifyCollective(*this, [&](size_t i, int64_t group) {
    return SmallVector<ShapeChange>{{getDims()[i], 1, group}};
  });
}

LogicalResult AllToAllOp::verify() {
  if (failed(verifyOnePerOperand(*this, getSplitDims().size(),
                                 getOperands().size())) ||
      failed(verifyOnePerOperand(*this, getConcatDims().size(),
                                 getOperands().size())))
    return failure();
  return verifyCollective(*this, [&](size_t i, int64_t group) {
    return SmallVector<ShapeChange>{{getSplitDims()[i], 1, group},
                                    {getConcatDims()[i], group, 1}};
  });
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
  return verifyCollective(
      *this, [](size_t, int64_t) { return SmallVector<ShapeChange>(); });
}

LogicalResult SliceOp::verify() {
  FailureOr<Mesh> mesh = getMeshOf(*this, getMesh());
  if (failed(mesh) || failed(verifyAxes(*this, *mesh, getAxes())))
    return failure();
  auto from = getOperand().getType();
  if (getDim() >= static_cast<uint64_t>(from.getRank()))
    return emitOpError() << "dimension " << getDim() << " is not in " << from;
  if (getFrom())
    return success();
  int64_t group = getProduct(getAxes().toAxes(*mesh));
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
