//===- Device.h - Virtual devices and where they meet -----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A virtual device is a record of how far it has come and where its buffers
// are, and runs on whatever worker is free. At a collective it leaves its
// buffers' addresses and goes to sleep; the last of the group to arrive moves
// the data and wakes the others.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_EXEC_DEVICE_H
#define PARTITA_RUNTIME_EXEC_DEVICE_H

#include "runtime/exec/Executor.h"
#include "runtime/exec/Schedule.h"

#include <array>
#include <chrono>

namespace partita {

class Device;

inline constexpr int kNumCollectiveKinds = 6;

/// What a device executed of one kind of collective.
struct CollectiveCounter {
  int64_t count = 0;
  int64_t resultBytes = 0;
};
using CollectiveCounters = std::array<CollectiveCounter, kNumCollectiveKinds>;

using Clock = std::chrono::steady_clock;

struct TraceEvent {
  const std::string *name = nullptr; // of a kernel; null for a collective
  const plan::Collective *collective = nullptr;
  Clock::time_point begin, end;
};

/// Where the members of one group of one collective meet.
class Rendezvous final : public Executor::Job {
public:
  Rendezvous(Executor &theExecutor, const Exchange &theExchange,
             const Exchange::Group &theGroup);

  void setMember(int32_t position, Device &device) {
    members[static_cast<size_t>(position)] = &device;
  }
  /// True when the exchange is done and the caller's device goes on. Otherwise
  /// the device belongs to another worker from now on.
  bool arrive(Device &device, const CollectiveStep &step, int32_t position);

  /// Between steps of the program only.
  int64_t getNumArrived() const { return numArrived.load(); }
  const std::vector<Device *> &getMembers() const { return members; }
  void reset() { numArrived.store(0); }

private:
  void runPieces(int64_t begin, int64_t end) override;
  void resume() override;
  /// Wakes all members but the given one.
  void wakeAllBut(const Device *device);

  Executor &executor;
  const Exchange &exchange;
  const Exchange::Group &group;
  std::vector<Device *> members; // by position
  Exchange::Pointers pointers;
  std::vector<Executor::Task *> woken;
  std::atomic<int64_t> numArrived{0};
};

/// What the devices of a program share during a step.
struct Session {
  Session(Executor &theExecutor, const Schedule &theSchedule)
      : executor(theExecutor), schedule(theSchedule) {}

  Executor &executor;
  const Schedule &schedule;
  /// By exchange and group.
  std::vector<std::vector<std::unique_ptr<Rendezvous>>> meetings;
  bool isTraced = false;
  bool hasDeadline = false;
  Clock::time_point deadline;
  std::atomic<bool> isCancelled{false};

  /// Whether devices must stop; looks at the clock when there is a deadline.
  bool mustStop();
};

class Device final : public Executor::Task, private Executor::Job {
public:
  enum class State { Ready, Waiting, Ended };

  Device(Session &theSession, int64_t theId);

  int64_t getId() const { return id; }
  /// Addresses of the plan's buffers.
  std::vector<std::byte *> &getPointers() { return pointers; }

  /// Back to the entry, with counters at zero.
  void start();
  void run() override;
  /// The collective at which the device waited is done.
  void wake();

  State getState() const { return state; }
  /// Of a waiting device.
  const CollectiveStep &getMeeting() const { return *meeting; }
  /// "block 1, step 5".
  std::string describePlace() const;

  const CollectiveCounters &getCounters() const { return counters; }
  /// The first byte of the arena that no step has used.
  int64_t getArenaEnd() const { return arenaEnd; }
  const std::vector<TraceEvent> &getTrace() const { return trace; }

private:
  struct Frame {
    const ScheduleBlock *block;
    size_t next = 0;
    const WhileStep *loop = nullptr;
    bool isCondition = false;
  };

  /// Each returns whether the device goes on on this worker.
  bool execute(const LaunchStep &step);
  bool execute(const CollectiveStep &step);
  bool execute(const CopyStep &step);
  bool execute(const AxisIndexStep &step);
  bool execute(const WhileStep &step);
  bool execute(const IfStep &step);
  /// Goes on behind the end of the innermost block.
  void leaveBlock();
  bool readPredicate(uint32_t buffer) const {
    return pointers[buffer][0] != std::byte(0);
  }
  void finishLaunch();

  void runPieces(int64_t begin, int64_t end) override;
  void resume() override;

  Session &session;
  const int64_t id;
  std::vector<std::byte *> pointers;
  std::vector<Frame> stack;
  State state = State::Ended;
  const CollectiveStep *meeting = nullptr;
  const LaunchStep *launch = nullptr;
  std::vector<void *> launchBuffers;
  CollectiveCounters counters{};
  int64_t arenaEnd = 0;
  Clock::time_point begin;
  std::vector<TraceEvent> trace;
};

} // namespace partita

#endif // PARTITA_RUNTIME_EXEC_DEVICE_H
