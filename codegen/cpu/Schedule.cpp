//===- Schedule.cpp - Loop nests of kernels -------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Schedule.h"

#include "codegen/cpu/Pointwise.h"
#include "ir/core/Core.h"
#include "passes/fusion/OpKinds.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace partita::cpu {

mlir::OperandRange getResults(plan::KernelOp kernel) {
  return kernel.getBody().front().getTerminator()->getOperands();
}

SmallVector<mlir::Operation *> getSlice(ArrayRef<mlir::Value> values,
                                        mlir::Value stop) {
  SetVector<mlir::Operation *> ops;
  SmallVector<mlir::Value> pending(values);
  while (!pending.empty()) {
    mlir::Value value = pending.pop_back_val();
    mlir::Operation *op = value.getDefiningOp();
    if (!op || value == stop || !ops.insert(op))
      continue;
    append_range(pending, op->getOperands());
  }
  SmallVector<mlir::Operation *> sorted = ops.takeVector();
  sort(sorted, [](mlir::Operation *a, mlir::Operation *b) {
    return a->isBeforeInBlock(b);
  });
  return sorted;
}

Schedules makeSchedules(plan::KernelOp kernel, const CpuTarget &target) {
  Schedules schedules;
  mlir::OperandRange results = getResults(kernel);
  auto getSize = [&](unsigned number) {
    return getNumElements(getShape(results[number]));
  };
  // Large results first: smaller ones may be by-products of their rows.
  SmallVector<unsigned> pending = to_vector(seq<unsigned>(0, results.size()));
  stable_sort(pending,
              [&](unsigned a, unsigned b) { return getSize(a) > getSize(b); });
  while (!pending.empty()) {
    unsigned first = pending.front();
    pending.erase(pending.begin());
    std::unique_ptr<Schedule> schedule =
        makeScatterSchedule(kernel, target, first);
    if (!schedule)
      schedule = makeUpdateSchedule(kernel, target, first);
    if (!schedule) {
      SmallVector<unsigned> group = {first};
      erase_if(pending, [&](unsigned other) {
        bool joins = getSize(other) == getSize(first);
        if (joins)
          group.push_back(other);
        return joins;
      });
      schedule = makeDotSchedule(kernel, target, group);
      if (!schedule)
        schedule = makeLoopSchedule(kernel, target, group);
    }
    erase_if(pending, [&](unsigned other) {
      return schedule->takeRows(other, results[other]);
    });
    schedules.push_back(std::move(schedule));
  }
  return schedules;
}

double countFlops(plan::KernelOp kernel) {
  double flops = 0;
  for (mlir::Operation &op : kernel.getBody().front())
    flops += partita::countFlops(&op);
  return flops;
}

} // namespace partita::cpu
