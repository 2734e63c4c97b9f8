//===- Sharding.h - How a tensor lies on a mesh -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sharding says which (sub-)axes split each dimension. A dimension of size n
// split k ways has shards of ceil(n / k) elements; the last ones may be short
// or empty, and are padded to the full shard size in memory. Devices that
// differ along axes that split no dimension hold copies, or, along *unreduced*
// axes, partial values that a reduction of the given kind has yet to combine.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_SHARDING_H
#define PARTITA_MESH_SHARDING_H

#include "mesh/Mesh.h"

#include <string>
#include <vector>

namespace partita {

/// The axes that split one dimension, major to minor, and what the user said
/// about them.
struct DimSharding {
  std::vector<AxisRef> axes;
  /// Propagation may add axes.
  bool isOpen = false;
  /// User priority, 0 first. Only propagation looks at it.
  int32_t priority = 0;
  friend bool operator==(const DimSharding &, const DimSharding &) = default;
};

struct TensorSharding {
  std::vector<DimSharding> dims;
  /// Axes that propagation must not use for this tensor.
  std::vector<AxisRef> replicated;
  /// Axes along which each device holds a partial value; sorted.
  std::vector<AxisRef> unreduced;
  ReductionKind reduction = ReductionKind::Sum;
  friend bool operator==(const TensorSharding &,
                         const TensorSharding &) = default;

  int64_t getRank() const { return static_cast<int64_t>(dims.size()); }
  /// The number of shards along a dimension.
  int64_t getNumShards(int64_t dim) const { return getProduct(dims[dim].axes); }
  bool isFullyReplicated() const;
  /// Whether `ref` shares a factor with an axis that splits or is unreduced.
  bool uses(const AxisRef &ref) const;
};

/// Every dimension closed and unsplit.
TensorSharding getReplicated(int64_t rank);
/// Whether devices hold the same data under both: the same axes per dimension
/// (normalised), the same unreduced axes and kind. Open flags, priorities and
/// explicit replicated axes do not count.
bool isSamePlacement(const TensorSharding &a, const TensorSharding &b);

/// A half-open box of global indices.
struct Box {
  std::vector<int64_t> begin, end;
  friend bool operator==(const Box &, const Box &) = default;
  bool isEmpty() const;
  int64_t getNumElements() const;
};
Box intersect(const Box &a, const Box &b);

/// Shape of the shard in memory: ceil(size / shards) per dimension.
std::vector<int64_t> getLocalShape(std::span<const int64_t> globalShape,
                                   const TensorSharding &sharding);
/// The global indices that `device` holds, without padding. Starts at
/// coordinate × ceil(size / shards), clipped to the shape.
Box getShardBox(const Mesh &mesh, std::span<const int64_t> globalShape,
                const TensorSharding &sharding, int64_t device);

/// [{"x", "y"}, {}, {?}] with `, replicated={…}, unreduced=max{…}` when set.
std::string toString(const Mesh &mesh, const TensorSharding &sharding);

} // namespace partita

#endif // PARTITA_MESH_SHARDING_H
