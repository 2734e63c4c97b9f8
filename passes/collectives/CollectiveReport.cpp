//===- CollectiveReport.cpp - Every collective, priced ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/CollectiveReport.h"

#include "ir/attrs/Places.h"
#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Types.h"
#include "passes/collectives/Identity.h"
#include "passes/collectives/Reason.h"
#include "passes/collectives/TripCount.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace partita {

/// How many of a joined collective's reasons are told.
static constexpr size_t kMaxReasons = 3;

static std::string getReason(Operation *op) {
  auto list = op->getAttrOfType<ArrayAttr>(kReasonsAttrName);
  if (!list)
    return "";
  llvm::SetVector<StringRef> reasons;
  for (auto text : list.getAsRange<StringAttr>())
    if (!text.getValue().empty())
      reasons.insert(text.getValue());
  std::string reason;
  for (StringRef text : ArrayRef(reasons.getArrayRef()).take_front(kMaxReasons))
    reason += (reason.empty() ? "" : " | ") + text.str();
  if (reasons.size() > kMaxReasons)
    reason +=
        " | and " + std::to_string(reasons.size() - kMaxReasons) + " more";
  return reason;
}

static std::string getAxisName(const Mesh &mesh, const AxisRef &ref) {
  std::string text = mesh.toString(ref);
  std::erase(text, '"');
  return text;
}

static CollectiveEntry getEntry(Operation *op, CollectiveKind kind,
                                const Topology &topology) {
  auto name = op->getAttrOfType<FlatSymbolRefAttr>("mesh").getAttr();
  Mesh mesh = lookupMesh(op, name).toMesh();
  std::vector<AxisRef> axes = getAxes(op).toAxes(mesh);
  CollectiveEntry entry;
  entry.kind = kind;
  for (const AxisRef &ref : axes)
    entry.axes.push_back(getAxisName(mesh, ref));
  entry.groupSize = getProduct(axes);
  entry.count = getExecutionCount(op);
  entry.isExact = isExecutionCountExact(op);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  entry.dtype = toDType(element).value_or(DType::F32);
  if (ReductionAttr reduction = getReduction(op))
    entry.reduction = reduction.getKind();
  entry.operands = op->getNumOperands();
  entry.resultBytes = getResultBytes(op);
  entry.wireBytes = getWireBytes(kind, entry.groupSize, entry.resultBytes);
  entry.seconds = getSeconds(mesh, topology, kind, axes, entry.resultBytes);
  Place place = getPlace(op->getLoc());
  entry.source = place.getLine();
  entry.value = place.name;
  entry.reason = getReason(op);
  return entry;
}

std::vector<CollectiveEntry> getCollectives(ModuleOp module,
                                            const Topology &topology) {
  std::vector<CollectiveEntry> entries;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (std::optional<CollectiveKind> kind = getCollectiveKind(op))
      entries.push_back(getEntry(op, *kind, topology));
  });
  return entries;
}

} // namespace partita
