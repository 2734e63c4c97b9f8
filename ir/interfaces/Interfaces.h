//===- Interfaces.h - What every core op can be asked -----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_INTERFACES_INTERFACES_H
#define PARTITA_IR_INTERFACES_INTERFACES_H

#include "ir/interfaces/IndexRule.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "support/HostTensor.h"

#include "ir/interfaces/Interfaces.h.inc"

#endif // PARTITA_IR_INTERFACES_INTERFACES_H
