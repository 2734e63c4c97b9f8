//===- Ops.h - StableHLO's ops ----------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All op classes. A file that needs one group only includes OpsPrelude.h and
// that group's .h.inc.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_OPS_H
#define PARTITA_IR_IO_STABLEHLO_OPS_H

#include "ir/io/stablehlo/OpsPrelude.h"

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Control.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Distribution.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Indexing.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Linalg.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Pointwise.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Reduction.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Shape.h.inc"

#endif // PARTITA_IR_IO_STABLEHLO_OPS_H
