//===- Check.h - What StableHLO's test programs check with ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_CHECK_CHECK_H
#define PARTITA_IR_IO_CHECK_CHECK_H

#include "ir/io/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/io/check/CheckDialect.h.inc"
#include "ir/io/check/InterpreterDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/io/check/CheckOps.h.inc"
#define GET_OP_CLASSES
#include "ir/io/check/InterpreterOps.h.inc"

#endif // PARTITA_IR_IO_CHECK_CHECK_H
