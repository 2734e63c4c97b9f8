//===- Program.cpp - A loaded program ---------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"

#include "runtime/plan/Verify.h"
#include "support/StatusMacros.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <cstring>
#include <optional>
#include <utility>

namespace partita {
namespace {

/// Puts a lag of 64 lines and a bit between the same offsets of neighbouring
/// devices: caches choose sets by the low bits of addresses.
constexpr int64_t kStagger = 65 * 64;
constexpr int64_t kMaxStagger = 31;

int64_t alignUp(int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// "f32[128, 64]".
std::string describe(DType type, std::span<const int64_t> shape) {
  return absl::StrCat(std::string(getName(type)), "[",
                      absl::StrJoin(shape.begin(), shape.end(), ", "), "]");
}

class NumberedTask final : public Executor::Task {
public:
  NumberedTask(const std::function<void(int64_t)> &theAction, int64_t theNumber)
      : action(theAction), number(theNumber) {}
  void run() override { action(number); }

private:
  const std::function<void(int64_t)> &action;
  int64_t number;
};

/// Memory that one worker makes the system provide at a time.
constexpr int64_t kTouchBytes = int64_t(32) << 20;
} // namespace

Program::Program(plan::Plan thePlan, ProgramOptions theOptions)
    : plan(std::move(thePlan)), options(std::move(theOptions)) {}
Program::~Program() = default;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<Program>> Program::load(plan::Plan plan,
                                                       ProgramOptions options) {
  PARTITA_RETURN_IF_ERROR(verifyPlan(plan));
  PARTITA_RETURN_IF_ERROR(checkCpuFeatures(
      {plan.target().features().begin(), plan.target().features().end()}));
  std::unique_ptr<Program> program(
      new Program(std::move(plan), std::move(options)));
  PARTITA_RETURN_IF_ERROR(program->prepare());
  return program;
}

absl::Status Program::prepare() {
  if (!plan.code().empty()) {
    PARTITA_ASSIGN_OR_RETURN(code, CodeObject::load(plan.code()));
    plan.clear_code();
  }
  int numWorkers = chooseNumWorkers(options.numWorkers);
  PARTITA_ASSIGN_OR_RETURN(
      Schedule made, Schedule::make(plan, code, options.kernels, numWorkers));
  schedule = std::make_unique<Schedule>(std::move(made));
  executor = std::make_unique<Executor>(numWorkers);
  session = std::make_unique<Session>(*executor, *schedule);
  session->isTraced = options.isTraced;
  int64_t numDevices = getNumDevices();
  for (int64_t id = 0; id < numDevices; ++id)
    devices.push_back(std::make_unique<Device>(*session, id));
  for (const std::unique_ptr<Exchange> &exchange : schedule->exchanges) {
    auto &meetings = session->meetings.emplace_back();
    for (const Exchange::Group &group : exchange->getGroups()) {
      meetings.push_back(
          std::make_unique<Rendezvous>(*executor, *exchange, group));
      for (size_t i = 0; i < group.members.size(); ++i)
        meetings.back()->setMember(static_cast<int32_t>(i),
                                   *devices[group.members[i]]);
    }
  }
  isSet.resize(static_cast<size_t>(plan.arguments_size()));
  isFed.resize(static_cast<size_t>(plan.arguments_size()));
  return allocate();
}

absl::Status Program::allocate() {
  int64_t perDevice = 0;
  for (const plan::Allocation &allocation : plan.allocations()) {
    auto bytes = static_cast<int64_t>(allocation.bytes());
    if (allocation.kind() != plan::Allocation::CONSTANT)
      perDevice += alignUp(bytes);
    if (allocation.kind() != plan::Allocation::TEMPORARY)
      fixedBytes += bytes;
  }
  int64_t numDevices = getNumDevices();
  auto constantBytes = static_cast<int64_t>(plan.constants().size());
  int64_t limit =
      options.memoryLimit > 0 ? options.memoryLimit : getAvailableMemory();
  if (constantBytes > limit || perDevice > (limit - constantBytes) / numDevices)
    return absl::ResourceExhaustedError(absl::StrCat(
        "program '", plan.program(), "' needs ", formatBytes(perDevice),
        " on each of its ", numDevices, " devices, but the machine has ",
        formatBytes(limit), " for all of them; use a smaller mesh or batch"));
  PARTITA_ASSIGN_OR_RETURN(constants, Memory::allocate(constantBytes));
  if (constantBytes)
    std::memcpy(constants.data(), plan.constants().data(),
                plan.constants().size());
  plan.clear_constants();
  for (int64_t id = 0; id < numDevices; ++id) {
    PARTITA_ASSIGN_OR_RETURN(
        Memory memory,
        Memory::allocate(perDevice, id % kMaxStagger * kStagger));
    memories.push_back(std::move(memory));
    std::byte *at = memories.back().data();
    auto &addresses = bases.emplace_back();
    for (const plan::Allocation &allocation : plan.allocations()) {
      bool isConstant = allocation.kind() == plan::Allocation::CONSTANT;
      addresses.push_back(isConstant ? constants.data() + allocation.offset()
                                     : at);
      if (!isConstant)
        at += alignUp(static_cast<int64_t>(allocation.bytes()));
    }
    setPointers(id);
  }
  return absl::OkStatus();
}

void Program::touchMemory() {
  if (std::exchange(isTouched, true))
    return;
  int64_t pieces = (memories.front().size() + kTouchBytes - 1) / kTouchBytes;
  runAll(getNumDevices() * pieces, [&](int64_t number) {
    memories[number / pieces].prefault(number % pieces * kTouchBytes,
                                       kTouchBytes);
  });
}

void Program::runAll(int64_t count,
                     const std::function<void(int64_t)> &action) const {
  std::vector<NumberedTask> work;
  work.reserve(static_cast<size_t>(count));
  for (int64_t number = 0; number < count; ++number)
    work.emplace_back(action, number);
  std::vector<Executor::Task *> tasks;
  tasks.reserve(work.size());
  for (NumberedTask &task : work)
    tasks.push_back(&task);
  if (!tasks.empty())
    executor->run(tasks);
}

void Program::forEachDevice(const std::function<void(int64_t)> &action) const {
  runAll(getNumDevices(), action);
}

void Program::setPointers(int64_t device) {
  std::vector<std::byte *> &pointers = devices[device]->getPointers();
  pointers.clear();
  for (const plan::Buffer &buffer : plan.buffers())
    pointers.push_back(bases[device][buffer.allocation()] + buffer.offset());
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

absl::Status Program::setArguments(std::span<const HostTensor> tensors) {
  auto expected = static_cast<size_t>(plan.arguments_size());
  if (tensors.size() != expected) {
    std::string message =
        absl::StrCat("program '", plan.program(), "' takes ", expected,
                     " arguments, got ", tensors.size());
    if (tensors.size() < expected)
      absl::StrAppend(
          &message, "; the first one missing is argument ", tensors.size(),
          " ('", plan.arguments(static_cast<int>(tensors.size())).name(), "')");
    return absl::InvalidArgumentError(message);
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    PARTITA_RETURN_IF_ERROR(setArgument(static_cast<int64_t>(i), tensors[i]));
  return absl::OkStatus();
}

absl::Status Program::setArgument(int64_t index, const HostTensor &tensor) {
  if (index < 0 || index >= plan.arguments_size())
    return absl::InvalidArgumentError(
        absl::StrCat("program '", plan.program(), "' has no argument ", index,
                     "; it takes ", plan.arguments_size()));
  const plan::Argument &argument = plan.arguments(static_cast<int>(index));
  const plan::Buffer &buffer =
      plan.buffers(static_cast<int>(argument.buffer()));
  Shape shape(argument.global_shape().begin(), argument.global_shape().end());
  if (tensor.getDType() != getDType(buffer) || tensor.getShape() != shape)
    return absl::InvalidArgumentError(
        absl::StrCat("argument ", index, " ('", argument.name(),
                     "'): expected ", describe(getDType(buffer), shape),
                     ", got ", describe(tensor.getDType(), tensor.getShape())));
  touchMemory();
  scatter(tensor, buffer, argument.buffer(), fromPlan(argument.sharding()));
  isSet[static_cast<size_t>(index)] = true;
  isFed[static_cast<size_t>(index)] = false;
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> Program::getResult(int64_t index) const {
  if (!hasResults)
    return absl::FailedPreconditionError(absl::StrCat(
        "program '", plan.program(), "' has no results: no step was run"));
  if (index < 0 || index >= plan.results_size())
    return absl::InvalidArgumentError(
        absl::StrCat("program '", plan.program(), "' has no result ", index,
                     "; it returns ", plan.results_size()));
  const plan::Result &result = plan.results(static_cast<int>(index));
  return gather({result.global_shape().begin(), result.global_shape().end()},
                result.buffer(), fromPlan(result.sharding()));
}

absl::StatusOr<std::vector<HostTensor>> Program::getResults() const {
  std::vector<HostTensor> results;
  for (int i = 0; i < plan.results_size(); ++i) {
    PARTITA_ASSIGN_OR_RETURN(HostTensor result, getResult(i));
    results.push_back(std::move(result));
  }
  return results;
}

void Program::feedBack() {
  bool hasMoved = false;
  for (int i = 0; i < plan.results_size(); ++i) {
    const plan::Result &result = plan.results(i);
    if (!result.has_aliased_argument() || !isFed[result.aliased_argument()])
      continue;
    const plan::Argument &argument =
        plan.arguments(static_cast<int>(result.aliased_argument()));
    const plan::Buffer &to = plan.buffers(static_cast<int>(argument.buffer()));
    const plan::Buffer &from = plan.buffers(static_cast<int>(result.buffer()));
    if (to.allocation() == from.allocation())
      continue;
    TensorSharding source = fromPlan(result.sharding());
    TensorSharding target = fromPlan(argument.sharding());
    if (isSamePlacement(source, target)) {
      for (std::vector<std::byte *> &addresses : bases)
        std::swap(addresses[to.allocation()], addresses[from.allocation()]);
      hasMoved = true;
    } else {
      Shape shape(result.global_shape().begin(), result.global_shape().end());
      scatter(gather(shape, result.buffer(), source), to, argument.buffer(),
              target);
    }
  }
  for (int64_t id = 0; hasMoved && id < getNumDevices(); ++id)
    setPointers(id);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

absl::Status Program::step() {
  for (size_t i = 0; i < isSet.size(); ++i)
    if (!isSet[i])
      return absl::FailedPreconditionError(absl::StrCat(
          "argument ", i, " ('", plan.arguments(static_cast<int>(i)).name(),
          "') was not set"));
  touchMemory();
  Clock::time_point begin = Clock::now();
  feedBack();
  session->isCancelled = false;
  session->hasDeadline = options.timeoutSeconds > 0;
  if (session->hasDeadline)
    session->deadline =
        begin + std::chrono::duration_cast<Clock::duration>(
                    std::chrono::duration<double>(options.timeoutSeconds));
  std::vector<Executor::Task *> tasks;
  for (const std::unique_ptr<Device> &device : devices) {
    device->start();
    tasks.push_back(device.get());
  }
  executor->run(tasks);
  seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  bool hasEnded = true;
  for (const std::unique_ptr<Device> &device : devices)
    hasEnded &= device->getState() == Device::State::Ended;
  if (!hasEnded) {
    std::string waiting = describeWaiting();
    resetAfterFailure();
    if (session->isCancelled)
      return absl::DeadlineExceededError(
          absl::StrCat("step of '", plan.program(), "' took longer than ",
                       options.timeoutSeconds, " s: ", waiting));
    return absl::AbortedError(absl::StrCat("devices of '", plan.program(),
                                           "' wait for ever: ", waiting));
  }
  hasResults = true;
  for (const plan::Result &result : plan.results())
    if (result.has_aliased_argument())
      isFed[result.aliased_argument()] = true;
  return absl::OkStatus();
}

void Program::resetAfterFailure() {
  for (auto &meetings : session->meetings)
    for (const std::unique_ptr<Rendezvous> &meeting : meetings)
      meeting->reset();
  isSet.assign(isSet.size(), false);
  isFed.assign(isFed.size(), false);
  hasResults = false;
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

const CollectiveCounters &Program::getCounters(int64_t device) const {
  return devices[device]->getCounters();
}

Json Program::getCountersJson(int64_t device) const {
  Json json = Json::object();
  const CollectiveCounters &counters = getCounters(device);
  for (int kind = 0; kind < kNumCollectiveKinds; ++kind) {
    const CollectiveCounter &counter = counters[static_cast<size_t>(kind)];
    if (counter.count)
      json[std::string(getName(static_cast<plan::Collective::Kind>(kind)))] = {
          {"count", counter.count}, {"result_bytes", counter.resultBytes}};
  }
  return json;
}

std::vector<int64_t> Program::getMeasuredPeakBytes() const {
  std::vector<int64_t> bytes;
  bytes.reserve(devices.size());
  for (const std::unique_ptr<Device> &device : devices)
    bytes.push_back(fixedBytes + device->getArenaEnd());
  return bytes;
}

Json Program::getTrace() const {
  Json events = Json::array();
  auto micros = [&](Clock::time_point at) {
    return std::chrono::duration<double, std::micro>(at - loaded).count();
  };
  for (const std::unique_ptr<Device> &device : devices) {
    int64_t id = device->getId();
    events.push_back({{"name", "process_name"},
                      {"ph", "M"},
                      {"pid", id},
                      {"args", {{"name", absl::StrCat("device ", id)}}}});
    for (const TraceEvent &event : device->getTrace()) {
      Json json = {{"ph", "X"},
                   {"pid", id},
                   {"tid", 0},
                   {"ts", micros(event.begin)},
                   {"dur", micros(event.end) - micros(event.begin)}};
      if (event.collective) {
        json["name"] = std::string(getName(event.collective->kind()));
        json["cat"] = "collective";
        json["args"] = {{"location", event.collective->location()},
                        {"value", event.collective->value()}};
      } else {
        json["name"] = *event.name;
        json["cat"] = "kernel";
      }
      events.push_back(std::move(json));
    }
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

} // namespace partita
