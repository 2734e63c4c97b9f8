//===- ReduceAvx2.cpp - Reductions for AVX2 ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define PARTITA_ISA avx2
#include "runtime/comm/inproc/ReduceKernels.h"
