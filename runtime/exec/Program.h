//===- Program.h - A loaded program -----------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a plan on as many virtual devices as its mesh has, in this process.
// Arguments and results are whole (global) arrays; the program cuts them into
// shards and puts them together again. Between steps it keeps its state: a
// result that aliases an argument is that argument in the next step, without a
// copy where both lie alike.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_EXEC_PROGRAM_H
#define PARTITA_RUNTIME_EXEC_PROGRAM_H

#include "runtime/device/cpu/Memory.h"
#include "runtime/exec/Device.h"
#include "support/Json.h"

#include <functional>

namespace partita {

struct ProgramOptions {
  /// Worker threads, the caller's included; 0: see `chooseNumWorkers`. One
  /// worker runs everything in the same order each time. Results do not depend
  /// on the number.
  int numWorkers = 0;
  /// A step that takes longer is stopped, as soon as its kernels return; 0: no
  /// limit.
  double timeoutSeconds = 0;
  /// Records what each device does, for `getTrace`.
  bool isTraced = false;
  /// Kernels of this process that the plan may call by name.
  std::map<std::string, KernelFn> kernels;
  /// What to hold the program's needs against; 0: `getAvailableMemory`.
  int64_t memoryLimit = 0;
};

class Program {
public:
  /// InvalidArgument for a plan that does not verify or whose code does not
  /// load, NotFound for an undefined kernel, Unimplemented for a feature that
  /// the processor lacks, ResourceExhausted when memory does not suffice for
  /// all devices.
  static absl::StatusOr<std::unique_ptr<Program>>
  load(plan::Plan plan, ProgramOptions options = {});
  ~Program();

  const plan::Plan &getPlan() const { return plan; }
  int64_t getNumDevices() const { return schedule->mesh.getNumDevices(); }
  int getNumWorkers() const { return executor->getNumWorkers(); }

  /// One array per argument. InvalidArgument names the argument and tells what
  /// was expected and what was given.
  absl::Status setArguments(std::span<const HostTensor> tensors);
  absl::Status setArgument(int64_t index, const HostTensor &tensor);

  /// Runs the program once. FailedPrecondition when an argument was never set;
  /// Aborted when devices wait for one another for ever, DeadlineExceeded after
  /// a time-out: both tell who waits where for whom. After these two, arguments
  /// must be set again.
  absl::Status step();

  /// A result of the last step, whole. FailedPrecondition before the first.
  absl::StatusOr<HostTensor> getResult(int64_t index) const;
  absl::StatusOr<std::vector<HostTensor>> getResults() const;

  /// Wall time of the last step.
  double getSeconds() const { return seconds; }
  /// What each device did in the last step, by kind of collective.
  const CollectiveCounters &getCounters(int64_t device) const;
  /// The same of one device by name, for reports:
  /// {"all-reduce": {"count": 12, "result_bytes": 49152}}.
  Json getCountersJson(int64_t device = 0) const;

  /// Per device: arguments, results, constants, and what steps have touched of
  /// the arena so far.
  std::vector<int64_t> getMeasuredPeakBytes() const;

  /// Events since loading, as Chrome and Perfetto read them: a process a
  /// device.
  Json getTrace() const;

private:
  Program(plan::Plan thePlan, ProgramOptions theOptions);

  absl::Status prepare();
  absl::Status allocate();
  /// Has the system provide all memory, on all workers: once, and no earlier
  /// than it is needed.
  void touchMemory();
  void setPointers(int64_t device);
  void feedBack();
  void resetAfterFailure();

  /// Calls the function for every device, on all workers at once.
  void forEachDevice(const std::function<void(int64_t)> &action) const;
  /// Calls the function for the numbers below `count`, on all workers at once.
  void runAll(int64_t count, const std::function<void(int64_t)> &action) const;

  // Shards.cpp.
  void scatter(const HostTensor &tensor, const plan::Buffer &buffer,
               uint32_t bufferId, const TensorSharding &sharding);
  HostTensor gather(const Shape &shape, uint32_t bufferId,
                    const TensorSharding &sharding) const;

  // Diagnosis.cpp.
  std::string describeWaiting() const;
  std::string describeMeeting(const Rendezvous &meeting) const;
  std::string describeDevice(const Device &device) const;

  plan::Plan plan;
  ProgramOptions options;
  CodeObject code;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Session> session;
  std::unique_ptr<Schedule> schedule;
  std::vector<std::unique_ptr<Device>> devices;

  Memory constants;
  std::vector<Memory> memories; // by device
  /// Addresses of allocations, by device.
  std::vector<std::vector<std::byte *>> bases;
  /// Arguments, results and constants of a device.
  int64_t fixedBytes = 0;

  bool isTouched = false;
  std::vector<bool> isSet; // by argument
  std::vector<bool> isFed; // by argument: takes the aliased result
  bool hasResults = false;
  double seconds = 0;
  Clock::time_point loaded = Clock::now();
};

} // namespace partita

#endif // PARTITA_RUNTIME_EXEC_PROGRAM_H
