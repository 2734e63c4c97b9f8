//===- Schedule.h - Loop nests of kernels -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_SCHEDULE_H
#define PARTITA_CODEGEN_CPU_SCHEDULE_H

#include "codegen/cpu/BodyEmitter.h"

#include <functional>
#include <memory>

namespace partita::cpu {

/// Some results of a kernel that are computed together. The tiles of a kernel
/// are those of its schedules, one after another.
class Schedule {
public:
  virtual ~Schedule() = default;
  /// How many independent pieces the work is cut into; at least 1.
  virtual int64_t getNumTiles() const = 0;
  /// Emits the computation of tiles [begin, end) of this schedule.
  virtual void emit(BodyEmitter &emitter, llvm::Value *begin,
                    llvm::Value *end) = 0;
  /// Takes a further result, one element for each of its rows, if it can.
  virtual bool takeRows(unsigned result, mlir::Value value) { return false; }
};

using Schedules = std::vector<std::unique_ptr<Schedule>>;

/// Chooses how each result of the kernel is computed.
Schedules makeSchedules(plan::KernelOp kernel, const CpuTarget &target);

/// The values that results of a kernel return.
mlir::OperandRange getResults(plan::KernelOp kernel);

/// Ops that `values` depend on, in order; not beyond `stop`.
llvm::SmallVector<mlir::Operation *>
getSlice(llvm::ArrayRef<mlir::Value> values, mlir::Value stop = {});

/// Element loops over results of one shape, and row-wise reductions.
std::unique_ptr<Schedule> makeLoopSchedule(plan::KernelOp kernel,
                                           const CpuTarget &target,
                                           llvm::ArrayRef<unsigned> results);
/// A matrix product with elementwise consumers; null if the results are not.
std::unique_ptr<Schedule> makeDotSchedule(plan::KernelOp kernel,
                                          const CpuTarget &target,
                                          llvm::ArrayRef<unsigned> results);
/// A result that is a scatter; null if it is none.
std::unique_ptr<Schedule> makeScatterSchedule(plan::KernelOp kernel,
                                              const CpuTarget &target,
                                              unsigned result);
/// A result that is an argument with a part replaced; null if it is none.
std::unique_ptr<Schedule> makeUpdateSchedule(plan::KernelOp kernel,
                                             const CpuTarget &target,
                                             unsigned result);

/// Estimated arithmetic operations of a kernel.
double countFlops(plan::KernelOp kernel);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_SCHEDULE_H
