//===- Comm.h - The comm dialect --------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_COMM_COMM_H
#define PARTITA_IR_COMM_COMM_H

#include "ir/core/Core.h"

#include "ir/comm/CommDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/comm/CommOps.h.inc"

#endif // PARTITA_IR_COMM_COMM_H
