//===- CollectiveBench.cpp - Time of collectives ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not a test: prints microseconds per collective over 8 devices, the best of
// wall and of processor time in repeated steps, for operands of 1 KiB to 16
// MiB. Processor time tells more on a busy machine.
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"
#include "tests/unit/runtime/PlanBuilder.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace partita;
using namespace partita::testing;
using plan::Collective;

namespace {

double getProcessorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

void measure(Collective::Kind kind, DType type, int64_t bytes, int numWorkers) {
  constexpr int64_t kDevices = 8;
  int64_t count = bytes / getByteWidth(type);
  int64_t repeats = std::clamp<int64_t>((1 << 20) / bytes, 1, 200);
  bool isGather = kind == Collective::ALL_GATHER;
  bool isScatter = kind == Collective::REDUCE_SCATTER;
  PlanBuilder b({{"data", kDevices}});
  uint32_t x = b.addTemporary(type, {isGather ? count / kDevices : count});
  uint32_t y = b.addTemporary(type, {isScatter ? count / kDevices : count});
  for (int64_t i = 0; i < repeats; ++i)
    b.collective(kind, {"data"}, {{x, y}});
  ProgramOptions options;
  options.numWorkers = numWorkers;
  auto program = Program::load(b.plan, options);
  if (!program.ok()) {
    std::puts(std::string(program.status().message()).c_str());
    return;
  }
  double wall = 1e9, processor = 1e9;
  for (int i = 0; i < 40; ++i) {
    double before = getProcessorSeconds();
    if (!(*program)->step().ok())
      return;
    auto scale = 1e6 / static_cast<double>(repeats);
    processor = std::min(processor, (getProcessorSeconds() - before) * scale);
    wall = std::min(wall, (*program)->getSeconds() * scale);
  }
  std::printf(" %9.1f/%9.1f", wall, processor);
  std::fflush(stdout);
}
} // namespace

int main() {
  struct Row {
    Collective::Kind kind;
    DType type;
  };
  for (Row row : {Row{Collective::ALL_REDUCE, DType::F32},
                  Row{Collective::ALL_REDUCE, DType::BF16},
                  Row{Collective::REDUCE_SCATTER, DType::F32},
                  Row{Collective::ALL_GATHER, DType::F32}}) {
    std::printf("%s of %s: microseconds, wall/processor\n%10s %19s %19s\n",
                std::string(getName(row.kind)).c_str(),
                std::string(getName(row.type)).c_str(), "bytes", "1 worker",
                "2 workers");
    for (int64_t bytes : {1 << 10, 1 << 16, 1 << 20, 1 << 22, 1 << 24}) {
      std::printf("%10lld", static_cast<long long>(bytes));
      for (int numWorkers : {1, 2})
        measure(row.kind, row.type, bytes, numWorkers);
      std::puts("");
    }
  }
  return 0;
}
