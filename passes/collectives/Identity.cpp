//===- Identity.cpp - Which collectives are alike ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Identity.h"

#include "ir/attrs/ShardingUtils.h"
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
