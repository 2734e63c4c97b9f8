//===- Check.cpp - What StableHLO's test programs check with --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/check/Check.h"

using namespace mlir;

#include "ir/io/check/CheckDialect.cpp.inc"
#include "ir/io/check/InterpreterDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/io/check/CheckOps.cpp.inc"
#define GET_OP_CLASSES
#include "ir/io/check/InterpreterOps.cpp.inc"

namespace partita {

void check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/check/CheckOps.cpp.inc"
      >();
}

void interpreter::InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/check/InterpreterOps.cpp.inc"
      >();
}

LogicalResult interpreter::RunParallelOp::verify() {
  if (ArrayAttr infeed = getInfeedAttr();
      infeed && !llvm::all_of(infeed, llvm::IsaPred<FlatSymbolRefAttr>))
    return emitOpError() << "has infeed " << infeed
                         << ", expected a list of functions such as [@f, @g]";
  if (getPrograms().empty())
    return emitOpError() << "runs no programs";
  size_t numPartitions = 0;
  for (Attribute row : getPrograms()) {
    auto programs = dyn_cast<ArrayAttr>(row);
    if (!programs || !llvm::all_of(programs, llvm::IsaPred<FlatSymbolRefAttr>))
      return emitOpError() << "has programs " << getPrograms()
                           << ", expected a grid of functions such as "
                           << "[[@f], [@f]]";
    if (programs.empty() ||
        (numPartitions != 0 && programs.size() != numPartitions))
      return emitOpError() << "has rows of programs of different lengths";
    numPartitions = programs.size();
  }
  return success();
}

} // namespace partita
