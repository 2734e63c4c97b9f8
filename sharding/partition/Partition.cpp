//===- Partition.cpp - Makes operands and results fit every op ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "sharding/Passes.h"
#include "sharding/partition/Strategy.h"
#include "sharding/partition/Window.h"
#include "sharding/propagate/Provenance.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_PARTITIONPASS
#include "sharding/ShardingPasses.h.inc"

namespace {
class Partitioner {
public:
  Partitioner(StringAttr theMeshName, const Mesh &theMesh, bool theFailOnRemat)
      : meshName(theMeshName), mesh(theMesh), costs(theMesh),
        failOnRemat(theFailOnRemat) {}

  LogicalResult run(func::FuncOp theFunc) {
    func = theFunc;
    moved.clear();
    return partitionBlock(func.getBody().front());
  }

private:
  TensorSharding get(Value value) const {
    ShardingAttr sharding = getSharding(value);
    if (!sharding)
      return getReplicated(cast<RankedTensorType>(value.getType()).getRank());
    return sharding.toSharding(mesh);
  }
  ShardingAttr makeAttr(const TensorSharding &sharding) const {
    return ShardingAttr::fromSharding(meshName, mesh, sharding);
  }

  LogicalResult partitionBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(partitionOp(&op)))
        return failure();
    return success();
  }

  LogicalResult partitionOp(Operation *op) {
    if (isa<comm::ReshardOp>(op))
      return success();
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      for (OpOperand &use : ret->getOpOperands())
        if (ShardingAttr wanted =
                getResultSharding(func, use.getOperandNumber()))
          moveOperand(use, wanted.toSharding(mesh));
      return success();
    }
    if (auto yield = dyn_cast<core::YieldOp>(op))
      return partitionYield(yield);
    if (isa<core::WhileOp, core::IfOp>(op))
      return partitionControlFlow(op);
    if (auto constraint = dyn_cast<core::ShardingConstraintOp>(op)) {
      moveOperand(constraint->getOpOperand(0), get(constraint.getResult()));
      constraint.replaceAllUsesWith(constraint.getOperand());
      constraint.erase();
      return success();
    }
    // Its values have nothing to do with one another: each stays as it lies.
    if (isa<core::BarrierOp>(op)) {
      for (OpOperand &use : op->getOpOperands()) {
        OpResult result = op->getResult(use.getOperandNumber());
        if (result.use_empty())
          setSharding(result, makeAttr(get(use.get())));
        moveOperand(use, get(result));
      }
      return success();
    }
    if (auto manual = dyn_cast<comm::ManualOp>(op)) {
      for (OpOperand &use : op->getOpOperands())
        moveOperand(use, cast<ShardingAttr>(
                             manual.getInShardings()[use.getOperandNumber()])
                             .toSharding(mesh));
      return success();
    }
    if (op->getNumOperands() == 0 && op->getNumResults() == 0)
      return success();
    if (!isa<IndexRuleOpInterface>(op))
      return op->emitOpError() << "has no index rule and cannot be partitioned";
    return partitionByRule(op);
  }

  LogicalResult partitionYield(core::YieldOp yield) {
    Operation *parent = yield->getParentOp();
    auto loop = dyn_cast<core::WhileOp>(parent);
    bool isCondition = loop && yield->getParentRegion() == &loop.getCond();
    for (OpOperand &use : yield->getOpOperands())
      moveOperand(use, isCondition
                           ? getReplicated(0)
                           : get(parent->getResult(use.getOperandNumber())));
    return success();
  }

  LogicalResult partitionControlFlow(Operation *op) {
    if (isa<core::IfOp>(op))
      moveOperand(op->getOpOperand(0), getReplicated(0));
    else
      for (OpOperand &use : op->getOpOperands())
        moveOperand(use, get(op->getResult(use.getOperandNumber())));
    for (Region &region : op->getRegions()) {
      if (failed(partitionBlock(region.front())))
        return failure();
      // What was moved in the region is not at hand behind it.
      SmallVector<Key> inside;
      for (auto [key, result] : moved)
        if (region.isAncestor(result.getParentRegion()))
          inside.push_back(key);
      for (const Key &key : inside)
        moved.erase(key);
    }
    return success();
  }

  LogicalResult partitionByRule(Operation *op) {
    StrategyRequest request;
    request.op = op;
    request.rule = cast<IndexRuleOpInterface>(op).getIndexRule();
    for (Value operand : op->getOperands())
      request.operands.push_back(get(operand));
    for (Value result : op->getResults())
      request.results.push_back(get(result));
    auto isAtHand = [&](unsigned i, const TensorSharding &wanted) {
      return findMoved(op->getOperand(i), wanted) != nullptr;
    };
    request.isAtHand = isAtHand;
    auto lookUp = [&](Value value) { return get(value); };
    request.getSharding = lookUp;
    Strategy strategy = chooseWay(request);
    if (failed(reportRemat(request, strategy)))
      return failure();
    for (OpOperand &use : op->getOpOperands())
      moveOperand(use, strategy.operands[use.getOperandNumber()]);
    for (OpResult result : op->getResults())
      placeResult(result, strategy.results[result.getResultNumber()]);
    return success();
  }

  /// The best strategy of all rules that the op can be partitioned by; sets
  /// the request's to the one that it follows.
  Strategy chooseWay(StrategyRequest &request) {
    Operation *op = request.op;
    Strategy best = chooseStrategy(request, costs);
    auto exchange = [&](Strategy way) {
      keepWholeOperands(op, request, way);
      return getWindowSeconds(op, way);
    };
    auto consider = [&](std::optional<IndexRule> rule, bool hasWindows) {
      if (!rule)
        return;
      StrategyRequest other = request;
      other.rule = *rule;
      if (hasWindows)
        other.exchangeSeconds = exchange;
      else
        other.prefersPartial = false;
      Strategy way = chooseStrategy(other, costs);
      if (way.seconds >= best.seconds)
        return;
      best = std::move(way);
      request.rule = *rule;
      if (hasWindows)
        keepWholeOperands(op, request, best);
    };
    consider(getWindowRule(op), /*hasWindows=*/true);
    consider(getOwnerRule(op), /*hasWindows=*/false);
    return best;
  }

  /// The split dimensions of an operand whose split the rule cannot use.
  static SmallVector<int64_t> getForbiddenDims(const IndexRule &rule,
                                               const FactorDims &dims,
                                               const TensorSharding &sharding) {
    SmallVector<int64_t> whole;
    for (auto [d, dim] : llvm::enumerate(dims)) {
      if (sharding.dims[d].axes.empty())
        continue;
      TensorSharding only = getReplicated(sharding.getRank());
      only.dims[d] = sharding.dims[d];
      FactorAxes axes;
      bool isExact = projectToFactors(rule, dims, only, axes);
      auto isForbidden = [&](int32_t factor) {
        return rule.factors[factor].kind == FactorKind::Replicate;
      };
      if (!isExact || llvm::any_of(dim, isForbidden))
        whole.push_back(static_cast<int64_t>(d));
    }
    return whole;
  }

  /// Says where an op forces a split dimension together because its rule does
  /// not allow the split.
  LogicalResult reportRemat(const StrategyRequest &request,
                            const Strategy &strategy) {
    for (auto [i, dims] : llvm::enumerate(request.rule.operands)) {
      const TensorSharding &have = request.operands[i];
      SmallVector<int64_t> whole = getForbiddenDims(request.rule, dims, have);
      if (whole.empty())
        continue;
      int64_t bytes = costs.getWireBytes(
          cast<RankedTensorType>(request.op->getOperand(i).getType()), have,
          strategy.operands[i]);
      if (bytes == 0)
        continue;
      InFlightDiagnostic diag =
          failOnRemat ? request.op->emitError() : request.op->emitRemark();
      diag << "'" << request.op->getName() << "' needs dimension " << whole
           << " of operand " << i << " whole, which lies as "
           << toString(mesh, have) << ": each device sends " << bytes
           << " bytes";
      if (failOnRemat)
        return diag;
    }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Reshards
  //===--------------------------------------------------------------------===//

  using Key = std::pair<Value, Attribute>;

  Value findMoved(Value value, const TensorSharding &wanted) const {
    return moved.lookup(Key(value, makeAttr(wanted)));
  }

  /// Where a value that `user` needs is moved: before the loops that it enters
  /// from outside, so that it is moved once.
  static Operation *getInsertionPoint(Value value, Operation *user) {
    Region *home = value.getParentRegion();
    Operation *point = user;
    while (point->getParentRegion() != home &&
           isa<core::WhileOp>(point->getParentOp()))
      point = point->getParentOp();
    return point;
  }

  void moveOperand(OpOperand &use, const TensorSharding &wanted) {
    Value value = use.get();
    TensorSharding have = get(value);
    if (isSamePlacement(have, wanted))
      return;
    if (Value known = findMoved(value, wanted)) {
      use.set(known);
      return;
    }
    Operation *user = use.getOwner();
    OpBuilder builder(getInsertionPoint(value, user));
    Value made = broadcastAnew(builder, value, have, wanted);
    if (!made)
      made = comm::ReshardOp::create(builder, user->getLoc(), value.getType(),
                                     value, makeAttr(have), makeAttr(wanted));
    setSharding(made, makeAttr(wanted));
    moved[Key(value, makeAttr(wanted))] = made;
    use.set(made);
  }

  /// Another broadcast of what `value` is broadcast from, where that is cheaper
  /// to move; null otherwise.
  Value broadcastAnew(OpBuilder &builder, Value value,
                      const TensorSharding &have,
                      const TensorSharding &wanted) {
    auto source = getBroadcastSource(value, wanted);
    if (!source)
      return {};
    Operation *op = value.getDefiningOp();
    Value operand = op->getOperand(0);
    auto getSeconds = [&](Value moved, const TensorSharding &from,
                          const TensorSharding &to) {
      return costs.getReshardSeconds(cast<RankedTensorType>(moved.getType()),
                                     from, to);
    };
    if (getSeconds(operand, get(operand), *source) >=
        getSeconds(value, have, wanted))
      return {};
    Operation *copy = builder.clone(*op);
    moveOperand(copy->getOpOperand(0), *source);
    return copy->getResult(0);
  }

  /// The result comes out as `produced`; its users get it as propagation said.
  void placeResult(OpResult result, const TensorSharding &produced) {
    TensorSharding wanted = get(result);
    if (isSamePlacement(produced, wanted))
      return;
    Operation *op = result.getOwner();
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    auto reshard =
        comm::ReshardOp::create(builder, op->getLoc(), result.getType(), result,
                                makeAttr(produced), makeAttr(wanted));
    result.replaceAllUsesExcept(reshard.getResult(), reshard);
    setSharding(reshard.getResult(), makeAttr(wanted));
    setSharding(result, makeAttr(produced));
    if (Attribute origins = op->getAttr(kOriginsAttrName))
      if (op->getNumResults() == 1)
        reshard->setAttr(kOriginsAttrName, origins);
  }

  func::FuncOp func;
  StringAttr meshName;
  Mesh mesh;
  CostModel costs;
  bool failOnRemat;
  /// Moves made so far that dominate the op at hand.
  llvm::DenseMap<Key, Value> moved;
};

class PartitionPass : public impl::PartitionPassBase<PartitionPass> {
public:
  using PartitionPassBase::PartitionPassBase;

  void runOnOperation() override {
    StringAttr meshName = getMeshName(getOperation());
    if (!meshName)
      return;
    Mesh mesh = lookupMesh(getOperation(), meshName).toMesh();
    Partitioner partitioner(meshName, mesh, failOnRemat);
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isDeclaration() && failed(partitioner.run(func)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace partita
