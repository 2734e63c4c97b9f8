//===- TestKernels.h - Kernels for tests ------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that a test links, or loads from a shared object.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TESTS_UNIT_RUNTIME_TESTKERNELS_H
#define PARTITA_TESTS_UNIT_RUNTIME_TESTKERNELS_H

#include <cstdint>

extern "C" {
/// f32[64] per tile: out = 2 * in.
void testDouble(void *const *buffers, int64_t begin, int64_t end);
/// f32[64] per tile: out = a + b.
void testAdd(void *const *buffers, int64_t begin, int64_t end);
/// i32: out = in + 1.
void testIncrement(void *const *buffers, int64_t begin, int64_t end);
/// i32, i32 -> i1: out = a < b.
void testLess(void *const *buffers, int64_t begin, int64_t end);
/// i1: out = true.
void testTrue(void *const *buffers, int64_t begin, int64_t end);
/// Nothing at all.
void testNothing(void *const *buffers, int64_t begin, int64_t end);
}

#endif // PARTITA_TESTS_UNIT_RUNTIME_TESTKERNELS_H
