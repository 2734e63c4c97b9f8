//===- Schedule.h - A plan made ready to run --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a plan with kernels looked up, collectives' geometry worked out
// and sizes at hand: what devices walk through in each step of the program.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_EXEC_SCHEDULE_H
#define PARTITA_RUNTIME_EXEC_SCHEDULE_H

#include "runtime/comm/inproc/Exchange.h"
#include "runtime/device/cpu/CodeObject.h"

#include "absl/status/statusor.h"

#include <map>
#include <memory>
#include <variant>

namespace partita {

struct LaunchStep {
  KernelFn function = nullptr;
  uint32_t kernel = 0;
  int64_t numTiles = 0;
  /// Tiles that one worker takes at a time; numTiles when the kernel is too
  /// short to be worth sharing.
  int64_t grain = 0;
  std::vector<uint32_t> buffers;
};

struct CollectiveStep {
  const plan::Collective *source = nullptr;
  size_t exchange = 0;
  std::vector<uint32_t> operands, results; // a buffer per piece
};

struct CopyStep {
  uint32_t source = 0, target = 0;
  int64_t bytes = 0;
};

struct AxisIndexStep {
  std::vector<AxisRef> axes;
  uint32_t buffer = 0;
  bool is64Bits = false;
};

struct ScheduleBlock;

struct WhileStep {
  const ScheduleBlock *condition = nullptr, *body = nullptr;
  uint32_t predicate = 0;
};

struct IfStep {
  const ScheduleBlock *thenBlock = nullptr, *elseBlock = nullptr;
  uint32_t predicate = 0;
};

struct ScheduleStep {
  std::variant<LaunchStep, CollectiveStep, CopyStep, AxisIndexStep, WhileStep,
               IfStep>
      action;
  /// The first byte behind all that the step uses in the arena.
  int64_t arenaEnd = 0;
};

struct ScheduleBlock {
  size_t index = 0;
  std::vector<ScheduleStep> steps;
};

struct Schedule {
  /// `kernels` come before what `code` defines. NotFound for an undefined
  /// kernel. The schedule refers to the plan and the code.
  static absl::StatusOr<Schedule>
  make(const plan::Plan &plan, const CodeObject &code,
       const std::map<std::string, KernelFn> &kernels, int numWorkers);

  const plan::Plan *plan = nullptr;
  Mesh mesh;
  std::vector<std::unique_ptr<ScheduleBlock>> blocks;
  std::vector<const ScheduleBlock *> entries; // by device
  std::vector<std::unique_ptr<Exchange>> exchanges;
  size_t maxLaunchBuffers = 0;
};

} // namespace partita

#endif // PARTITA_RUNTIME_EXEC_SCHEDULE_H
