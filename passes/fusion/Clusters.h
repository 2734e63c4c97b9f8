//===- Clusters.h - Ops that become one kernel ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_FUSION_CLUSTERS_H
#define PARTITA_PASSES_FUSION_CLUSTERS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "passes/fusion/OpKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <memory>
#include <vector>

namespace partita {

/// Ops of one block that become one kernel.
struct Cluster {
  enum Kind { Loop, Row, Dot, Single } kind = Loop;
  llvm::SmallVector<mlir::Operation *> ops; ///< Without inlined ones.
  llvm::SmallVector<int64_t> shape;         ///< Of its elements.
  int64_t rows = 0; ///< Of Row: how many; each has a scalar for all its ops.
  /// Values read from outside the cluster, through inlined ops.
  llvm::SetVector<mlir::Value> inputs;
  int64_t bound = -1; ///< See Clustering::getBound.
};

/// Assigns every op of a block that is neither outside nor inlined to a
/// cluster. Clusters do not depend on each other in a cycle.
class Clustering {
public:
  explicit Clustering(mlir::Block &block);

  /// All clusters, and the ops that stay, so that each comes after what it
  /// reads.
  struct Item {
    Cluster *cluster = nullptr;
    mlir::Operation *outside = nullptr;
  };
  std::vector<Item> getOrder();

  Cluster *getCluster(mlir::Operation *op) const { return owners.lookup(op); }
  /// Whether `op` is repeated in each cluster that reads it.
  bool isInlined(mlir::Operation *op) const { return inlined.contains(op); }
  /// The values that `op` reads once inlined ops are looked through.
  llvm::SetVector<mlir::Value> getLeaves(mlir::Operation *op) const;

private:
  void chooseInlined();
  void assign(mlir::Operation *op);
  bool canHold(const Cluster &cluster, mlir::Operation *op, FusionKind kind);
  bool canMerge(const Cluster &into, const Cluster &from);
  void merge(Cluster &into, Cluster &from);
  void add(Cluster &cluster, mlir::Operation *op);
  /// The op of this block that is or holds `op`; null if there is none.
  mlir::Operation *getItem(mlir::Operation *op) const;
  /// The ops of this block that an item reads: that of `owner`, or the op's own
  /// where it is in no cluster.
  llvm::SmallVector<mlir::Operation *> getSources(mlir::Operation *op,
                                                  const Cluster *owner) const;
  /// The last place in the block that `op`, or its cluster, has to wait for,
  /// its own included: an item waits only for such of lower or equal bound.
  int64_t getBound(mlir::Operation *op) const;
  /// Finds the bound of the next op of the block.
  void note(mlir::Operation *op);
  /// Raises the bound of a cluster, and with it of all that wait for it.
  void raise(Cluster &cluster, int64_t bound);
  /// Whether `op`, or any op of `from`, reads what `target` computes through
  /// something that is neither in `target` nor in its own cluster.
  bool readsIndirectly(mlir::Operation *op, const Cluster &target,
                       const Cluster *own);
  bool readsIndirectly(const Cluster &from, const Cluster &target);
  bool reaches(mlir::Operation *op, const Cluster &target,
               llvm::DenseSet<const void *> &visited);

  mlir::Block &block;
  std::vector<std::unique_ptr<Cluster>> clusters;
  llvm::DenseMap<mlir::Operation *, Cluster *> owners;
  llvm::DenseSet<mlir::Operation *> inlined;
  llvm::DenseMap<mlir::Operation *, int64_t> bounds; ///< Of ops noted so far.
};

} // namespace partita

#endif // PARTITA_PASSES_FUSION_CLUSTERS_H
