//===- OpsPrelude.h - What generated StableHLO op classes need ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_OPSPRELUDE_H
#define PARTITA_IR_IO_STABLEHLO_OPSPRELUDE_H

#include "ir/io/Types.h"
#include "ir/io/stablehlo/Assembly.h"
#include "ir/io/stablehlo/Dialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#endif // PARTITA_IR_IO_STABLEHLO_OPSPRELUDE_H
