//===- SinkReshards.cpp - Reshards later, where they cost less ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/comm/Comm.h"
#include "passes/collectives/Linearity.h"
#include "passes/collectives/Passes.h"
#include "passes/collectives/Terms.h"
#include "sharding/reshard/Resharder.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_SINKRESHARDSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

/// A constant of one value lies on the mesh however one likes.
static bool isSplat(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat();
}

namespace {

class Sinker {
public:
  explicit Sinker(ModuleOp module) : resharder(module) {}

  /// Moves the reshards of the op's operands below it, if that is cheaper.
  bool sinkWhereCheaper(Operation *op);
  /// Joins the partial terms of the sum that ends in `root`.
  bool mergeTerms(core::AddOp root);

private:
  bool canPass(Operation *op, MutableArrayRef<comm::ReshardOp> reshards);
  std::optional<TensorSharding>
  getSunkSharding(Operation *op, MutableArrayRef<comm::ReshardOp> reshards);
  void sink(Operation *op, MutableArrayRef<comm::ReshardOp> reshards,
            const TensorSharding &made);
  bool isBetterMerged(MutableArrayRef<Term> terms, core::AddOp root);
  void rebuild(core::AddOp root, ArrayRef<Value> rest,
               MutableArrayRef<Term> terms);
  SmallVector<comm::ReshardOp> getReshards(Operation *op);

  TensorSharding toSharding(ShardingAttr attr) {
    return attr.toSharding(*resharder.getMesh(attr.getMesh()));
  }
  ShardingAttr toAttr(StringAttr mesh, const TensorSharding &sharding) {
    return ShardingAttr::fromSharding(mesh, *resharder.getMesh(mesh), sharding);
  }

  Resharder resharder;
};

struct SinkReshardsPass
    : partita::impl::SinkReshardsPassBase<SinkReshardsPass> {
  void runOnOperation() override {
    Sinker sinker(getOperation());
    SmallVector<core::AddOp> sums;
    getOperation().walk([&](core::AddOp op) { sums.push_back(op); });
    for (core::AddOp sum : sums)
      sinker.mergeTerms(sum);
    // In program order, so that a reshard sinks through several ops.
    SmallVector<Operation *> ops;
    getOperation().walk([&](IndexRuleOpInterface op) { ops.push_back(op); });
    for (Operation *op : ops)
      sinker.sinkWhereCheaper(op);
  }
};

} // namespace

/// The reshards that make the op's operands and that nothing else uses, one per
/// operand, null for an operand without.
SmallVector<comm::ReshardOp> Sinker::getReshards(Operation *op) {
  return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    auto reshard = operand.getDefiningOp<comm::ReshardOp>();
    bool isOnlyUser = reshard && reshard->getBlock() == op->getBlock() &&
                      llvm::all_of(reshard->getUsers(),
                                   [&](Operation *user) { return user == op; });
    return isOnlyUser ? reshard : comm::ReshardOp();
  });
}

/// Whether the op may be done on what is in front of the reshards, all of which
/// lead from one placement to another.
bool Sinker::canPass(Operation *op, MutableArrayRef<comm::ReshardOp> reshards) {
  comm::ReshardOp first = *llvm::find_if(reshards, [](auto r) { return !!r; });
  TensorSharding from = toSharding(first.getFrom());
  TensorSharding to = toSharding(first.getTo());
  size_t count = 0;
  bool areOthersFree = true;
  for (auto [i, reshard] : llvm::enumerate(reshards)) {
    if (!reshard) {
      areOthersFree &= isSplat(op->getOperand(i));
      continue;
    }
    if (reshard.getFrom().getMesh() != first.getFrom().getMesh() ||
        !isSamePlacement(from, toSharding(reshard.getFrom())) ||
        !isSamePlacement(to, toSharding(reshard.getTo())))
      return false;
    ++count;
  }
  bool isWhole = count == reshards.size();
  if (!to.unreduced.empty())
    return false;
  if (from.unreduced.empty())
    return (isWhole && count == 1) ||
           (op->hasTrait<OpTrait::Elementwise>() && areOthersFree);
  if (isWhole && count == 2)
    return isCombiner(op, from.reduction);
  if (count != 1 || !(areOthersFree || haveSameDims(from, to)))
    return false;
  unsigned number = llvm::find(reshards, first) - reshards.begin();
  return isLinear(op, number, from.reduction);
}

/// The op's result sharding when the reshards are below it; nothing where that
/// cannot be.
std::optional<TensorSharding>
Sinker::getSunkSharding(Operation *op,
                        MutableArrayRef<comm::ReshardOp> reshards) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !getSharding(op->getResult(0)) ||
      llvm::none_of(reshards, [](auto reshard) { return !!reshard; }) ||
      !canPass(op, reshards))
    return std::nullopt;
  auto *it = llvm::find_if(reshards, [](auto reshard) { return !!reshard; });
  unsigned number = it - reshards.begin();
  auto after = inferResultSharding(op, number, toSharding(it->getTo()));
  // The op must be one whose result lies as its operand says.
  if (!after ||
      !isSamePlacement(*after, toSharding(getSharding(op->getResult(0)))))
    return std::nullopt;
  return inferResultSharding(op, number, toSharding(it->getFrom()));
}

void Sinker::sink(Operation *op, MutableArrayRef<comm::ReshardOp> reshards,
                  const TensorSharding &made) {
  comm::ReshardOp first = *llvm::find_if(reshards, [](auto r) { return !!r; });
  ShardingAttr to = getSharding(op->getResult(0));
  ShardingAttr from = toAttr(first.getFrom().getMesh(), made);
  OpBuilder builder(op);
  for (auto [i, reshard] : llvm::enumerate(reshards)) {
    if (reshard) {
      op->setOperand(i, reshard.getOperand());
      continue;
    }
    TensorSharding lies = toSharding(first.getFrom());
    if (!isSplat(op->getOperand(i)) || !op->hasTrait<OpTrait::Elementwise>())
      continue;
    lies.unreduced.clear();
    Operation *constant = builder.clone(*op->getOperand(i).getDefiningOp());
    setSharding(constant->getResult(0),
                toAttr(first.getFrom().getMesh(), lies));
    op->setOperand(i, constant->getResult(0));
  }
  setSharding(op->getResult(0), from);
  builder.setInsertionPointAfter(op);
  auto below = comm::ReshardOp::create(builder, first.getLoc(),
                                       op->getResult(0).getType(),
                                       op->getResult(0), from, to);
  for (NamedAttribute attr : first->getDiscardableAttrs())
    below->setDiscardableAttr(attr.getName(), attr.getValue());
  setSharding(below.getResult(), to);
  op->getResult(0).replaceAllUsesExcept(below.getResult(), below);
  for (comm::ReshardOp reshard : reshards)
    if (reshard && reshard->use_empty())
      reshard.erase();
}

bool Sinker::sinkWhereCheaper(Operation *op) {
  SmallVector<comm::ReshardOp> reshards = getReshards(op);
  std::optional<TensorSharding> made = getSunkSharding(op, reshards);
  if (!made)
    return false;
  ReshardPrice before;
  ShardingAttr from;
  llvm::SmallDenseSet<Operation *> counted;
  for (comm::ReshardOp reshard : reshards) {
    if (!reshard || !counted.insert(reshard).second)
      continue;
    auto price = resharder.getPrice(reshard.getType(), reshard.getFrom(),
                                    reshard.getTo());
    if (!price)
      return false;
    before = before + *price;
    from = reshard.getFrom();
  }
  auto after = resharder.getPrice(
      cast<RankedTensorType>(op->getResult(0).getType()),
      toAttr(from.getMesh(), *made), getSharding(op->getResult(0)));
  if (!after || *after >= before)
    return false;
  sink(op, reshards, *made);
  return true;
}

//===----------------------------------------------------------------------===//
// Sums of partial terms
//===----------------------------------------------------------------------===//

/// The terms of the sum that ends in `root`: whatever it adds up, through
/// additions that nothing else uses.
static void collectTerms(core::AddOp root, SmallVectorImpl<Value> &terms) {
  for (Value operand : root->getOperands()) {
    auto inner = operand.getDefiningOp<core::AddOp>();
    if (inner && inner->hasOneUse() && inner->getBlock() == root->getBlock())
      collectTerms(inner, terms);
    else
      terms.push_back(operand);
  }
}

bool Sinker::isBetterMerged(MutableArrayRef<Term> terms, core::AddOp root) {
  ShardingAttr to = getSharding(root.getResult());
  ReshardPrice before;
  for (Term &term : terms) {
    auto price = resharder.getPrice(
        term.reshard.getType(), term.reshard.getFrom(), term.reshard.getTo());
    if (!price)
      return false;
    before = before + *price;
  }
  StringAttr mesh = terms.front().reshard.getFrom().getMesh();
  auto after =
      resharder.getPrice(cast<RankedTensorType>(root.getResult().getType()),
                         toAttr(mesh, terms.front().sharding), to);
  return after && *after < before;
}

/// Replaces the sum by that of the `rest` and of the terms' own sum.
void Sinker::rebuild(core::AddOp root, ArrayRef<Value> rest,
                     MutableArrayRef<Term> terms) {
  ShardingAttr whole = getSharding(root.getResult());
  ShardingAttr partial =
      toAttr(terms.front().reshard.getFrom().getMesh(), terms.front().sharding);
  OpBuilder builder(root);
  auto add = [&](Value a, Value b, ShardingAttr sharding) -> Value {
    if (!a)
      return b;
    auto sum = core::AddOp::create(builder, root.getLoc(), a, b);
    setSharding(sum.getResult(), sharding);
    return sum.getResult();
  };
  Value sum, others;
  for (Term &term : terms)
    sum = add(sum, makePartial(term, resharder), partial);
  for (Value value : rest)
    others = add(others, value, whole);
  Value resolved =
      makeReshardLike(terms.front().reshard, sum, partial, whole, builder);
  root.replaceAllUsesWith(add(others, resolved, whole));
}

/// Erases `op` and the additions above it that nothing uses any more.
static void eraseSum(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands) {
    Operation *source = operand.getDefiningOp();
    if (source && source->use_empty() && isa<core::AddOp>(source))
      eraseSum(source);
  }
}

bool Sinker::mergeTerms(core::AddOp root) {
  // Only whole sums: an addition inside one is met at its end.
  if (root->hasOneUse() && isa<core::AddOp>(*root->user_begin()) &&
      (*root->user_begin())->getBlock() == root->getBlock())
    return false;
  ShardingAttr whole = getSharding(root.getResult());
  Type element = getElementTypeOrSelf(root.getResult().getType());
  if (!whole || element.isInteger(1))
    return false;
  SmallVector<Value> values;
  collectTerms(root, values);
  for (size_t first = 0; first < values.size(); ++first) {
    std::optional<Term> front = traceTerm(values[first], resharder);
    if (!front || front->sharding.reduction != ReductionKind::Sum)
      continue;
    SmallVector<Term> terms;
    SmallVector<Value> rest;
    for (Value value : values) {
      std::optional<Term> term = traceTerm(value, resharder);
      if (term && isSamePlacement(term->sharding, front->sharding))
        terms.push_back(std::move(*term));
      else
        rest.push_back(value);
    }
    if (terms.size() < 2 || !isBetterMerged(terms, root))
      continue;
    rebuild(root, rest, terms);
    eraseSum(root);
    for (Term &term : terms)
      term.reshard.erase();
    return true;
  }
  return false;
}
