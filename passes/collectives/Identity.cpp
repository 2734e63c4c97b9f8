//===- Identity.cpp - Collectives, whichever op they are --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Identity.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace partita {

std::optional<CollectiveKind> getCollectiveKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<CollectiveKind>>(op)
      .Case([](comm::AllReduceOp) { return CollectiveKind::AllReduce; })
      .Case([](comm::ReduceScatterOp) { return CollectiveKind::ReduceScatter; })
      .Case([](comm::AllGatherOp) { return CollectiveKind::AllGather; })
      .Case([](comm::AllToAllOp) { return CollectiveKind::AllToAll; })
      .Case([](comm::PermuteOp) { return CollectiveKind::Permute; })
      .Default([](Operation *) { return std::nullopt; });
}

AxesAttr getAxes(Operation *collective) {
  return collective->getAttrOfType<AxesAttr>("axes");
}

ReductionAttr getReduction(Operation *collective) {
  return collective->getAttrOfType<ReductionAttr>("kind");
}

/// The dimension that a gather or all-to-all joins in operand i, or -1.
static int64_t getJoinedDim(Operation *op, unsigned i) {
  if (auto gather = dyn_cast<comm::AllGatherOp>(op))
    return gather.getDims()[i];
  if (auto exchange = dyn_cast<comm::AllToAllOp>(op))
    return exchange.getConcatDims()[i];
  return -1;
}

int64_t getResultBytes(Operation *collective) {
  auto before = collective->getAttrOfType<ArrayAttr>("from");
  auto after = collective->getAttrOfType<ArrayAttr>("to");
  int64_t bytes = 0;
  for (OpResult result : collective->getResults()) {
    unsigned i = result.getResultNumber();
    auto type = cast<RankedTensorType>(result.getType());
    if (!before || !after) {
      bytes += getNumBytes(type);
      continue;
    }
    auto from = cast<ShardingAttr>(before[i]),
         to = cast<ShardingAttr>(after[i]);
    Mesh mesh = lookupMesh(collective, from.getMesh()).toMesh();
    std::vector<int64_t> shape =
        getLocalShape(type.getShape(), to.toSharding(mesh));
    if (int64_t dim = getJoinedDim(collective, i); dim >= 0)
      shape[dim] = getLocalShape(type.getShape(), from.toSharding(mesh))[dim] *
                   getProduct(getAxes(collective).toAxes(mesh));
    bytes += getNumBytes(RankedTensorType::get(shape, type.getElementType()));
  }
  return bytes;
}

/// The axes as a key: normalised, and sorted where their order is of no matter.
static AxesAttr getAxesKey(Operation *op) {
  AxesAttr axes = getAxes(op);
  auto name = op->getAttrOfType<FlatSymbolRefAttr>("mesh");
  MeshAttr meshAttr = lookupMesh(op, name.getAttr());
  if (!meshAttr)
    return axes;
  Mesh mesh = meshAttr.toMesh();
  std::vector<AxisRef> refs = axes.toAxes(mesh);
  if (isa<comm::AllReduceOp>(op))
    llvm::sort(refs);
  return AxesAttr::fromAxes(op->getContext(), mesh, normalize(refs));
}

/// The attributes that `names` name, for a key; unit for those that are absent.
static void addAttributes(Operation *op, ArrayRef<StringRef> names,
                          SmallVectorImpl<Attribute> &key) {
  for (StringRef name : names) {
    Attribute attr = op->getAttr(name);
    key.push_back(attr ? attr : UnitAttr::get(op->getContext()));
  }
}

static Attribute getKey(Operation *op) {
  MLIRContext *context = op->getContext();
  Type element = cast<ShapedType>(op->getOperand(0).getType()).getElementType();
  SmallVector<Attribute> key = {
      StringAttr::get(context, op->getName().getStringRef()), getAxesKey(op),
      TypeAttr::get(element)};
  addAttributes(op, {"mesh", "kind", "sources", "targets"}, key);
  // Local and global form do not mix.
  key.push_back(BoolAttr::get(context, op->hasAttr("from")));
  return ArrayAttr::get(context, key);
}

Attribute getLaunchKey(Operation *op) {
  return getCollectiveKind(op) ? getKey(op) : Attribute();
}

Attribute getValueKey(Operation *op) {
  bool isComm = getCollectiveKind(op) || isa<comm::SliceOp>(op);
  if (!isComm || op->getNumOperands() != 1)
    return {};
  SmallVector<Attribute> key = {getKey(op)};
  addAttributes(op, {"dim", "dims", "split_dims", "concat_dims", "from", "to"},
                key);
  return ArrayAttr::get(op->getContext(), key);
}

} // namespace partita
