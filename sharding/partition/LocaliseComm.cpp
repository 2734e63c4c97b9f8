//===- LocaliseComm.cpp - Collectives in local form -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Localise.h"

using namespace mlir;

namespace partita {

namespace {
/// The dimension that an op cuts into one part per member, and the one that it
/// joins from the members' parts; -1 for none.
struct PartDims {
  int64_t cut = -1, join = -1;
};
} // namespace

static PartDims getPartDims(Operation *op, unsigned i) {
  if (auto gather = dyn_cast<comm::AllGatherOp>(op))
    return {-1, gather.getDims()[i]};
  if (auto scatter = dyn_cast<comm::ReduceScatterOp>(op))
    return {scatter.getDims()[i], -1};
  if (auto exchange = dyn_cast<comm::AllToAllOp>(op))
    return {exchange.getSplitDims()[i], exchange.getConcatDims()[i]};
  if (auto slice = dyn_cast<comm::SliceOp>(op))
    return {static_cast<int64_t>(slice.getDim()), -1};
  return {};
}

static int64_t getGroupSize(Operation *op, const Mesh &mesh) {
  return getProduct(op->getAttrOfType<AxesAttr>("axes").toAxes(mesh));
}

LogicalResult localiseComm(const LocalOp &self, LocalBuilder &local) {
  Operation *op = self.op;
  if (isa<comm::ReshardOp>(op) && op->hasAttr(kExchangeAttrName)) {
    localiseExchange(self, local);
    return success();
  }
  if (isa<comm::ReshardOp>(op))
    return op->emitOpError()
           << "is still there; lower it to collectives before localising";
  OpBuilder &builder = local.getBuilder();
  builder.setInsertionPoint(op);
  MeshAttr mesh = lookupMesh(op, local.getMeshName());
  int64_t group = getGroupSize(op, mesh.toMesh());
  OperationState state(op->getLoc(), op->getName());
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    PartDims dims = getPartDims(op, i);
    const LocalValue &result = self.results[i];
    Value value = operand;
    if (dims.cut >= 0)
      value = local.padTo(value, dims.cut,
                          result.local.getDimSize(dims.cut) * group);
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(value.getType()).getShape());
    if (dims.cut >= 0)
      shape[dims.cut] /= group;
    if (dims.join >= 0)
      shape[dims.join] *= group;
    state.addOperands(value);
    state.addTypes(local.getType(shape, result.local.getElementType()));
  }
  for (NamedAttribute attr : op->getAttrs())
    if (attr.getName() != "from" && attr.getName() != "to")
      state.addAttribute(attr.getName(), attr.getValue());
  Operation *made = builder.create(state);
  for (auto [i, result] : llvm::enumerate(made->getResults())) {
    Value value = result;
    PartDims dims = getPartDims(op, i);
    if (dims.join >= 0)
      value = local.cutTo(value, dims.join,
                          self.results[i].local.getDimSize(dims.join));
    if (value.getType() != self.results[i].local)
      return op->emitOpError()
             << "makes " << value.getType() << " of a device's part where "
             << self.results[i].local << " is expected; its operand must lie "
             << "as 'from' says";
    op->getResult(i).replaceAllUsesWith(value);
  }
  op->erase();
  return success();
}

} // namespace partita
