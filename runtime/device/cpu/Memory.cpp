//===- Memory.cpp - Memory of a virtual device ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/cpu/Memory.h"

#include "support/Files.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace partita {
namespace {
constexpr int64_t kHugePage = int64_t(2) << 20;

std::byte *alignUp(void *at, int64_t alignment) {
  auto bits = reinterpret_cast<uintptr_t>(at);
  auto mask = static_cast<uintptr_t>(alignment) - 1;
  return reinterpret_cast<std::byte *>((bits + mask) & ~mask);
}

/// The number in a file that holds nothing else, or nothing.
std::optional<int64_t> readNumber(const std::string &path) {
  absl::StatusOr<std::string> text = readFile(path);
  int64_t number = 0;
  if (!text.ok() || !absl::SimpleAtoi(*text, &number))
    return std::nullopt;
  return number;
}
} // namespace

absl::StatusOr<Memory> Memory::allocate(int64_t bytes, int64_t stagger) {
  Memory memory;
  memory.numBytes = bytes;
  if (bytes == 0)
    return memory;
  bool isHuge = bytes >= kHugePage;
  int64_t alignment = isHuge ? kHugePage : sysconf(_SC_PAGESIZE);
  int64_t total = bytes + stagger + (isHuge ? alignment : 0);
  void *at = mmap(nullptr, static_cast<size_t>(total), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return absl::ResourceExhaustedError("the system refuses " +
                                        formatBytes(bytes) + " of memory");
  memory.mapping = at;
  memory.mappingBytes = total;
  memory.start = alignUp(at, alignment) + stagger;
  if (isHuge)
    madvise(at, static_cast<size_t>(total), MADV_HUGEPAGE);
  return memory;
}

Memory::Memory(Memory &&other) noexcept { *this = std::move(other); }

Memory &Memory::operator=(Memory &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mappingBytes, other.mappingBytes);
  std::swap(start, other.start);
  std::swap(numBytes, other.numBytes);
  return *this;
}

Memory::~Memory() {
  if (mapping)
    munmap(mapping, static_cast<size_t>(mappingBytes));
}

void Memory::prefault(int64_t from, int64_t bytes) {
  int64_t page = sysconf(_SC_PAGESIZE);
  std::byte *first = alignUp(start + from, page);
  std::byte *last = start + std::min(from + bytes, numBytes);
  if (first >= last)
    return;
#ifdef MADV_POPULATE_WRITE
  if (madvise(first, static_cast<size_t>(last - first), MADV_POPULATE_WRITE) ==
      0)
    return;
#endif
  for (std::byte *at = first; at < last; at += page)
    *reinterpret_cast<volatile std::byte *>(at) = std::byte(0);
}

int64_t getAvailableMemory() {
  int64_t available = std::numeric_limits<int64_t>::max();
  absl::StatusOr<std::string> info = readFile("/proc/meminfo");
  constexpr std::string_view key = "MemAvailable:";
  if (size_t at = info.ok() ? info->find(key) : std::string::npos;
      at != std::string::npos) {
    size_t from = info->find_first_not_of(' ', at + key.size());
    size_t to = info->find(' ', from);
    int64_t kibibytes = 0;
    if (absl::SimpleAtoi(info->substr(from, to - from), &kibibytes))
      available = kibibytes * 1024;
  }
  const std::pair<const char *, const char *> kLimits[] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
       "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  for (auto [limitPath, usePath] : kLimits) {
    std::optional<int64_t> limit = readNumber(limitPath),
                           use = readNumber(usePath);
    // What files keep in memory counts as use but can be taken back.
    if (limit && use)
      available = std::min(available, std::max(*limit - *use, *limit / 2));
  }
  return available;
}

std::string formatBytes(int64_t bytes) {
  constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit < 4; ++unit)
    value /= 1024;
  return unit ? absl::StrFormat("%.1f %s", value, kUnits[unit])
              : absl::StrFormat("%d B", bytes);
}

} // namespace partita
