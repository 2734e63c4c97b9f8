//===- Timeline.cpp - What a device does in a step ------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Report.h"

#include "ir/attrs/Places.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/collectives/Identity.h"
#include "passes/collectives/TripCount.h"
#include "passes/fusion/OpKinds.h"

using namespace mlir;

namespace partita {

namespace {

/// Joins ops that follow one another, and run as often, to one entry.
class TimelineBuilder {
public:
  void addOp(Operation *op) {
    int64_t opCount = getExecutionCount(op);
    if (ops > 0 && opCount != count)
      endStretch();
    if (ops++ == 0) {
      count = opCount;
      source = getPlace(op->getLoc()).getLine();
    }
    flops += countFlops(op);
  }

  void addCollective(const CollectiveEntry &entry) {
    endStretch();
    list.push_back({{"what", getName(entry.kind)},
                    {"axes", entry.axes},
                    {"count", entry.count},
                    {"result_bytes", entry.resultBytes},
                    {"seconds", entry.seconds},
                    {"source", entry.source}});
  }

  Json take() {
    endStretch();
    return std::move(list);
  }

private:
  void endStretch() {
    if (ops > 0)
      list.push_back({{"what", "compute"},
                      {"count", count},
                      {"ops", ops},
                      {"flops", flops},
                      {"source", source}});
    ops = 0;
    flops = 0;
  }

  Json list = Json::array();
  /// The stretch of computation that is being gathered.
  int64_t ops = 0, count = 1;
  double flops = 0;
  std::string source;
};

} // namespace

Json makeTimeline(ModuleOp module, ArrayRef<CollectiveEntry> collectives) {
  TimelineBuilder builder;
  const auto *next = collectives.begin();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (getCollectiveKind(op))
      builder.addCollective(*next++);
    else if (getFusionKind(op) != FusionKind::Outside)
      builder.addOp(op);
  });
  return builder.take();
}

} // namespace partita
