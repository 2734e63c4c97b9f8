//===- Terms.h - Partial terms of sums --------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is the combination of partial values, perhaps after ops that are
// linear: reshape(all-reduce(x)). Such a term can do without its reshard, where
// what uses it takes partial values.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_TERMS_H
#define PARTITA_PASSES_COLLECTIVES_TERMS_H

#include "ir/comm/Comm.h"
#include "sharding/reshard/Resharder.h"

namespace partita {

struct Term {
  /// Combines the partial values.
  comm::ReshardOp reshard;
  /// The ops between it and the term's end, the lowest first. Each is the only
  /// use of what it works on.
  llvm::SmallVector<mlir::Operation *> chain;
  /// How the term's end lies when the reshard is left out.
  TensorSharding sharding;
};

/// The term that ends in `value`, which must have one use; nothing where it is
/// none.
std::optional<Term> traceTerm(mlir::Value value, Resharder &resharder);

/// Leaves the term's reshard out, which then has no use; the end's new value.
mlir::Value makePartial(Term &term, Resharder &resharder);

/// A reshard at the builder's place, with the location, origins and other notes
/// of `model`.
comm::ReshardOp makeReshardLike(comm::ReshardOp model, mlir::Value value,
                                ShardingAttr from, ShardingAttr to,
                                mlir::OpBuilder &builder);

/// Whether the same axes split the same dimensions, partial values aside.
bool haveSameDims(const TensorSharding &a, const TensorSharding &b);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_TERMS_H
