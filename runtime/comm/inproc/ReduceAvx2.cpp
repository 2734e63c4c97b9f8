//===- ReduceAvx2.cpp - Reductions for AVX2 ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/inproc/ReduceKernels.h"

namespace partita::avx2 {

ReduceFn getReduceFn(ReductionKind kind, DType type) {
  return chooseReduceFn(kind, type);
}

} // namespace partita::avx2
