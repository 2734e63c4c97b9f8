//===- Passes.h - Import and export -----------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_PASSES_H
#define PARTITA_IR_IO_PASSES_H

#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "ir/io/check/Check.h"
#include "ir/io/chlo/Chlo.h"
#include "ir/io/sdy/Sdy.h"
#include "ir/io/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace partita {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "ir/io/Passes.h.inc"

} // namespace partita

#endif // PARTITA_IR_IO_PASSES_H
