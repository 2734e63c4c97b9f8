//===- ReduceAvx512.cpp - Reductions for AVX-512 ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/inproc/ReduceKernels.h"

namespace partita::avx512 {

ReduceFn getReduceFn(ReductionKind kind, DType type) {
  return chooseReduceFn(kind, type);
}

} // namespace partita::avx512
