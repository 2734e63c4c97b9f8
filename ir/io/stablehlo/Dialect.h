//===- Dialect.h - StableHLO: dialect, types, attributes --------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_DIALECT_H
#define PARTITA_IR_IO_STABLEHLO_DIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"

#include "ir/io/stablehlo/Dialect.h.inc"
#include "ir/io/stablehlo/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/io/stablehlo/Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/io/stablehlo/Attrs.h.inc"

#endif // PARTITA_IR_IO_STABLEHLO_DIALECT_H
