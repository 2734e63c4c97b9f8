//===- Localise.h - Turns one op into its local form ----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PARTITION_LOCALISE_H
#define PARTITA_SHARDING_PARTITION_LOCALISE_H

#include "sharding/partition/LocalBuilder.h"

namespace partita {

/// An op whose values already have local types, but whose attributes and
/// operands still speak of global ones.
struct LocalOp {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<LocalValue> operands, results;
};

/// Each makes the op right for local shapes, before or behind it by `local`.
/// They may replace the op's results and erase it.
void localiseConstant(const LocalOp &self, LocalBuilder &local);
void localiseIota(const LocalOp &self, LocalBuilder &local);
void localiseReduce(const LocalOp &self, LocalBuilder &local);
void localiseDot(const LocalOp &self, LocalBuilder &local);

void localiseDynamicSlice(const LocalOp &self, LocalBuilder &local);
void localiseDynamicUpdateSlice(const LocalOp &self, LocalBuilder &local);
void localiseGather(const LocalOp &self, LocalBuilder &local);
void localiseScatter(const LocalOp &self, LocalBuilder &local);

/// Ops that shift indices: where a dimension that they shift is split, devices
/// exchange what is missing.
void localiseSlice(const LocalOp &self, LocalBuilder &local);
void localisePad(const LocalOp &self, LocalBuilder &local);
void localiseReverse(const LocalOp &self, LocalBuilder &local);
void localiseConcatenate(const LocalOp &self, LocalBuilder &local);
/// An update at a constant place that is split itself; others are left alone.
void localiseStaticUpdate(const LocalOp &self, LocalBuilder &local);

/// A reshard that is marked as an exchange of boxes.
void localiseExchange(const LocalOp &self, LocalBuilder &local);
/// Collectives and comm.slice: pads what goes in, cuts what comes out.
mlir::LogicalResult localiseComm(const LocalOp &self, LocalBuilder &local);

} // namespace partita

#endif // PARTITA_SHARDING_PARTITION_LOCALISE_H
