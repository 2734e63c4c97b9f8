//===- Device.cpp - Virtual devices and where they meet ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Device.h"

#include <cstring>

namespace partita {

//===----------------------------------------------------------------------===//
// Rendezvous
//===----------------------------------------------------------------------===//

/// Exchanges that move less than this are not worth sharing.
static constexpr int64_t kSharedBytes = 1 << 20;

Rendezvous::Rendezvous(Executor &theExecutor, const Exchange &theExchange,
                       const Exchange::Group &theGroup)
    : executor(theExecutor), exchange(theExchange), group(theGroup),
      members(group.members.size()) {
  size_t count = members.size() * static_cast<size_t>(exchange.getNumPieces());
  pointers.operands.resize(count);
  pointers.results.resize(count);
  woken.reserve(members.size());
}

bool Rendezvous::arrive(Device &device, const CollectiveStep &step,
                        int32_t position) {
  size_t n = members.size();
  for (size_t p = 0; p < step.operands.size(); ++p) {
    size_t at = p * n + static_cast<size_t>(position);
    pointers.operands[at] = device.getPointers()[step.operands[p]];
    pointers.results[at] = device.getPointers()[step.results[p]];
  }
  auto size = static_cast<int64_t>(n);
  if (numArrived.fetch_add(1, std::memory_order_acq_rel) + 1 < size)
    return false;
  numArrived.store(0, std::memory_order_relaxed);
  int64_t chunks = exchange.getNumChunks(group);
  int64_t moved = 2 * size * exchange.getResultBytes();
  if (moved < kSharedBytes) {
    exchange.run(group, pointers, 0, chunks);
  } else {
    // Flows of a large group can be short: a share is some of them.
    int64_t bytesPerChunk = moved / std::max<int64_t>(1, chunks);
    int64_t grain = std::max<int64_t>(
        1, kSharedBytes / 8 / std::max<int64_t>(1, bytesPerChunk));
    if (!executor.share(*this, chunks, grain))
      return false;
  }
  wakeAllBut(&device);
  device.wake();
  return true;
}

void Rendezvous::runPieces(int64_t begin, int64_t end) {
  exchange.run(group, pointers, begin, end);
}

void Rendezvous::resume() { wakeAllBut(nullptr); }

void Rendezvous::wakeAllBut(const Device *device) {
  woken.clear();
  for (Device *member : members) {
    if (member == device)
      continue;
    member->wake();
    woken.push_back(member);
  }
  // Once spawned, members may arrive here again: `woken` is the executor's copy
  // by the time that the last of them does.
  executor.spawn(woken);
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

bool Session::mustStop() {
  if (hasDeadline && Clock::now() > deadline)
    isCancelled.store(true, std::memory_order_relaxed);
  return isCancelled.load(std::memory_order_relaxed);
}

Device::Device(Session &theSession, int64_t theId)
    : session(theSession), id(theId),
      launchBuffers(theSession.schedule.maxLaunchBuffers) {}

void Device::start() {
  stack.clear();
  stack.push_back({session.schedule.entries[static_cast<size_t>(id)]});
  state = State::Ready;
  counters = {};
}

void Device::run() {
  while (!session.mustStop()) {
    Frame &frame = stack.back();
    if (frame.next == frame.block->steps.size()) {
      leaveBlock();
      if (state == State::Ended)
        return;
      continue;
    }
    const ScheduleStep &step = frame.block->steps[frame.next++];
    arenaEnd = std::max(arenaEnd, step.arenaEnd);
    bool goesOn = std::visit(
        [&](const auto &action) { return execute(action); }, step.action);
    if (!goesOn)
      return;
  }
}

void Device::leaveBlock() {
  Frame &frame = stack.back();
  if (frame.loop && !frame.isCondition) {
    frame = {frame.loop->condition, 0, frame.loop, true};
  } else if (frame.loop && readPredicate(frame.loop->predicate)) {
    frame = {frame.loop->body, 0, frame.loop, false};
  } else {
    stack.pop_back();
    if (stack.empty())
      state = State::Ended;
  }
}

bool Device::execute(const LaunchStep &step) {
  for (size_t i = 0; i < step.buffers.size(); ++i)
    launchBuffers[i] = pointers[step.buffers[i]];
  launch = &step;
  if (session.isTraced)
    begin = Clock::now();
  if (!session.executor.share(*this, step.numTiles, step.grain))
    return false;
  finishLaunch();
  return true;
}

void Device::runPieces(int64_t first, int64_t end) {
  if (first < end)
    launch->function(launchBuffers.data(), first, end);
}

void Device::finishLaunch() {
  if (!session.isTraced)
    return;
  const plan::Kernel &kernel =
      session.schedule.plan->kernels(static_cast<int>(launch->kernel));
  trace.push_back({&kernel.symbol(), nullptr, begin, Clock::now()});
}

void Device::resume() {
  finishLaunch();
  run();
}

bool Device::execute(const CollectiveStep &step) {
  const Exchange &exchange = *session.schedule.exchanges[step.exchange];
  CollectiveCounter &counter =
      counters[static_cast<size_t>(exchange.getKind())];
  ++counter.count;
  counter.resultBytes += exchange.getResultBytes();
  if (session.isTraced)
    begin = Clock::now();
  state = State::Waiting;
  meeting = &step;
  auto group = static_cast<size_t>(exchange.getGroup(id));
  return session.meetings[step.exchange][group]->arrive(
      *this, step, exchange.getPosition(id));
}

void Device::wake() {
  state = State::Ready;
  if (session.isTraced)
    trace.push_back({nullptr, meeting->source, begin, Clock::now()});
}

bool Device::execute(const CopyStep &step) {
  if (pointers[step.source] != pointers[step.target])
    std::memcpy(pointers[step.target], pointers[step.source],
                static_cast<size_t>(step.bytes));
  return true;
}

bool Device::execute(const AxisIndexStep &step) {
  int64_t value = session.schedule.mesh.getCoordinate(id, step.axes);
  // Little-endian: the low half is in front.
  std::memcpy(pointers[step.buffer], &value, step.is64Bits ? 8 : 4);
  return true;
}

bool Device::execute(const WhileStep &step) {
  stack.push_back({step.condition, 0, &step, true});
  return true;
}

bool Device::execute(const IfStep &step) {
  stack.push_back(
      {readPredicate(step.predicate) ? step.thenBlock : step.elseBlock});
  return true;
}

std::string Device::describePlace() const {
  const Frame &frame = stack.back();
  return "block " + std::to_string(frame.block->index) + ", step " +
         std::to_string(frame.next ? frame.next - 1 : 0);
}

} // namespace partita
