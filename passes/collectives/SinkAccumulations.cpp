//===- SinkAccumulations.cpp - One reduction after a loop -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A carried value that the body only adds a term to is the sum of its start and
// of all terms. If the terms are partial values, they may be added up as such,
// from zero, and combined once after the loop: a sum over iterations and a sum
// over devices change places. That the body does nothing else with the value is
// what makes it right.
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Passes.h"
#include "passes/collectives/Terms.h"
#include "passes/collectives/TripCount.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_SINKACCUMULATIONSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

namespace {

struct SinkAccumulationsPass
    : partita::impl::SinkAccumulationsPassBase<SinkAccumulationsPass> {
  void runOnOperation() override {
    Resharder resharder(getOperation());
    // Inner loops first: what leaves one is a term of the loop around it.
    getOperation().walk<WalkOrder::PostOrder>([&](core::WhileOp loop) {
      for (unsigned i = 0; i < loop->getNumResults(); ++i)
        sink(loop, i, resharder);
    });
  }

  static void sink(core::WhileOp loop, unsigned number, Resharder &resharder);
};

/// The addition that makes a carried value's next, and its other operand.
struct Accumulation {
  core::AddOp add;
  Value term;
};

} // namespace

/// Nothing unless adding to it is all that the loop does with the value.
static std::optional<Accumulation> getAccumulation(core::WhileOp loop,
                                                   unsigned number) {
  Block &body = loop.getBody().front();
  Value carried = body.getArgument(number);
  auto add =
      body.getTerminator()->getOperand(number).getDefiningOp<core::AddOp>();
  if (!loop.getCond().front().getArgument(number).use_empty() ||
      !carried.hasOneUse() || !add || !add->hasOneUse() ||
      add->getBlock() != &body)
    return std::nullopt;
  if (add.getLhs() == carried)
    return Accumulation{add, add.getRhs()};
  if (add.getRhs() == carried)
    return Accumulation{add, add.getLhs()};
  return std::nullopt;
}

static Value makeZero(OpBuilder &builder, Location loc, RankedTensorType type,
                      ShardingAttr sharding) {
  auto zero = core::ConstantOp::create(
      builder, loc, cast<ElementsAttr>(builder.getZeroAttr(type)));
  setSharding(zero.getResult(), sharding);
  return zero.getResult();
}

static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

void SinkAccumulationsPass::sink(core::WhileOp loop, unsigned number,
                                 Resharder &resharder) {
  std::optional<Accumulation> found = getAccumulation(loop, number);
  if (!found)
    return;
  std::optional<Term> term = traceTerm(found->term, resharder);
  OpResult result = loop->getResult(number);
  ShardingAttr whole = getSharding(result);
  auto type = cast<RankedTensorType>(result.getType());
  // Complex zeros have no attribute of their own; i1 sums are logical.
  if (!term || term->sharding.reduction != ReductionKind::Sum || !whole ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementType().isInteger(1))
    return;
  std::optional<int64_t> trips = getTripCount(loop);
  if (trips && *trips < 2)
    return;

  StringAttr meshName = term->reshard.getFrom().getMesh();
  ShardingAttr partial = ShardingAttr::fromSharding(
      meshName, *resharder.getMesh(meshName), term->sharding);
  auto each = resharder.getPrice(
      term->reshard.getType(), term->reshard.getFrom(), term->reshard.getTo());
  auto once = resharder.getPrice(type, partial, whole);
  // A loop of unknown count may run but once.
  if (!each || !once || each->wireBytes * trips.value_or(1) < once->wireBytes)
    return;
  makePartial(*term, resharder);
  setSharding(found->add.getResult(), partial);

  Location loc = loop.getLoc();
  Value start = loop.getInits()[number];
  OpBuilder builder(loop);
  loop->setOperand(number, makeZero(builder, loc, type, partial));
  setSharding(result, partial);
  builder.setInsertionPointAfter(loop);
  comm::ReshardOp reshard =
      makeReshardLike(term->reshard, result, partial, whole, builder);
  Value total = reshard.getResult();
  if (!isZero(start)) {
    auto sum = core::AddOp::create(builder, loc, start, total);
    setSharding(sum.getResult(), whole);
    total = sum.getResult();
  }
  result.replaceAllUsesExcept(total, reshard);
  term->reshard.erase();
}
