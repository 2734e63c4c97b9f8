//===- CpuTarget.cpp - The processor that kernels are made for ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/CpuTarget.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <mutex>
#include <unistd.h>

namespace partita::cpu {

/// The size that the C library reports, or `fallback` where it knows none (as
/// in many virtual machines).
static int64_t getCacheBytes(int name, int64_t fallback) {
  long size = sysconf(name);
  return size > 0 ? size : fallback;
}

CpuTarget CpuTarget::getHost() {
  CpuTarget target;
  target.triple = llvm::sys::getProcessTriple();
  target.cpu = llvm::sys::getHostCPUName().str();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> names;
  for (const auto &feature : features)
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::sort(names.begin(), names.end());
  for (const std::string &name : names)
    target.features += (target.features.empty() ? "" : ",") + name;
  bool hasAvx512 = features.lookup("avx512f") && features.lookup("avx512vl") &&
                   features.lookup("avx512bw") && features.lookup("avx512dq");
  target.vectorBits = hasAvx512 ? 512 : features.lookup("avx2") ? 256 : 128;
  target.vectorRegisters = hasAvx512 ? 32 : 16;
  if (llvm::Triple(target.triple).isAArch64())
    target.vectorRegisters = 32;
  target.l1Bytes = getCacheBytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  target.l2Bytes = getCacheBytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10);
  return target;
}

CpuTarget CpuTarget::getAvx2() {
  CpuTarget target;
  target.triple = "x86_64-unknown-linux-gnu";
  target.cpu = "x86-64-v3";
  return target;
}

CpuTarget CpuTarget::getSse() {
  CpuTarget target = getAvx2();
  target.cpu = "x86-64-v2";
  target.vectorBits = 128;
  return target;
}

/// Sets an option of LLVM that it has no other way to set.
static void setLlvmOption(llvm::StringRef name) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  if (found != options.end())
    found->second->addOccurrence(0, name, "true");
}

std::unique_ptr<llvm::TargetMachine>
CpuTarget::createMachine(bool isOptimizing) const {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Loops are emitted with the addresses that they need: this pass would take
    // a quarter of all time to find little.
    setLlvmOption("disable-lsr");
  });
  std::string error;
  llvm::Triple parsed(triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      parsed, cpu, features, options, llvm::Reloc::PIC_, std::nullopt,
      isOptimizing ? llvm::CodeGenOptLevel::Default
                   : llvm::CodeGenOptLevel::None));
}

MatmulTile getMatmulTile(const CpuTarget &target, int64_t m, int64_t n,
                         int64_t k) {
  int lanes = target.getLanes(4);
  MatmulTile tile;
  // Two vectors of columns; as many rows as leave registers for one row of the
  // right side and one broadcast.
  tile.nr = n > lanes ? 2 * lanes : lanes;
  int rows = target.vectorRegisters == 32 ? 8
             : target.vectorBits == 128   ? 4
                                          : 6;
  tile.mr = static_cast<int>(std::min<int64_t>(rows, std::max<int64_t>(m, 1)));
  // A panel of the right side fills half of the first-level cache, a block of
  // the left side less than half of the second level.
  int64_t kc = std::max<int64_t>(target.l1Bytes / 2 / (4 * tile.nr), 64);
  int64_t blocks = std::max<int64_t>((k + kc - 1) / kc, 1);
  tile.kc = std::max<int64_t>((((k + blocks - 1) / blocks) + 7) / 8 * 8, 8);
  int64_t mc = target.l2Bytes / 3 / (4 * tile.kc);
  tile.mc = std::clamp<int64_t>(mc / tile.mr * tile.mr, tile.mr, 40 * tile.mr);
  return tile;
}

} // namespace partita::cpu
