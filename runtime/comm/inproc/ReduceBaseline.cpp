//===- ReduceBaseline.cpp - Reductions for any machine ----------*- C++ -*-===//
// C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define PARTITA_ISA baseline
#include "runtime/comm/inproc/ReduceKernels.h"
