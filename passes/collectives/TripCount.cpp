//===- TripCount.cpp - How often a loop runs --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/TripCount.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace partita {

static constexpr int64_t kMaxTrips = 100000;

using Integers = llvm::DenseMap<Value, int64_t>;
using MaybeInteger = std::optional<int64_t>;

static int64_t compare(core::CompareOp op, int64_t a, int64_t b) {
  switch (op.getDirection()) {
  case Comparison::Eq:
    return a == b;
  case Comparison::Ne:
    return a != b;
  case Comparison::Lt:
    return a < b;
  case Comparison::Le:
    return a <= b;
  case Comparison::Gt:
    return a > b;
  case Comparison::Ge:
    return a >= b;
  }
  return 0;
}

static MaybeInteger evaluate(Value value, Integers &known);

static MaybeInteger evaluateBinary(Operation *op, Integers &known) {
  MaybeInteger a = evaluate(op->getOperand(0), known);
  MaybeInteger b = evaluate(op->getOperand(1), known);
  if (!a || !b)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, MaybeInteger>(op)
      .Case([&](core::AddOp) { return *a + *b; })
      .Case([&](core::SubOp) { return *a - *b; })
      .Case([&](core::MulOp) { return *a * *b; })
      .Case([&](core::CompareOp op) { return compare(op, *a, *b); })
      .Default([](Operation *) { return std::nullopt; });
}

/// The value as an integer, where it follows from `known` and constants.
static MaybeInteger evaluate(Value value, Integers &known) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  auto type = cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || type.getRank() != 0 || !type.getElementType().isInteger())
    return std::nullopt;
  MaybeInteger result;
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    result = elements.getSplatValue<APInt>().sextOrTrunc(64).getSExtValue();
  else if (isa<core::ConvertOp>(op))
    result = evaluate(op->getOperand(0), known);
  else if (op->getNumOperands() == 2)
    result = evaluateBinary(op, known);
  if (result)
    known[value] = *result;
  return result;
}

std::optional<int64_t> getTripCount(core::WhileOp loop) {
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  unsigned count = loop->getNumOperands();
  Integers none;
  SmallVector<MaybeInteger> carried;
  for (Value init : loop.getInits())
    carried.push_back(evaluate(init, none));
  for (int64_t trips = 0; trips <= kMaxTrips; ++trips) {
    Integers inCond, inBody;
    for (unsigned i = 0; i < count; ++i)
      if (carried[i]) {
        inCond[cond.getArgument(i)] = *carried[i];
        inBody[body.getArgument(i)] = *carried[i];
      }
    MaybeInteger goesOn = evaluate(cond.getTerminator()->getOperand(0), inCond);
    if (!goesOn)
      return std::nullopt;
    if (*goesOn == 0)
      return trips;
    for (unsigned i = 0; i < count; ++i)
      if (carried[i])
        carried[i] = evaluate(body.getTerminator()->getOperand(i), inBody);
  }
  return std::nullopt;
}

int64_t getExecutionCount(Operation *op) {
  int64_t count = 1;
  for (auto loop = op->getParentOfType<core::WhileOp>(); loop;
       loop = loop->getParentOfType<core::WhileOp>())
    count *= getTripCount(loop).value_or(1);
  return count;
}

bool isExecutionCountExact(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<core::WhileOp>(parent);
    if (isa<core::IfOp>(parent) || (loop && !getTripCount(loop)))
      return false;
  }
  return true;
}

} // namespace partita
