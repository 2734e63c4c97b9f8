//===- Window.h - Ops that shift indices along split dimensions -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice, a pad, a concatenation and a reversal give each device a stretch of
// a dimension that starts elsewhere than its own shard: a *window*. Devices
// exchange what their windows lack, and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PARTITION_WINDOW_H
#define PARTITA_SHARDING_PARTITION_WINDOW_H

#include "ir/core/Core.h"
#include "sharding/partition/LocalBuilder.h"
#include "sharding/partition/Strategy.h"

#include <limits>
#include <optional>

namespace partita {

/// The op's rule when the dimensions that it shifts are split alike before and
/// behind it, or nothing for an op that shifts none.
std::optional<IndexRule> getWindowRule(mlir::Operation *op);

/// The rule of a slice of one element of a split dimension when its owner
/// answers and the others add zeros; nothing for other ops.
std::optional<IndexRule> getOwnerRule(mlir::Operation *op);

/// Seconds that the exchange takes when the op is split so.
double getWindowSeconds(mlir::Operation *op, const Strategy &strategy);

/// Leaves operands whole along shifted dimensions where they lie whole: each
/// device then cuts its window out of what it has.
void keepWholeOperands(mlir::Operation *op, const StrategyRequest &request,
                       Strategy &strategy);

/// The elements [begin, end) of the operand's dimension go from the shard at
/// one coordinate to the window at another.
struct WindowTransfer {
  int64_t sender = 0, receiver = 0;
  int64_t begin = 0, end = 0;
};

/// Rounds of transfers: in each a device sends and receives at most once. The
/// first holds what devices have themselves.
using WindowPlan = std::vector<std::vector<WindowTransfer>>;

/// `starts` has the first index of each coordinate's window of `size` elements;
/// what of it lies outside the dimension, or behind `limit`, is not
/// transferred.
WindowPlan planWindow(const LocalDim &dim, llvm::ArrayRef<int64_t> starts,
                      int64_t size,
                      int64_t limit = std::numeric_limits<int64_t>::max());

/// The end of what the windows need of the dimension: behind it there is only
/// the padding of the result `to`.
int64_t getWindowLimit(const LocalDim &to, llvm::ArrayRef<int64_t> starts);

/// Replaces dimension `d` of a value by each device's window. The value lies in
/// shards along the same axes as the result `to`, or whole. Elements outside
/// the dimension are zero.
mlir::Value takeWindow(LocalBuilder &local, mlir::Value value, int64_t d,
                       const LocalDim &from, const LocalDim &to,
                       llvm::ArrayRef<int64_t> starts);

/// First indices of the windows of a result dimension: coordinate times shard
/// size times stride, plus `shift`.
llvm::SmallVector<int64_t> getWindowStarts(const LocalDim &result,
                                           int64_t shift, int64_t stride = 1);

/// What a result dimension with a stride spans of the operand's: the sizes of
/// windows, from the first element that is taken to the last.
LocalDim getSpan(const LocalDim &result, int64_t stride);

/// The windows of what a pad puts elements between: the first element of each
/// coordinate's, and how many there may be.
struct StretchedWindows {
  llvm::SmallVector<int64_t> starts;
  LocalDim span;
  /// By coordinate, where in its shard of the result the first element is.
  llvm::SmallVector<int64_t> places;
};
StretchedWindows getStretchedWindows(core::PadOp op, int64_t d,
                                     const LocalDim &from, const LocalDim &to);

/// The constant that an index is, clamped to [0, last]; nothing otherwise.
std::optional<int64_t> getConstantIndex(mlir::Value index, int64_t last);

} // namespace partita

#endif // PARTITA_SHARDING_PARTITION_WINDOW_H
