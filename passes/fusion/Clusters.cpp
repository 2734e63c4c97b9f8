//===- Clusters.cpp - Ops that become one kernel --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/fusion/Clusters.h"

#include "ir/core/Core.h"

using namespace mlir;

namespace partita {

/// Larger clusters compile slowly and spill registers.
static constexpr size_t kMaxOps = 64;
static constexpr size_t kMaxInputs = 24;

Clustering::Clustering(Block &block) : block(block) {
  chooseInlined();
  for (Operation &op : block) {
    note(&op);
    if (getFusionKind(&op) != FusionKind::Outside && !inlined.contains(&op))
      assign(&op);
  }
}

/// Ops that only rename elements are inlined, and so are elementwise ops all of
/// whose readers combine many elements to one and would read nothing else.
void Clustering::chooseInlined() {
  auto isReader = [&](Operation *user, bool allowsDot) {
    FusionKind kind = getFusionKind(user);
    return kind == FusionKind::Reduce || inlined.contains(user) ||
           (allowsDot && kind == FusionKind::Dot);
  };
  for (Operation &op : llvm::reverse(block)) {
    FusionKind kind = getFusionKind(&op);
    auto readersAre = [&](bool allowsDot) {
      return llvm::all_of(op.getUsers(), [&](Operation *user) {
        return user->getBlock() == &block && isReader(user, allowsDot);
      });
    };
    bool isUsedOutside = llvm::any_of(op.getUsers(), [&](Operation *user) {
      return user->getBlock() != &block ||
             getFusionKind(user) == FusionKind::Outside;
    });
    if (op.use_empty() || isUsedOutside)
      continue;
    switch (kind) {
    case FusionKind::Inline:
      inlined.insert(&op);
      break;
    case FusionKind::Pointwise:
      if ((op.hasOneUse() && readersAre(false)) ||
          (isa<core::ConvertOp>(op) && readersAre(true)))
        inlined.insert(&op);
      break;
    case FusionKind::Move:
      if (isa<core::TransposeOp>(op) && readersAre(true))
        inlined.insert(&op);
      break;
    default:
      break;
    }
  }
}

llvm::SetVector<Value> Clustering::getLeaves(Operation *op) const {
  llvm::SetVector<Value> leaves;
  SmallVector<Value> pending(llvm::reverse(op->getOperands()));
  llvm::DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *source = value.getDefiningOp();
    if (!source || !inlined.contains(source)) {
      leaves.insert(value);
      continue;
    }
    if (seen.insert(source).second)
      llvm::append_range(pending, llvm::reverse(source->getOperands()));
  }
  return leaves;
}

Operation *Clustering::getItem(Operation *op) const {
  while (op && op->getBlock() != &block)
    op = op->getParentOp();
  return op;
}

int64_t Clustering::getBound(Operation *op) const {
  Cluster *owner = owners.lookup(op);
  return owner ? owner->bound : bounds.lookup(op);
}

void Clustering::note(Operation *op) {
  auto bound = static_cast<int64_t>(bounds.size()); // its place in the block
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *source = getItem(operand.getDefiningOp()))
        bound = std::max(bound, getBound(source));
  });
  bounds[op] = bound;
}

void Clustering::raise(Cluster &cluster, int64_t bound) {
  if (cluster.bound >= bound)
    return;
  cluster.bound = bound;
  SmallVector<Operation *> pending(cluster.ops);
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      user = getItem(user);
      auto known = bounds.find(user);
      if (known == bounds.end() || getBound(user) >= bound)
        continue; // its turn has not come, or it is as late already
      known->second = bound;
      if (Cluster *owner = owners.lookup(user)) {
        owner->bound = bound;
        llvm::append_range(pending, owner->ops);
      } else {
        pending.push_back(user);
      }
    }
}

bool Clustering::reaches(Operation *op, const Cluster &target,
                         llvm::DenseSet<const void *> &visited) {
  op = getItem(op);
  if (!op || getBound(op) < target.bound || !visited.insert(op).second)
    return false;
  if (Cluster *owner = owners.lookup(op)) {
    if (owner == &target)
      return true;
    if (!visited.insert(owner).second)
      return false;
    return llvm::any_of(owner->ops, [&](Operation *member) {
      return llvm::any_of(member->getOperands(), [&](Value operand) {
        return operand.getDefiningOp() &&
               reaches(operand.getDefiningOp(), target, visited);
      });
    });
  }
  bool found = false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !found)
        found = reaches(source, target, visited);
  });
  return found;
}

bool Clustering::readsIndirectly(Operation *op, const Cluster &target,
                                 const Cluster *own) {
  llvm::DenseSet<const void *> visited;
  for (Value leaf : getLeaves(op)) {
    Operation *source = leaf.getDefiningOp();
    Cluster *owner = source ? owners.lookup(source) : nullptr;
    if (owner && (owner == &target || owner == own))
      continue;
    if (source && reaches(source, target, visited))
      return true;
  }
  return false;
}

bool Clustering::readsIndirectly(const Cluster &from, const Cluster &target) {
  return llvm::any_of(from.ops, [&](Operation *op) {
    return readsIndirectly(op, target, &from);
  });
}

/// How many rows a trailing reduction leaves.
static int64_t getRows(Operation *op) {
  return getTensorSize(op->getResult(0));
}

bool Clustering::canHold(const Cluster &cluster, Operation *op,
                         FusionKind kind) {
  if (cluster.kind == Cluster::Single || cluster.ops.size() >= kMaxOps)
    return false;
  Value result = op->getResult(0);
  bool isSame = getTensorShape(result) == ArrayRef<int64_t>(cluster.shape);
  switch (kind) {
  case FusionKind::Pointwise:
    if (isSame)
      return true;
    return cluster.kind == Cluster::Row &&
           getTensorSize(result) == cluster.rows;
  case FusionKind::Move:
    return isSame && cluster.kind != Cluster::Dot && isa<core::GatherOp>(op);
  case FusionKind::RowReduce:
    if (cluster.kind == Cluster::Dot ||
        getTensorShape(op->getOperand(0)) != ArrayRef<int64_t>(cluster.shape))
      return false;
    return cluster.kind == Cluster::Loop || cluster.rows == getRows(op);
  default:
    return false;
  }
}

bool Clustering::canMerge(const Cluster &into, const Cluster &from) {
  if (into.kind == Cluster::Single || from.kind == Cluster::Single ||
      from.kind == Cluster::Dot || into.shape != from.shape)
    return false;
  if (into.kind == Cluster::Dot && from.kind != Cluster::Loop)
    return false;
  if (into.kind == Cluster::Row && from.kind == Cluster::Row &&
      into.rows != from.rows)
    return false;
  return into.ops.size() + from.ops.size() <= kMaxOps &&
         into.inputs.size() + from.inputs.size() <= kMaxInputs;
}

void Clustering::merge(Cluster &into, Cluster &from) {
  for (Operation *op : from.ops) {
    owners[op] = &into;
    into.ops.push_back(op);
  }
  if (from.kind == Cluster::Row) {
    into.kind = Cluster::Row;
    into.rows = from.rows;
  }
  llvm::sort(into.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  into.inputs.insert_range(from.inputs);
  int64_t bound = std::max(into.bound, from.bound);
  into.bound = std::min(into.bound, from.bound);
  raise(into, bound);
  from.ops.clear();
  from.kind = Cluster::Single;
}

void Clustering::add(Cluster &cluster, Operation *op) {
  owners[op] = &cluster;
  cluster.ops.push_back(op);
  cluster.inputs.insert_range(getLeaves(op));
  raise(cluster, bounds.lookup(op));
}

void Clustering::assign(Operation *op) {
  FusionKind kind = getFusionKind(op);
  // What it would join: the clusters that it reads, products first, then the
  // latest.
  SmallVector<Cluster *> candidates;
  llvm::SetVector<Value> leaves = getLeaves(op);
  for (Value leaf : llvm::reverse(leaves.getArrayRef())) {
    Cluster *owner =
        leaf.getDefiningOp() ? owners.lookup(leaf.getDefiningOp()) : nullptr;
    if (owner && !llvm::is_contained(candidates, owner))
      candidates.push_back(owner);
  }
  llvm::stable_sort(candidates, [](Cluster *a, Cluster *b) {
    return (a->kind == Cluster::Dot) > (b->kind == Cluster::Dot);
  });
  // A new cluster for this op alone, which then merges with what it can.
  clusters.push_back(std::make_unique<Cluster>());
  Cluster *own = clusters.back().get();
  ArrayRef<int64_t> shape = getTensorShape(op->getResult(0));
  if (kind == FusionKind::RowReduce) {
    own->kind = Cluster::Row;
    own->rows = getRows(op);
    shape = getTensorShape(op->getOperand(0));
  } else if (kind == FusionKind::Dot) {
    own->kind = Cluster::Dot;
  } else if (kind != FusionKind::Pointwise && kind != FusionKind::Move) {
    own->kind = Cluster::Single;
  }
  own->shape.assign(shape.begin(), shape.end());

  for (Cluster *candidate : candidates) {
    if (own->ops.empty()) {
      if (!canHold(*candidate, op, kind) ||
          readsIndirectly(op, *candidate, nullptr))
        continue;
      add(*candidate, op);
      if (kind == FusionKind::RowReduce) {
        candidate->kind = Cluster::Row;
        candidate->rows = getRows(op);
      }
      clusters.pop_back();
      own = candidate;
      continue;
    }
    // What it has joined also takes in other clusters that it reads.
    if (canMerge(*own, *candidate) && !readsIndirectly(*own, *candidate) &&
        !readsIndirectly(*candidate, *own))
      merge(*own, *candidate);
  }
  if (own->ops.empty())
    add(*own, op);
}

SmallVector<Operation *> Clustering::getSources(Operation *op,
                                                const Cluster *owner) const {
  SmallVector<Operation *> sources;
  auto add = [&](Value value) {
    Operation *source = getItem(value.getDefiningOp());
    if (source && source != op)
      sources.push_back(source);
  };
  if (!owner) {
    op->walk(
        [&](Operation *inner) { llvm::for_each(inner->getOperands(), add); });
    return sources;
  }
  // What is inlined is no item: it may read this very cluster and others.
  for (Operation *member : owner->ops)
    llvm::for_each(getLeaves(member), add);
  return sources;
}

std::vector<Clustering::Item> Clustering::getOrder() {
  std::vector<Item> items;
  llvm::DenseSet<const void *> done;
  // Depth first: what an item reads comes before it.
  std::function<void(Operation *)> emit = [&](Operation *op) {
    Cluster *owner = owners.lookup(op);
    const void *key = owner ? static_cast<const void *>(owner) : op;
    if (!done.insert(key).second)
      return;
    for (Operation *source : getSources(op, owner))
      emit(source);
    if (owner)
      items.push_back({owner, nullptr});
    else
      items.push_back({nullptr, op});
  };
  for (Operation &op : block) {
    Cluster *owner = owners.lookup(&op);
    // A cluster is due when its last op is.
    bool isLast = !owner || llvm::none_of(owner->ops, [&](Operation *other) {
      return op.isBeforeInBlock(other);
    });
    if (isLast && !inlined.contains(&op))
      emit(&op);
  }
  return items;
}

} // namespace partita
