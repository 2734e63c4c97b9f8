//===- PropagationGraph.cpp - Values and what links them --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/propagate/PropagationGraph.h"

#include "ir/attrs/Groups.h"
#include "ir/attrs/Places.h"
#include "ir/core/Core.h"
#include "sharding/partition/Window.h"
#include "sharding/propagate/Provenance.h"
#include "sharding/rules/FactorSharding.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace partita {

/// Bytes of a whole tensor; elements narrower than a byte count as one.
static int64_t getBytes(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bits = 8;
  if (auto complex = dyn_cast<ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  else if (element.isIntOrFloat())
    bits = std::max<int64_t>(8, element.getIntOrFloatBitWidth());
  return type.getNumElements() * bits / 8;
}

/// Whether splitting any parallel factor splits every tensor of the op, scalars
/// aside, and no factor is blocked or reduced.
static bool isPassThrough(Operation *op, const IndexRule &rule) {
  // Of the layers that a loop picks one from, the split may be a reduction.
  bool isPick = isa_and_nonnull<core::DynamicSliceOp>(op);
  llvm::SmallDenseSet<int32_t> parallel;
  for (auto [number, factor] : llvm::enumerate(rule.factors)) {
    if (factor.isBlocked || (factor.kind == FactorKind::Reduction && !isPick))
      return false;
    if (factor.kind == FactorKind::Parallel)
      parallel.insert(static_cast<int32_t>(number));
  }
  for (const auto *side : {&rule.operands, &rule.results})
    for (const FactorDims &dims : *side) {
      llvm::SmallDenseSet<int32_t> own;
      for (const auto &dim : dims)
        for (int32_t factor : dim)
          if (parallel.contains(factor))
            own.insert(factor);
      if (!dims.empty() && own.size() != parallel.size())
        return false;
    }
  return true;
}

FailureOr<PropagationGraph> PropagationGraph::build(func::FuncOp func,
                                                    StringAttr meshName,
                                                    const Mesh &mesh) {
  PropagationGraph graph(func, meshName, mesh);
  if (failed(graph.addFunction()))
    return failure();
  graph.markWhole();
  return graph;
}

/// Whether a dimension's factors are among those of the dimensions that are
/// whole in `other`.
static bool isWholeIn(ArrayRef<int32_t> factors, const FactorDims &other,
                      const llvm::BitVector &whole) {
  return llvm::all_of(factors, [&](int32_t factor) {
    for (auto [d, dim] : llvm::enumerate(other))
      if (llvm::is_contained(dim, factor))
        return d < whole.size() && whole.test(d);
    return false;
  });
}

void PropagationGraph::markWhole() {
  // Uses come after what they use, so one way back suffices, loops aside.
  for (int64_t number = static_cast<int64_t>(nodes.size()) - 1; number >= 0;
       --number) {
    PropagationNode &node = nodes[number];
    size_t rank = node.sharding.dims.size();
    node.whole.resize(rank);
    for (size_t d = 0; d < rank; ++d) {
      const DimSharding &dim = node.sharding.dims[d];
      if (!dim.isOpen) {
        if (dim.axes.empty())
          node.whole.set(d);
        continue;
      }
      bool isUsed = false, isWhole = true;
      for (int32_t at : node.links) {
        const PropagationLink &link = links[at];
        auto *operand = llvm::find(link.operands, static_cast<int32_t>(number));
        if (operand == link.operands.end())
          continue;
        isUsed = true;
        isWhole &=
            link.op && link.isPassThrough && link.results.size() == 1 &&
            isWholeIn(link.rule.operands[operand - link.operands.begin()][d],
                      link.rule.results[0], nodes[link.results[0]].whole);
      }
      if (isUsed && isWhole)
        node.whole.set(d);
    }
  }
}

int32_t PropagationGraph::addNode(RankedTensorType type) {
  PropagationNode &node = nodes.emplace_back();
  node.type = type;
  node.sharding = getReplicated(type.getRank());
  for (DimSharding &dim : node.sharding.dims)
    dim.isOpen = true;
  node.bytes = getBytes(type);
  return static_cast<int32_t>(nodes.size() - 1);
}

int32_t PropagationGraph::getNode(Value value) {
  auto [it, isNew] = nodeOf.try_emplace(value, 0);
  if (isNew)
    it->second = addNode(cast<RankedTensorType>(value.getType()));
  return it->second;
}

void PropagationGraph::addLink(PropagationLink link) {
  link.isPassThrough = isPassThrough(link.op, link.rule);
  auto number = static_cast<int32_t>(links.size());
  for (const auto *side : {&link.operands, &link.results})
    for (int32_t node : *side)
      if (!llvm::is_contained(nodes[node].links, number))
        nodes[node].links.push_back(number);
  links.push_back(std::move(link));
}

void PropagationGraph::addEdge(ArrayRef<int32_t> from, int32_t to) {
  PropagationLink link;
  FactorDims dims;
  for (int64_t size : nodes[to].type.getShape())
    dims.push_back({link.rule.add(size)});
  link.rule.operands.assign(from.size(), dims);
  link.rule.results = {dims};
  link.operands.assign(from.begin(), from.end());
  link.results = {to};
  addLink(std::move(link));
}

void PropagationGraph::setFixed(int32_t number, const TensorSharding &sharding,
                                int32_t source) {
  PropagationNode &node = nodes[number];
  node.sharding = sharding;
  node.origins.clear();
  for (DimSharding &dim : node.sharding.dims) {
    dim.axes = normalize(dim.axes);
    for (const AxisRef &axis : dim.axes)
      node.origins.push_back({axis, source, nullptr});
  }
}

LogicalResult PropagationGraph::annotate(int32_t node, ShardingAttr sharding,
                                         Location loc, StringRef what,
                                         std::string source) {
  MeshAttr own = lookupMesh(func, sharding.getMesh());
  if (!own)
    return emitError(loc) << what << ": no mesh named @"
                          << sharding.getMesh().getValue()
                          << "; declare it with 'core.mesh'";
  if (failed(sharding.verifyFor(own, nodes[node].type, [&] {
        return emitError(loc) << what << ": ";
      })))
    return failure();
  if (own.toMesh() != mesh) {
    if (own.toMesh().getNumDevices() == 1)
      return success();
    return emitError(loc) << what << ": mesh @" << sharding.getMesh().getValue()
                          << " differs from mesh @" << meshName.getValue()
                          << "; a program is partitioned over one mesh";
  }
  sources.push_back(std::move(source));
  setFixed(node, sharding.toSharding(mesh),
           static_cast<int32_t>(sources.size() - 1));
  return success();
}

LogicalResult PropagationGraph::addFunction() {
  for (BlockArgument arg : func.getArguments()) {
    int32_t node = getNode(arg);
    ShardingAttr sharding = getSharding(arg);
    std::string name = getPlace(arg.getLoc()).name;
    std::string what = "argument " + std::to_string(arg.getArgNumber());
    if (sharding && failed(annotate(node, sharding, arg.getLoc(), what,
                                    name.empty() ? what : name)))
      return failure();
  }
  WalkResult walked =
      func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto manual = dyn_cast<comm::ManualOp>(op))
          return succeeded(addManual(manual)) ? WalkResult::skip()
                                              : WalkResult::interrupt();
        return WalkResult(addOp(op));
      });
  if (walked.wasInterrupted())
    return failure();
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    int32_t node = addNode(cast<RankedTensorType>(value.getType()));
    resultNodes.push_back(node);
    std::string what = "result " + std::to_string(i);
    ShardingAttr sharding = getResultSharding(func, i);
    if (sharding && failed(annotate(node, sharding, func.getLoc(), what, what)))
      return failure();
    addEdge({getNode(value)}, node);
  }
  return success();
}

void PropagationGraph::addControlFlow(Operation *op) {
  if (auto loop = dyn_cast<core::WhileOp>(op)) {
    Operation *yield = loop.getBody().front().getTerminator();
    for (unsigned i = 0; i < loop->getNumResults(); ++i) {
      int32_t node = getNode(loop->getResult(i));
      nodeOf[loop.getCond().getArgument(i)] = node;
      nodeOf[loop.getBody().getArgument(i)] = node;
      addEdge({getNode(loop->getOperand(i)), getNode(yield->getOperand(i))},
              node);
    }
  }
  if (auto branch = dyn_cast<core::IfOp>(op)) {
    Operation *then = branch.getThenRegion().front().getTerminator();
    Operation *other = branch.getElseRegion().front().getTerminator();
    for (unsigned i = 0; i < branch->getNumResults(); ++i)
      addEdge({getNode(then->getOperand(i)), getNode(other->getOperand(i))},
              getNode(branch->getResult(i)));
  }
}

/// Whether a constraint is the only one on the value, which no one else placed.
static bool isOnlyConstraint(core::ShardingConstraintOp op) {
  Operation *source = op.getOperand().getDefiningOp();
  if (!source || isa<core::ShardingConstraintOp, comm::ManualOp>(source))
    return false;
  return llvm::count_if(op.getOperand().getUsers(), [](Operation *user) {
           return isa<core::ShardingConstraintOp>(user);
         }) == 1;
}

LogicalResult PropagationGraph::addConstraint(Operation *op) {
  auto constraint = cast<core::ShardingConstraintOp>(op);
  int32_t node = getNode(constraint.getResult());
  std::string line = getPlace(op->getLoc()).getLine();
  if (failed(annotate(node, constraint.getSharding(), op->getLoc(),
                      "sharding constraint",
                      "constraint" + (line.empty() ? "" : " at " + line))))
    return failure();
  if (op->hasAttr(kShardingGroupAttrName))
    return addToGroup(op);
  if (isOnlyConstraint(constraint))
    setFixed(getNode(constraint.getOperand()), nodes[node].sharding,
             static_cast<int32_t>(sources.size() - 1));
  return success();
}

/// Links a member of a group to the first one.
LogicalResult PropagationGraph::addToGroup(Operation *op) {
  Attribute group = op->getAttr(kShardingGroupAttrName);
  Operation *&first = groups.try_emplace(group, op).first->second;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto firstType = cast<RankedTensorType>(first->getResult(0).getType());
  if (type.getShape() != firstType.getShape()) {
    InFlightDiagnostic diag = op->emitError()
                              << "sharding group " << group << " has a member "
                              << "of type " << type << " and one of type "
                              << firstType << "; all must have one shape";
    diag.attachNote(first->getLoc()) << "the other member is here";
    return diag;
  }
  if (first != op)
    addEdge({getNode(op->getResult(0))}, getNode(first->getResult(0)));
  return success();
}

/// What goes into a manual computation and comes out of it lies as it says;
/// its body is none of propagation's concern.
LogicalResult PropagationGraph::addManual(comm::ManualOp op) {
  std::string line = getPlace(op.getLoc()).getLine();
  std::string source =
      "manual computation" + (line.empty() ? "" : " at " + line);
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    int32_t node = addNode(cast<RankedTensorType>(operand.getType()));
    if (failed(annotate(node, cast<ShardingAttr>(op.getInShardings()[i]),
                        op.getLoc(), "manual computation", source)))
      return failure();
    addEdge({getNode(operand)}, node);
  }
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    if (failed(annotate(getNode(result),
                        cast<ShardingAttr>(op.getOutShardings()[i]),
                        op.getLoc(), "manual computation", source)))
      return failure();
  return success();
}

LogicalResult PropagationGraph::addOp(Operation *op) {
  if (isa<comm::CommDialect>(op->getDialect()) && !op->hasAttr("from"))
    return op->emitOpError("lies outside of a manual computation, where "
                           "programs are written for all devices as one");
  addControlFlow(op);
  for (Value result : op->getResults())
    getNode(result);
  auto interface = dyn_cast<IndexRuleOpInterface>(op);
  if (!interface)
    return success();
  PropagationLink link;
  link.op = op;
  // An update need not be split because what it is written to is.
  std::optional<IndexRule> windows;
  if (!isa<core::DynamicUpdateSliceOp>(op))
    windows = getWindowRule(op);
  link.rule = windows ? *windows : interface.getIndexRule();
  if (auto reshape = dyn_cast<core::ReshapeOp>(op))
    scanned.separate(reshape, link.rule);
  link.isBroadcast = isa<core::BroadcastOp>(op);
  for (Value operand : op->getOperands())
    link.operands.push_back(getNode(operand));
  for (Value result : op->getResults())
    link.results.push_back(getNode(result));
  addLink(std::move(link));
  if (isa<core::ShardingConstraintOp>(op))
    return addConstraint(op);
  return success();
}

StringAttr PropagationGraph::describe(const PropagationNode &node) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [d, dim] : llvm::enumerate(node.sharding.dims))
    for (const AxisRef &axis : dim.axes)
      for (const AxisOrigin &origin : node.origins) {
        if (!origin.axis.overlaps(axis))
          continue;
        os << (text.empty() ? "" : "; ") << "dim " << d << " "
           << mesh.toString(axis) << " from " << sources[origin.source];
        if (!origin.via)
          break;
        os << " by " << origin.via->getName();
        std::string line = getPlace(origin.via->getLoc()).getLine();
        if (!line.empty())
          os << " at " << line;
        break;
      }
  return StringAttr::get(meshName.getContext(), text);
}

void PropagationGraph::write() const {
  MLIRContext *context = meshName.getContext();
  auto close = [&](const PropagationNode &node) {
    TensorSharding sharding = node.sharding;
    for (DimSharding &dim : sharding.dims) {
      dim.axes = normalize(dim.axes);
      dim.isOpen = false;
      dim.priority = 0;
    }
    sharding.replicated.clear();
    return ShardingAttr::fromSharding(meshName, mesh, sharding);
  };
  func::FuncOp writable = func;
  for (BlockArgument arg : writable.getArguments()) {
    const PropagationNode &node = nodes[nodeOf.lookup(arg)];
    setSharding(arg, close(node));
    if (!node.origins.empty())
      writable.setArgAttr(arg.getArgNumber(), kOriginsAttrName, describe(node));
  }
  for (auto [i, node] : llvm::enumerate(resultNodes))
    setResultSharding(writable, i, close(nodes[node]));
  writable.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 0)
      return WalkResult::advance();
    SmallVector<Attribute> shardings, origins;
    bool hasOrigin = false;
    for (Value result : op->getResults()) {
      const PropagationNode &node = nodes[nodeOf.lookup(result)];
      shardings.push_back(close(node));
      origins.push_back(describe(node));
      hasOrigin |= !node.origins.empty();
    }
    op->setAttr(kShardingsAttrName, ArrayAttr::get(context, shardings));
    if (hasOrigin)
      op->setAttr(kOriginsAttrName, ArrayAttr::get(context, origins));
    return isa<comm::ManualOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

} // namespace partita
