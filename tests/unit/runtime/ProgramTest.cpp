//===- ProgramTest.cpp - Plans in execution ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"

#include "runtime/plan/Package.h"
#include "support/Files.h"
#include "tests/unit/runtime/PlanBuilder.h"
#include "tests/unit/runtime/TestKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace partita;
using namespace partita::testing;
using plan::Collective;
using ::testing::HasSubstr;

namespace {

/// For tests of a step that does not end.
void sleepForever(void *const *buffers, int64_t, int64_t) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  *static_cast<bool *>(buffers[0]) = true;
}

ProgramOptions getOptions(int numWorkers = 2) {
  ProgramOptions options;
  options.numWorkers = numWorkers;
  options.kernels = {{"double", testDouble},       {"add", testAdd},
                     {"increment", testIncrement}, {"less", testLess},
                     {"true", testTrue},           {"nothing", testNothing},
                     {"sleep", sleepForever}};
  return options;
}

std::unique_ptr<Program> load(const PlanBuilder &builder,
                              ProgramOptions options = getOptions()) {
  auto program = Program::load(builder.plan, std::move(options));
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : nullptr;
}

HostTensor makeFloats(Shape shape, float first = 0) {
  HostTensor tensor(DType::F32, std::move(shape));
  std::iota(tensor.dataAs<float>(),
            tensor.dataAs<float>() + tensor.getNumElements(), first);
  return tensor;
}

HostTensor makeInt(int32_t value) {
  HostTensor tensor(DType::S32, {});
  *tensor.dataAs<int32_t>() = value;
  return tensor;
}

std::vector<float> getFloats(const Program &program, int64_t result) {
  auto tensor = program.getResult(result);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return {tensor->dataAs<float>(),
          tensor->dataAs<float>() + tensor->getNumElements()};
}

void expectError(const absl::Status &status, absl::StatusCode code,
                 const std::string &text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

/// x f32[8 * size], split over 8 devices; y = sum over all of 2 * x.
PlanBuilder makeSumPlan(int64_t size) {
  PlanBuilder b({{"data", 8}});
  uint32_t x = b.addArgument("x", DType::F32, {8 * size}, {{"data"}});
  uint32_t y = b.addResult(DType::F32, {size});
  uint32_t t = b.addTemporary(DType::F32, {size});
  b.launch("double", {x}, {t}, size / 64);
  b.collective(Collective::ALL_REDUCE, {"data"}, {{t, y}});
  return b;
}

TEST(ProgramTest, RunsKernelsAndCollectivesOnAnyNumberOfWorkers) {
  for (int64_t size : {64, 64 * 1000}) {
    PlanBuilder b = makeSumPlan(size);
    for (int numWorkers : {1, 2, 5}) {
      auto program = load(b, getOptions(numWorkers));
      ASSERT_TRUE(program->setArguments({{makeFloats({8 * size})}}).ok());
      for (int step = 0; step < 3; ++step)
        ASSERT_TRUE(program->step().ok());
      std::vector<float> y = getFloats(*program, 0);
      for (int64_t i = 0; i < size; i += 63) {
        float sum = 0;
        for (int64_t d = 0; d < 8; ++d)
          sum += 2 * static_cast<float>(d * size + i);
        ASSERT_EQ(y[i], sum);
      }
      EXPECT_GT(program->getSeconds(), 0);
    }
  }
}

TEST(ProgramTest, CountsCollectivesAndMemory) {
  PlanBuilder b = makeSumPlan(128);
  auto program = load(b);
  ASSERT_TRUE(program->setArguments({{makeFloats({1024})}}).ok());
  EXPECT_EQ(program->getMeasuredPeakBytes()[3], 2 * 512);
  ASSERT_TRUE(program->step().ok());
  ASSERT_TRUE(program->step().ok());
  EXPECT_EQ(toText(program->getCountersJson(), false),
            R"({"all-reduce":{"count":1,"result_bytes":512}})");
  EXPECT_EQ(program->getMeasuredPeakBytes(),
            std::vector<int64_t>(8, getPeakBytes(b.plan)));
  EXPECT_EQ(getPeakBytes(b.plan), 3 * 512);
}

TEST(ProgramTest, LoadsCodeFromMemory) {
  auto code = readFile(PARTITA_TEST_KERNELS);
  ASSERT_TRUE(code.ok()) << code.status();
  PlanBuilder b;
  uint32_t x = b.addArgument("x", DType::F32, {64});
  uint32_t y = b.addResult(DType::F32, {64});
  b.launch("testDouble", {x}, {y});
  b.plan.set_code(*code);
  for (int i = 0; i < 2; ++i) {
    auto program = load(b);
    auto other = load(b);
    ASSERT_TRUE(program->setArguments({{makeFloats({64})}}).ok());
    ASSERT_TRUE(program->step().ok());
    EXPECT_EQ(getFloats(*program, 0)[63], 126);
  }
  b.plan.mutable_kernels(0)->set_symbol("testNone");
  expectError(Program::load(b.plan).status(), absl::StatusCode::kNotFound,
              "the program's code defines no kernel 'testNone'");
  b.plan.set_code("nonsense");
  expectError(Program::load(b.plan).status(),
              absl::StatusCode::kInvalidArgument,
              "cannot load the program's code: ");
}

TEST(ProgramTest, RefusesWhatTheMachineLacks) {
  PlanBuilder b = makeSumPlan(64);
  expectError(checkCpuFeatures({"avx2", "unknown", "amx-fp16"}, {"avx2"}),
              absl::StatusCode::kUnimplemented,
              "compiled for a processor with 'amx-fp16', which this one lacks; "
              "compile it on this machine");
  b.plan.mutable_target()->add_features("no-such-feature");
  EXPECT_TRUE(Program::load(b.plan, getOptions()).ok());
  expectError(Memory::allocate(int64_t(1) << 60).status(),
              absl::StatusCode::kResourceExhausted,
              "the system refuses 1048576.0 TiB of memory");
  ProgramOptions options = getOptions();
  options.memoryLimit = 5000;
  expectError(
      Program::load(b.plan, options).status(),
      absl::StatusCode::kResourceExhausted,
      "program 'test' needs 768 B on each of its 8 devices, but the "
      "machine has 4.9 KiB for all of them; use a smaller mesh or batch");
  b.plan.mutable_allocations(0)->set_bytes(uint64_t(1) << 45);
  expectError(Program::load(b.plan, getOptions()).status(),
              absl::StatusCode::kResourceExhausted, "needs 32.0 TiB on each");
  b.plan.clear_entry_blocks();
  expectError(Program::load(b.plan, getOptions()).status(),
              absl::StatusCode::kInvalidArgument, "0 entry blocks");
}

/// Bytes of this process that are in memory.
int64_t getResidentBytes() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return int64_t(resident) * sysconf(_SC_PAGESIZE);
}

TEST(ProgramTest, TakesMemoryWhenArgumentsCome) {
  constexpr int64_t kBytes = int64_t(96) << 20;
  PlanBuilder b;
  b.addArgument("x", DType::F32, {4});
  b.plan.mutable_allocations(0)->set_bytes(kBytes);
  int64_t before = getResidentBytes();
  auto program = load(b);
  EXPECT_LT(getResidentBytes() - before, kBytes / 2);
  ASSERT_TRUE(program->setArgument(0, makeFloats({4})).ok());
  EXPECT_GE(getResidentBytes() - before, kBytes);
}

TEST(ProgramTest, NamesArgumentsThatDoNotFit) {
  PlanBuilder b({{"data", 2}});
  b.addArgument("params['w1']", DType::F32, {4, 3}, {{"data"}});
  b.addArgument("step", DType::S32, {});
  auto program = load(b);
  auto invalid = absl::StatusCode::kInvalidArgument;
  expectError(program->step(), absl::StatusCode::kFailedPrecondition,
              "argument 0 ('params['w1']') was not set");
  expectError(program->setArguments({{makeFloats({4, 3})}}), invalid,
              "program 'test' takes 2 arguments, got 1; the first one missing "
              "is argument 1 ('step')");
  expectError(program->setArguments({{makeInt(1), makeInt(1), makeInt(1)}}),
              invalid, "takes 2 arguments, got 3");
  expectError(program->setArguments({{makeFloats({3, 4}), makeInt(1)}}),
              invalid,
              "argument 0 ('params['w1']'): expected f32[4, 3], got f32[3, 4]");
  expectError(program->setArgument(1, makeFloats({})), invalid,
              "argument 1 ('step'): expected i32[], got f32[]");
  expectError(program->setArgument(2, makeInt(1)), invalid,
              "program 'test' has no argument 2; it takes 2");
  expectError(program->getResult(0).status(),
              absl::StatusCode::kFailedPrecondition,
              "program 'test' has no results: no step was run");
  ASSERT_TRUE(program->setArguments({{makeFloats({4, 3}), makeInt(1)}}).ok());
  ASSERT_TRUE(program->step().ok());
  expectError(program->getResult(0).status(), invalid,
              "program 'test' has no result 0");
}

TEST(ProgramTest, CutsAndJoinsUnevenShards) {
  // 7 x 5 over 4 x 2 devices: shards of 2 x 3, the last ones shorter or empty.
  PlanBuilder b({{"a", 4}, {"b", 2}});
  uint32_t x = b.addArgument("x", DType::F32, {7, 5}, {{"a"}, {"b"}});
  uint32_t y = b.addResult(DType::F32, {7, 5}, {{"a"}, {"b"}});
  b.copy(x, y);
  auto program = load(b);
  HostTensor tensor = makeFloats({7, 5}, 1);
  ASSERT_TRUE(program->setArguments({{tensor}}).ok());
  ASSERT_TRUE(program->step().ok());
  EXPECT_EQ(
      getFloats(*program, 0),
      std::vector<float>(tensor.dataAs<float>(), tensor.dataAs<float>() + 35));
}

TEST(ProgramTest, FeedsResultsToAliasedArguments) {
  // Three ways: in place, by swapping memory, by moving data between
  // shardings.
  PlanBuilder b({{"data", 2}});
  uint32_t inPlace = b.addArgument("in_place", DType::F32, {128}, {{"data"}});
  uint32_t swapped = b.addArgument("swapped", DType::F32, {64});
  uint32_t moved = b.addArgument("moved", DType::F32, {128}, {{"data"}});
  b.addResultInPlace(0);
  uint32_t out = b.addResult(DType::F32, {64});
  b.feed(1);
  uint32_t whole = b.addResult(DType::F32, {128});
  b.feed(2);
  uint32_t t = b.addTemporary(DType::F32, {64});
  b.launch("double", {inPlace}, {inPlace});
  b.launch("double", {swapped}, {out});
  b.launch("double", {moved}, {t});
  b.collective(Collective::ALL_GATHER, {"data"}, {{t, whole}});
  auto program = load(b);
  auto one = [](int64_t size) { return makeFloats({size}, 1); };
  ASSERT_TRUE(program->setArguments({{one(128), one(64), one(128)}}).ok());
  for (float factor : {2.0f, 4.0f, 8.0f}) {
    ASSERT_TRUE(program->step().ok());
    for (int result = 0; result < 3; ++result) {
      EXPECT_EQ(getFloats(*program, result)[0], factor);
      EXPECT_EQ(getFloats(*program, result)[63], 64 * factor);
    }
    EXPECT_EQ(getFloats(*program, 2)[127], 128 * factor);
  }
  // What the user sets comes first.
  ASSERT_TRUE(program->setArgument(1, one(64)).ok());
  ASSERT_TRUE(program->step().ok());
  EXPECT_EQ(getFloats(*program, 0)[0], 16);
  EXPECT_EQ(getFloats(*program, 1)[0], 2);
}

TEST(ProgramTest, RunsLoopsAndBranches) {
  PlanBuilder b({{"a", 2}, {"b", 3}});
  uint32_t limit = b.addArgument("limit", DType::S32, {});
  uint32_t x = b.addArgument("x", DType::F32, {64});
  uint32_t i = b.addResult(DType::S32, {});
  uint32_t y = b.addResult(DType::F32, {64});
  uint32_t z = b.addResult(DType::F32, {64 * 6}, {{"b", "a"}});
  uint32_t predicate = b.addTemporary(DType::Pred, {});
  uint32_t index = b.addTemporary(DType::S32, {});
  uint32_t zero = b.addTemporary(DType::S32, {});
  uint32_t t = b.addTemporary(DType::F32, {64});
  uint32_t condition = b.addBlock(), body = b.addBlock();
  uint32_t thenBlock = b.addBlock(), elseBlock = b.addBlock();
  b.axisIndex({}, i);
  b.copy(x, y);
  b.whileLoop(condition, body, predicate);
  // Devices at coordinate 0 of (b, a) double x, the others copy it.
  b.axisIndex({"b", "a"}, index);
  b.axisIndex({}, zero);
  b.launch("less", {zero, index}, {predicate});
  b.ifElse(predicate, thenBlock, elseBlock);
  b.setBlock(condition);
  b.launch("less", {i, limit}, {predicate});
  b.setBlock(body);
  b.launch("increment", {i}, {i});
  b.collective(Collective::ALL_REDUCE, {"a"}, {{y, t}});
  b.copy(t, y);
  b.setBlock(thenBlock);
  b.copy(x, z);
  b.setBlock(elseBlock);
  b.launch("double", {x}, {z});
  for (int numWorkers : {1, 3}) {
    auto program = load(b, getOptions(numWorkers));
    ASSERT_TRUE(
        program->setArguments({{makeInt(5), makeFloats({64}, 1)}}).ok());
    ASSERT_TRUE(program->step().ok());
    EXPECT_EQ(*program->getResult(0)->dataAs<int32_t>(), 5);
    EXPECT_EQ(getFloats(*program, 1)[0], 32);
    EXPECT_EQ(program->getCounters(4)[Collective::ALL_REDUCE].count, 5);
    std::vector<float> z = getFloats(*program, 2);
    EXPECT_EQ(z[0], 2);
    for (int64_t device = 1; device < 6; ++device)
      EXPECT_EQ(z[64 * device], 1);
  }
}

TEST(ProgramTest, TellsWhoWaitsForWhom) {
  // Device 2 skips the all-reduce, device 3 goes to another one first.
  PlanBuilder b({{"a", 4}});
  uint32_t x = b.addTemporary(DType::F32, {64});
  b.collective(Collective::ALL_REDUCE, {"a"}, {{x, x}});
  uint32_t nothing = b.addBlock(), other = b.addBlock();
  b.setBlock(other);
  b.collective(Collective::ALL_REDUCE, {"a"}, {{x, x}});
  for (uint32_t block : {0u, nothing, other})
    b.plan.add_entry_blocks(block);
  for (int numWorkers : {1, 2}) {
    auto program = load(b, getOptions(numWorkers));
    expectError(
        program->step(), absl::StatusCode::kAborted,
        "devices of 'test' wait for ever: devices 0, 1 at all-reduce 0 "
        "(model.py:1) wait for devices 2, 3; device 2 has ended; device 3 at "
        "all-reduce 1 (model.py:2) waits for devices 0, 1, 2; device 0 waits "
        "at all-reduce 0 (model.py:1)");
    // It can be tried again, with the same outcome.
    expectError(program->step(), absl::StatusCode::kAborted, "wait for ever");
  }
}

TEST(ProgramTest, StopsAfterATimeOut) {
  PlanBuilder b({{"a", 3}});
  uint32_t predicate = b.addTemporary(DType::Pred, {});
  uint32_t x = b.addArgument("x", DType::F32, {64});
  uint32_t condition = b.addBlock(), body = b.addBlock(),
           waiting = b.addBlock();
  b.whileLoop(condition, body, predicate);
  b.setBlock(condition);
  b.launch("sleep", {}, {predicate});
  b.setBlock(waiting);
  uint32_t t = b.addTemporary(DType::F32, {64});
  b.collective(Collective::ALL_REDUCE, {"a"}, {{x, t}});
  b.plan.add_entry_blocks(waiting);
  b.plan.add_entry_blocks(waiting);
  ProgramOptions options = getOptions();
  options.timeoutSeconds = 0.02;
  auto program = load(b, options);
  ASSERT_TRUE(program->setArguments({{makeFloats({64})}}).ok());
  absl::Status status = program->step();
  expectError(status, absl::StatusCode::kDeadlineExceeded,
              "step of 'test' took longer than 0.02 s: devices 1, 2 at "
              "all-reduce 0 (model.py:1) wait for device 0; device 0 is at "
              "block ");
  expectError(program->step(), absl::StatusCode::kFailedPrecondition,
              "argument 0 ('x') was not set");
}

TEST(ProgramTest, WritesATrace) {
  ProgramOptions options = getOptions();
  options.isTraced = true;
  auto program = load(makeSumPlan(64), options);
  ASSERT_TRUE(program->setArguments({{makeFloats({512})}}).ok());
  ASSERT_TRUE(program->step().ok());
  Json trace = program->getTrace();
  ASSERT_EQ(trace["traceEvents"].size(), 8 * 3);
  EXPECT_EQ(trace["traceEvents"][0]["args"]["name"], "device 0");
  EXPECT_EQ(trace["traceEvents"][1]["name"], "double");
  EXPECT_EQ(trace["traceEvents"][2]["name"], "all-reduce");
  EXPECT_EQ(trace["traceEvents"][2]["args"]["location"], "model.py:1");
  EXPECT_GE(trace["traceEvents"][2]["ts"].get<double>(),
            trace["traceEvents"][1]["ts"].get<double>());
}

} // namespace
