//===- Schedule.cpp - A plan made ready to run ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Schedule.h"

#include "support/StatusMacros.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>

namespace partita {
namespace {

/// Results of a collective that one worker moves at a time.
constexpr int64_t kChunkBytes = 64 << 10;
/// Rough rates of one core, to tell kernels that are worth sharing.
constexpr double kFlopsPerSecond = 30e9, kBytesPerSecond = 10e9;
/// The least time that a share should take: waking a worker costs a tenth.
constexpr double kShareSeconds = 30e-6;

class ScheduleBuilder {
public:
  ScheduleBuilder(const plan::Plan &thePlan, const CodeObject &theCode,
                  const std::map<std::string, KernelFn> &theKernels,
                  int theNumWorkers)
      : plan(thePlan), code(theCode), kernels(theKernels),
        numWorkers(theNumWorkers) {}

  absl::StatusOr<Schedule> run();

private:
  absl::Status findKernels();
  void addStep(ScheduleBlock &block, const plan::Step &step);
  LaunchStep makeLaunch(const plan::Launch &launch);
  CollectiveStep makeCollective(const plan::Collective &collective);
  int64_t getGrain(const plan::Kernel &kernel) const;
  const ScheduleBlock *getBlock(uint32_t index) const {
    return schedule.blocks[index].get();
  }
  /// Notes that the current step uses the buffer.
  uint32_t use(uint32_t buffer);

  const plan::Plan &plan;
  const CodeObject &code;
  const std::map<std::string, KernelFn> &kernels;
  const int numWorkers;
  Schedule schedule;
  std::vector<KernelFn> functions;
  absl::flat_hash_map<uint32_t, size_t> exchangeOf; // by sequence number
  int64_t arenaEnd = 0;
};

uint32_t ScheduleBuilder::use(uint32_t id) {
  const plan::Buffer &buffer = plan.buffers(static_cast<int>(id));
  if (plan.allocations(static_cast<int>(buffer.allocation())).kind() ==
      plan::Allocation::TEMPORARY)
    arenaEnd = std::max(arenaEnd, static_cast<int64_t>(buffer.offset()) +
                                      getNumBytes(buffer));
  return id;
}

absl::Status ScheduleBuilder::findKernels() {
  for (const plan::Kernel &kernel : plan.kernels()) {
    auto known = kernels.find(kernel.symbol());
    if (known != kernels.end()) {
      functions.push_back(known->second);
      continue;
    }
    PARTITA_ASSIGN_OR_RETURN(KernelFn function, code.find(kernel.symbol()));
    functions.push_back(function);
  }
  return absl::OkStatus();
}

int64_t ScheduleBuilder::getGrain(const plan::Kernel &kernel) const {
  int64_t tiles = kernel.num_tiles();
  // Four shares a worker even out what others do at the same time.
  int64_t shares = 4 * numWorkers;
  double seconds =
      kernel.flops() / kFlopsPerSecond + kernel.bytes() / kBytesPerSecond;
  if (seconds > 0)
    shares = std::min<int64_t>(
        shares, static_cast<int64_t>(std::min(seconds / kShareSeconds, 1e6)));
  return shares <= 1 ? tiles : (tiles + shares - 1) / shares;
}

LaunchStep ScheduleBuilder::makeLaunch(const plan::Launch &launch) {
  const plan::Kernel &kernel = plan.kernels(static_cast<int>(launch.kernel()));
  LaunchStep step;
  step.function = functions[launch.kernel()];
  step.kernel = launch.kernel();
  step.numTiles = kernel.num_tiles();
  step.grain = getGrain(kernel);
  for (uint32_t buffer : launch.buffers())
    step.buffers.push_back(use(buffer));
  schedule.maxLaunchBuffers =
      std::max(schedule.maxLaunchBuffers, step.buffers.size());
  return step;
}

CollectiveStep
ScheduleBuilder::makeCollective(const plan::Collective &collective) {
  auto [it, isNew] =
      exchangeOf.try_emplace(collective.sequence(), schedule.exchanges.size());
  if (isNew)
    schedule.exchanges.push_back(std::make_unique<Exchange>(
        plan, schedule.mesh, collective, kChunkBytes));
  CollectiveStep step;
  step.source = &collective;
  step.exchange = it->second;
  for (const plan::Collective::Piece &piece : collective.pieces()) {
    step.operands.push_back(use(piece.operand()));
    step.results.push_back(use(piece.result()));
  }
  return step;
}

void ScheduleBuilder::addStep(ScheduleBlock &block, const plan::Step &step) {
  arenaEnd = 0;
  ScheduleStep added;
  if (step.has_launch()) {
    added.action = makeLaunch(step.launch());
  } else if (step.has_collective()) {
    added.action = makeCollective(step.collective());
  } else if (step.has_copy()) {
    uint32_t source = use(step.copy().source());
    added.action =
        CopyStep{source, use(step.copy().target()),
                 getNumBytes(plan.buffers(static_cast<int>(source)))};
  } else if (step.has_axis_index()) {
    uint32_t buffer = use(step.axis_index().buffer());
    DType type = getDType(plan.buffers(static_cast<int>(buffer)));
    added.action = AxisIndexStep{fromPlan(step.axis_index().axes()), buffer,
                                 getBitWidth(type) == 64};
  } else if (step.has_while_loop()) {
    const plan::While &loop = step.while_loop();
    added.action = WhileStep{getBlock(loop.condition()), getBlock(loop.body()),
                             use(loop.predicate())};
  } else {
    const plan::If &branch = step.if_else();
    added.action =
        IfStep{getBlock(branch.then_block()), getBlock(branch.else_block()),
               use(branch.predicate())};
  }
  added.arenaEnd = arenaEnd;
  block.steps.push_back(std::move(added));
}

absl::StatusOr<Schedule> ScheduleBuilder::run() {
  PARTITA_RETURN_IF_ERROR(findKernels());
  schedule.plan = &plan;
  schedule.mesh = fromPlan(plan.mesh());
  for (int b = 0; b < plan.blocks_size(); ++b) {
    schedule.blocks.push_back(std::make_unique<ScheduleBlock>());
    schedule.blocks.back()->index = static_cast<size_t>(b);
  }
  for (int b = 0; b < plan.blocks_size(); ++b)
    for (const plan::Step &step : plan.blocks(b).steps())
      addStep(*schedule.blocks[static_cast<size_t>(b)], step);
  for (int64_t device = 0; device < schedule.mesh.getNumDevices(); ++device)
    schedule.entries.push_back(getBlock(plan.entry_blocks(
        plan.entry_blocks_size() > 1 ? static_cast<int>(device) : 0)));
  return std::move(schedule);
}
} // namespace

absl::StatusOr<Schedule>
Schedule::make(const plan::Plan &plan, const CodeObject &code,
               const std::map<std::string, KernelFn> &kernels, int numWorkers) {
  return ScheduleBuilder(plan, code, kernels, numWorkers).run();
}

} // namespace partita
