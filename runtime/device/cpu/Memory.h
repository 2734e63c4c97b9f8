//===- Memory.h - Memory of a virtual device --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_DEVICE_CPU_MEMORY_H
#define PARTITA_RUNTIME_DEVICE_CPU_MEMORY_H

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>

namespace partita {

/// A zero-filled region from the system, on huge pages where it is large
/// enough. Aligned to 64 bytes at least.
class Memory {
public:
  /// ResourceExhausted when the system refuses. The region starts `stagger`
  /// bytes (a multiple of 64) behind a page boundary, so that equal offsets in
  /// the regions of several devices do not compete for the same cache sets.
  static absl::StatusOr<Memory> allocate(int64_t bytes, int64_t stagger = 0);

  Memory() = default;
  Memory(Memory &&other) noexcept;
  Memory &operator=(Memory &&other) noexcept;
  ~Memory();

  std::byte *data() const { return start; }
  int64_t size() const { return numBytes; }
  /// Makes the system provide the pages of [from, from + bytes), as far as they
  /// are there, now rather than in the first step.
  void prefault(int64_t from, int64_t bytes);

private:
  void *mapping = nullptr;
  int64_t mappingBytes = 0;
  std::byte *start = nullptr;
  int64_t numBytes = 0;
};

/// Bytes that can still be allocated without swapping: what the system says it
/// has, or what a container's limit leaves when that is less.
int64_t getAvailableMemory();

/// "1.5 GiB".
std::string formatBytes(int64_t bytes);

} // namespace partita

#endif // PARTITA_RUNTIME_DEVICE_CPU_MEMORY_H
