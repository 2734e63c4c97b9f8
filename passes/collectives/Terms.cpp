//===- Terms.cpp - Partial terms of sums ------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/Terms.h"

#include "passes/collectives/Linearity.h"

using namespace mlir;

namespace partita {

/// How far up from its end a term's reshard is looked for.
static constexpr int kMaxChain = 16;

static TensorSharding toSharding(ShardingAttr attr, Resharder &resharder) {
  return attr.toSharding(*resharder.getMesh(attr.getMesh()));
}

bool haveSameDims(const TensorSharding &a, const TensorSharding &b) {
  TensorSharding one = a, other = b;
  one.unreduced.clear();
  other.unreduced.clear();
  return isSamePlacement(one, other);
}

static std::optional<Term> trace(Value value, Resharder &resharder, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxChain || !value.hasOneUse())
    return std::nullopt;
  if (auto reshard = dyn_cast<comm::ReshardOp>(op)) {
    TensorSharding from = toSharding(reshard.getFrom(), resharder);
    TensorSharding to = toSharding(reshard.getTo(), resharder);
    if (from.unreduced.empty() || !to.unreduced.empty())
      return std::nullopt;
    return Term{reshard, {}, from};
  }
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    std::optional<Term> term = trace(operand.get(), resharder, depth + 1);
    if (!term || !isLinear(op, number, term->sharding.reduction))
      continue;
    // Other operands lie as they do behind the reshard.
    if (op->getNumOperands() > 1 &&
        !haveSameDims(toSharding(term->reshard.getFrom(), resharder),
                      toSharding(term->reshard.getTo(), resharder)))
      return std::nullopt;
    auto sharding = inferResultSharding(op, number, term->sharding);
    if (!sharding)
      return std::nullopt;
    term->sharding = *sharding;
    term->chain.insert(term->chain.begin(), op);
    return term;
  }
  return std::nullopt;
}

std::optional<Term> traceTerm(Value value, Resharder &resharder) {
  return trace(value, resharder, 0);
}

Value makePartial(Term &term, Resharder &resharder) {
  StringAttr meshName = term.reshard.getFrom().getMesh();
  const Mesh &mesh = *resharder.getMesh(meshName);
  Value value = term.reshard.getOperand();
  TensorSharding sharding = term.reshard.getFrom().toSharding(mesh);
  term.reshard.replaceAllUsesWith(value);
  for (Operation *op : llvm::reverse(term.chain)) {
    unsigned number = llvm::find(op->getOperands(), value).getIndex();
    sharding = *inferResultSharding(op, number, sharding);
    setSharding(op->getResult(0),
                ShardingAttr::fromSharding(meshName, mesh, sharding));
    value = op->getResult(0);
  }
  return value;
}

comm::ReshardOp makeReshardLike(comm::ReshardOp model, Value value,
                                ShardingAttr from, ShardingAttr to,
                                OpBuilder &builder) {
  auto reshard = comm::ReshardOp::create(builder, model.getLoc(),
                                         value.getType(), value, from, to);
  for (NamedAttribute attr : model->getDiscardableAttrs())
    reshard->setDiscardableAttr(attr.getName(), attr.getValue());
  setSharding(reshard.getResult(), to);
  return reshard;
}

} // namespace partita
