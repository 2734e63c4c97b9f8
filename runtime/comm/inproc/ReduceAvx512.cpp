//===- ReduceAvx512.cpp - Reductions for AVX-512 ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define PARTITA_ISA avx512
#include "runtime/comm/inproc/ReduceKernels.h"
