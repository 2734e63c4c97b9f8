//===- Interfaces.cpp - What every core op can be asked ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/interfaces/Interfaces.h"

#include "ir/interfaces/Interfaces.cpp.inc"
