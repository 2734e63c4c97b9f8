//===- Distribution.cpp - StableHLO: collectives and hosts ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Distribution.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Distribution.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addDistributionOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Distribution.cpp.inc"
      >();
}

} // namespace partita::stablehlo
