//===- Identity.h - Collectives, whichever op they are ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_IDENTITY_H
#define PARTITA_PASSES_COLLECTIVES_IDENTITY_H

#include "ir/comm/Comm.h"
#include "mesh/CollectiveCost.h"

namespace partita {

/// The kind of a collective as reports name it; nothing for other ops, comm
/// ops without communication among them.
std::optional<CollectiveKind> getCollectiveKind(mlir::Operation *op);

/// The axes that a collective works over.
AxesAttr getAxes(mlir::Operation *collective);
/// The reduction kind of an all-reduce or reduce-scatter, or null.
ReductionAttr getReduction(mlir::Operation *collective);

/// Bytes that one execution leaves on one device, all results together. A
/// gather joins shards with their padding, in the global form as in the local
/// one.
int64_t getResultBytes(mlir::Operation *collective);

/// Everything but operands and dimensions that two collectives must share to be
/// one launch: kind, mesh, groups, reduction, element type, pairs of a permute.
/// Null for an op that is no collective. The order of axes counts only where
/// parts are numbered, thus not for an all-reduce.
mlir::Attribute getLaunchKey(mlir::Operation *op);

/// What, beside the operand, two comm ops must share to compute the same:
/// the launch key, the dimensions, and for the global form the shardings.
/// Null for an op of another dialect, or one with several operands.
mlir::Attribute getValueKey(mlir::Operation *op);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_IDENTITY_H
