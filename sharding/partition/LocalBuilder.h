//===- LocalBuilder.h - Builds ops of one device's program ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What localisation needs to write code that depends on where a device stands:
// its coordinate, the first index of its shard, masks of what is no padding.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PARTITION_LOCALBUILDER_H
#define PARTITA_SHARDING_PARTITION_LOCALBUILDER_H

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "sharding/rules/FactorSharding.h"

namespace partita {

/// Unit attribute of a comm.reshard that localisation makes an exchange of
/// boxes of (mesh/Exchange.h).
inline constexpr llvm::StringLiteral kExchangeAttrName = "comm.exchange";

/// A dimension of a value before and after localisation.
struct LocalDim {
  int64_t global = 0;
  int64_t local = 0;
  Axes axes;
  bool isSplit() const { return !axes.empty(); }
  /// Whether the shards together are longer than the dimension.
  bool isPadded() const { return local * getProduct(axes) != global; }
};

/// A value's placement: the types before and after, and the split of each
/// dimension.
struct LocalValue {
  mlir::RankedTensorType global, local;
  TensorSharding sharding;
  LocalDim getDim(int64_t d) const {
    return {global.getDimSize(d), local.getDimSize(d), sharding.dims[d].axes};
  }
};

class LocalBuilder {
public:
  LocalBuilder(mlir::OpBuilder &theBuilder, mlir::Location theLoc,
               mlir::StringAttr theMeshName, const Mesh &theMesh)
      : builder(theBuilder), loc(theLoc), meshName(theMeshName), mesh(theMesh) {
  }

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  AxesAttr getAxesAttr(llvm::ArrayRef<AxisRef> axes) const;
  mlir::StringAttr getMeshName() const { return meshName; }
  const Mesh &getMesh() const { return mesh; }
  mlir::RankedTensorType getType(llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element) const {
    return mlir::RankedTensorType::get(shape, element);
  }

  /// A tensor full of an integer or a float. The element type may be any.
  mlir::Value makeSplat(mlir::RankedTensorType type, int64_t value);
  /// A tensor full of what the kind leaves unchanged.
  mlir::Value makeIdentity(mlir::RankedTensorType type, ReductionKind kind);
  /// Repeats a scalar.
  mlir::Value broadcast(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);
  /// Repeats a vector that runs along dimension `dim`.
  mlir::Value broadcastAlong(mlir::Value vector, int64_t dim,
                             llvm::ArrayRef<int64_t> shape);
  mlir::Value convert(mlir::Value value, mlir::Type element);
  mlir::Value compare(mlir::Value lhs, mlir::Value rhs, Comparison direction);

  /// The global index of the first element of the device's shard, a scalar of
  /// the given integer type.
  mlir::Value makeShardStart(const LocalDim &dim, mlir::Type element);
  /// The entry of a table by device id that belongs to the device, a scalar of
  /// i32.
  mlir::Value lookUpByDevice(llvm::ArrayRef<int64_t> table);
  /// Global indices of the shard, a vector of i32 or i64.
  mlir::Value makeGlobalIndices(const LocalDim &dim, mlir::Type element);
  /// i1 vector: which elements of the shard are no padding.
  mlir::Value makeValidMask(const LocalDim &dim);
  /// Puts `filler`'s elements where dimension `d` of the value is padding.
  mlir::Value maskPadding(mlir::Value value, int64_t d, const LocalDim &dim,
                          mlir::Value filler);

  /// Adds zeros behind dimension `d`, up to `size`.
  mlir::Value padTo(mlir::Value value, int64_t d, int64_t size);
  /// Cuts dimension `d` to its first `size` elements.
  mlir::Value cutTo(mlir::Value value, int64_t d, int64_t size);
  /// The device's own shard of dimension `d` of a value that all share.
  mlir::Value takeShard(mlir::Value value, int64_t d,
                        llvm::ArrayRef<AxisRef> axes, int64_t size);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::StringAttr meshName;
  const Mesh &mesh;
};

} // namespace partita

#endif // PARTITA_SHARDING_PARTITION_LOCALBUILDER_H
