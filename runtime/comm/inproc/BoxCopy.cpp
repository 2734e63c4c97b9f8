//===- BoxCopy.cpp - Copying boxes between arrays ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/inproc/BoxCopy.h"

#include <algorithm>
#include <cstring>

namespace partita {
namespace {
/// Contiguous data is cut into rows of this, so that workers can share it.
constexpr int64_t kRowBytes = 16 << 10;
} // namespace

BoxCopy::BoxCopy(std::span<const int64_t> source,
                 std::span<const int64_t> sourceAt,
                 std::span<const int64_t> target,
                 std::span<const int64_t> targetAt,
                 std::span<const int64_t> box, int64_t elementBytes)
    : rowBytes(elementBytes) {
  std::vector<Loop> inward; // innermost first
  int64_t sourceStride = elementBytes, targetStride = elementBytes;
  for (size_t d = box.size(); d-- > 0;) {
    sourceOffset += sourceAt[d] * sourceStride;
    targetOffset += targetAt[d] * targetStride;
    if (box[d] == 0)
      numRows = 0;
    if (inward.empty() && sourceStride == rowBytes && targetStride == rowBytes)
      rowBytes *= box[d];
    else if (!inward.empty() &&
             inward.back().sourceStride * inward.back().count == sourceStride &&
             inward.back().targetStride * inward.back().count == targetStride)
      inward.back().count *= box[d];
    else if (box[d] != 1)
      inward.push_back({box[d], sourceStride, targetStride});
    sourceStride *= source[d];
    targetStride *= target[d];
  }
  if (numRows == 0)
    return;
  if (inward.empty()) {
    numRows = (rowBytes + kRowBytes - 1) / kRowBytes;
    return;
  }
  loops.assign(inward.rbegin(), inward.rend());
  for (const Loop &loop : loops)
    numRows *= loop.count;
}

void BoxCopy::run(const std::byte *source, std::byte *target, int64_t begin,
                  int64_t end) const {
  source += sourceOffset;
  target += targetOffset;
  if (begin >= end)
    return;
  if (loops.empty()) {
    int64_t from = begin * kRowBytes, to = std::min(end * kRowBytes, rowBytes);
    std::memcpy(target + from, source + from, static_cast<size_t>(to - from));
    return;
  }
  std::vector<int64_t> index(loops.size());
  int64_t rest = begin;
  for (size_t d = loops.size(); d-- > 0;) {
    index[d] = rest % loops[d].count;
    rest /= loops[d].count;
    source += index[d] * loops[d].sourceStride;
    target += index[d] * loops[d].targetStride;
  }
  for (int64_t row = begin; row < end; ++row) {
    std::memcpy(target, source, static_cast<size_t>(rowBytes));
    for (size_t d = loops.size(); d-- > 0;) {
      source += loops[d].sourceStride;
      target += loops[d].targetStride;
      if (++index[d] < loops[d].count)
        break;
      source -= loops[d].sourceStride * loops[d].count;
      target -= loops[d].targetStride * loops[d].count;
      index[d] = 0;
    }
  }
}

} // namespace partita
