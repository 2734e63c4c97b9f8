//===- HoistReshards.cpp - Reshards out of loops ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/comm/Comm.h"
#include "passes/collectives/Linearity.h"
#include "passes/collectives/Passes.h"
#include "passes/collectives/Terms.h"
#include "passes/collectives/TripCount.h"
#include "sharding/rules/FactorSharding.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_HOISTRESHARDSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

namespace {
struct HoistReshardsPass
    : partita::impl::HoistReshardsPassBase<HoistReshardsPass> {
  void runOnOperation() override {
    Resharder resharder(getOperation());
    // Inner loops first: what leaves them may leave the outer ones too.
    getOperation().walk<WalkOrder::PostOrder>([&](core::WhileOp loop) {
      hoistFrom(loop);
      hoistAbovePicks(loop, resharder);
    });
  }

  static void hoistFrom(core::WhileOp loop);
  static void hoistAbovePicks(core::WhileOp loop, Resharder &resharder);
};

/// How a value that is the same in every iteration becomes one that is moved:
/// parts are picked from it and change their shape.
struct Pick {
  Value source;                   ///< In front of the loop.
  SmallVector<Operation *> chain; ///< Ends with the op that uses the source.
  TensorSharding wanted;          ///< How the source must lie.
};
} // namespace

/// What `value`, seen inside the loop, is in front of it in every iteration;
/// null where it varies.
static Value getInvariant(core::WhileOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isCarried = argument && argument.getOwner()->getParentOp() == loop;
  if (!isCarried)
    return loop->isAncestor(value.getParentRegion()->getParentOp()) ? Value()
                                                                    : value;
  unsigned number = argument.getArgNumber();
  Block &body = loop.getBody().front();
  if (body.getTerminator()->getOperand(number) != body.getArgument(number))
    return {};
  return loop.getInits()[number];
}

void HoistReshardsPass::hoistFrom(core::WhileOp loop) {
  for (Region *region : {&loop.getCond(), &loop.getBody()}) {
    // Of the loop's own block: one under a core.if may never run.
    for (Operation &op :
         llvm::make_early_inc_range(region->front().getOperations())) {
      auto reshard = dyn_cast<comm::ReshardOp>(op);
      Value outside =
          reshard ? getInvariant(loop, reshard.getOperand()) : Value();
      if (!outside)
        continue;
      reshard.getOperandMutable().assign(outside);
      reshard->moveBefore(loop);
    }
  }
}

//===----------------------------------------------------------------------===//
// Picks
//===----------------------------------------------------------------------===//

/// How operand 0 must lie so that the result does as `result` says and nothing
/// else changes; nothing where there is no such way.
static std::optional<TensorSharding>
inferPickedSharding(Operation *op, const TensorSharding &result,
                    function_ref<TensorSharding(Value)> lookUp) {
  IndexRule rule = cast<IndexRuleOpInterface>(op).getIndexRule();
  FactorAxes axes;
  if (!projectToFactors(rule, rule.results[0], result, axes))
    return std::nullopt;
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    if (!isSamePlacement(makeTensorSharding(rule, rule.operands[i], axes),
                         lookUp(op->getOperand(i))))
      return std::nullopt;
  TensorSharding now = lookUp(op->getOperand(0));
  TensorSharding wanted = makeTensorSharding(rule, rule.operands[0], axes);
  auto isInResult = [&](int32_t factor) {
    return llvm::any_of(rule.results[0], [&](ArrayRef<int32_t> dim) {
      return llvm::is_contained(dim, factor);
    });
  };
  for (auto [d, dim] : llvm::enumerate(rule.operands[0]))
    if (llvm::none_of(dim, isInResult))
      wanted.dims[d] = now.dims[d];
  auto made = inferResultSharding(op, 0, wanted);
  if (!made || !isSamePlacement(*made, result))
    return std::nullopt;
  return wanted;
}

static std::optional<Pick> tracePick(core::WhileOp loop, comm::ReshardOp move,
                                     Resharder &resharder) {
  auto lookUp = [&](Value value) {
    ShardingAttr sharding = getSharding(value);
    return sharding
               ? sharding.toSharding(*resharder.getMesh(sharding.getMesh()))
               : getReplicated(
                     cast<RankedTensorType>(value.getType()).getRank());
  };
  Pick pick;
  pick.wanted =
      move.getTo().toSharding(*resharder.getMesh(move.getTo().getMesh()));
  Value value = move.getOperand();
  while (!(pick.source = getInvariant(loop, value))) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != move->getBlock() || !value.hasOneUse() ||
        !isa<core::DynamicSliceOp, core::GatherOp, core::SliceOp,
             core::ReshapeOp, core::TransposeOp>(op))
      return std::nullopt;
    auto wanted = inferPickedSharding(op, pick.wanted, lookUp);
    if (!wanted)
      return std::nullopt;
    pick.wanted = *wanted;
    pick.chain.push_back(op);
    value = op->getOperand(0);
  }
  return pick;
}

/// Moves what parts are picked from, once, where that sends less than to move
/// the part in every iteration. Where it sends as much, each device had better
/// hold a part at a time.
void HoistReshardsPass::hoistAbovePicks(core::WhileOp loop,
                                        Resharder &resharder) {
  std::optional<int64_t> trips = getTripCount(loop);
  if (!trips)
    return;
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody().front().getOperations())) {
    auto move = dyn_cast<comm::ReshardOp>(op);
    if (!move || !move.getFrom().getUnreduced().empty() ||
        !move.getTo().getUnreduced().empty())
      continue;
    std::optional<Pick> pick = tracePick(loop, move, resharder);
    if (!pick)
      continue;
    StringAttr mesh = move.getFrom().getMesh();
    ShardingAttr from = getSharding(pick->source);
    ShardingAttr to = ShardingAttr::fromSharding(mesh, *resharder.getMesh(mesh),
                                                 pick->wanted);
    auto each =
        resharder.getPrice(move.getType(), move.getFrom(), move.getTo());
    auto once =
        from ? resharder.getPrice(
                   cast<RankedTensorType>(pick->source.getType()), from, to)
             : std::nullopt;
    if (!each || !once || once->wireBytes >= *trips * each->wireBytes)
      continue;
    OpBuilder builder(loop);
    Value value =
        makeReshardLike(move, pick->source, from, to, builder).getResult();
    TensorSharding sharding = pick->wanted;
    for (Operation *part : llvm::reverse(pick->chain)) {
      part->setOperand(0, value);
      sharding = *inferResultSharding(part, 0, sharding);
      value = part->getResult(0);
      setSharding(value, ShardingAttr::fromSharding(
                             mesh, *resharder.getMesh(mesh), sharding));
    }
    move.replaceAllUsesWith(value);
    move.erase();
  }
}
