//===- Chlo.h - CHLO's dialect and ops --------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_CHLO_CHLO_H
#define PARTITA_IR_IO_CHLO_CHLO_H

#include "ir/io/Assembly.h"
#include "ir/io/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/io/chlo/ChloDialect.h.inc"
#include "ir/io/chlo/ChloEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/io/chlo/ChloAttrs.h.inc"

#define GET_OP_CLASSES
#include "ir/io/chlo/ChloOps.h.inc"

#endif // PARTITA_IR_IO_CHLO_CHLO_H
