//===- TestKernels.cpp - Kernels for tests ----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/runtime/TestKernels.h"

void testDouble(void *const *buffers, int64_t begin, int64_t end) {
  auto *in = static_cast<const float *>(buffers[0]);
  auto *out = static_cast<float *>(buffers[1]);
  for (int64_t i = 64 * begin; i < 64 * end; ++i)
    out[i] = 2 * in[i];
}

void testAdd(void *const *buffers, int64_t begin, int64_t end) {
  auto *a = static_cast<const float *>(buffers[0]);
  auto *b = static_cast<const float *>(buffers[1]);
  auto *out = static_cast<float *>(buffers[2]);
  for (int64_t i = 64 * begin; i < 64 * end; ++i)
    out[i] = a[i] + b[i];
}

void testIncrement(void *const *buffers, int64_t begin, int64_t end) {
  *static_cast<int32_t *>(buffers[1]) =
      *static_cast<const int32_t *>(buffers[0]) + 1;
}

void testLess(void *const *buffers, int64_t begin, int64_t end) {
  *static_cast<bool *>(buffers[2]) = *static_cast<const int32_t *>(buffers[0]) <
                                     *static_cast<const int32_t *>(buffers[1]);
}

void testTrue(void *const *buffers, int64_t begin, int64_t end) {
  *static_cast<bool *>(buffers[0]) = true;
}

void testNothing(void *const *buffers, int64_t begin, int64_t end) {}
