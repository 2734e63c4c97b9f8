//===- BoxCopy.h - Copying boxes between arrays -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_COMM_INPROC_BOXCOPY_H
#define PARTITA_RUNTIME_COMM_INPROC_BOXCOPY_H

#include "support/HostTensor.h"

namespace partita {

/// A copy of a box of one row-major array to a box of another, reduced to as
/// few loops over contiguous rows as there can be.
class BoxCopy {
public:
  /// Copies `box` elements of `elementBytes` from index `sourceAt` of an array
  /// of shape `source` to index `targetAt` of one of shape `target`. The four
  /// have the box's rank, and both boxes lie within their arrays.
  BoxCopy(std::span<const int64_t> source, std::span<const int64_t> sourceAt,
          std::span<const int64_t> target, std::span<const int64_t> targetAt,
          std::span<const int64_t> box, int64_t elementBytes);

  int64_t getNumBytes() const {
    return loops.empty() ? rowBytes : numRows * rowBytes;
  }
  /// The unit in which a copy can be cut.
  int64_t getNumRows() const { return numRows; }
  /// Copies rows [begin, end).
  void run(const std::byte *source, std::byte *target, int64_t begin,
           int64_t end) const;
  void run(const std::byte *source, std::byte *target) const {
    run(source, target, 0, numRows);
  }

private:
  struct Loop {
    int64_t count, sourceStride, targetStride; // strides in bytes
  };
  std::vector<Loop> loops; // outermost first
  int64_t sourceOffset = 0, targetOffset = 0;
  int64_t rowBytes = 0; // without loops: all bytes, cut into rows at will
  int64_t numRows = 1;
};

} // namespace partita

#endif // PARTITA_RUNTIME_COMM_INPROC_BOXCOPY_H
