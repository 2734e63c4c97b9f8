//===- Transition.h - What a collective does to a sharding ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function gives the placement that a collective over `axes` makes of
// `from`, or nothing where the collective does not apply to it. They are the
// definition of the collectives on global shapes: verifiers check against them.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_TRANSITION_H
#define PARTITA_MESH_TRANSITION_H

#include "mesh/Sharding.h"

#include <optional>

namespace partita {

/// `axes` must be the minor-most of dimension `dim`; they are taken off.
std::optional<TensorSharding> afterAllGather(const TensorSharding &from,
                                             int64_t dim,
                                             std::span<const AxisRef> axes);
/// No dimension may use `axes`; they become the minor-most of `dim`.
std::optional<TensorSharding> afterSlice(const TensorSharding &from,
                                         int64_t dim,
                                         std::span<const AxisRef> axes);
/// The value must be unreduced along `axes` with that kind.
std::optional<TensorSharding> afterAllReduce(const TensorSharding &from,
                                             ReductionKind kind,
                                             std::span<const AxisRef> axes);
/// An all-reduce, then a slice.
std::optional<TensorSharding> afterReduceScatter(const TensorSharding &from,
                                                 int64_t dim,
                                                 ReductionKind kind,
                                                 std::span<const AxisRef> axes);
/// `axes` move from the end of `concatDim` to the end of `splitDim`.
std::optional<TensorSharding> afterAllToAll(const TensorSharding &from,
                                            int64_t splitDim, int64_t concatDim,
                                            std::span<const AxisRef> axes);

} // namespace partita

#endif // PARTITA_MESH_TRANSITION_H
