//===- Pointwise.cpp - StableHLO: elementwise ops -------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Pointwise.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Pointwise.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addPointwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Pointwise.cpp.inc"
      >();
}

LogicalResult CompareOp::verify() {
  if (io::getExpressedType(getLhs().getType().getElementType()) !=
      io::getExpressedType(getRhs().getType().getElementType()))
    return emitOpError() << "compares " << getLhs().getType() << " with "
                         << getRhs().getType();
  return success();
}

LogicalResult SelectOp::verify() {
  if (!io::areTypesCompatible(getOnTrue().getType(), getOnFalse().getType()) ||
      !io::areTypesCompatible(getOnTrue().getType(), getResult().getType()))
    return emitOpError() << "chooses between " << getOnTrue().getType()
                         << " and " << getOnFalse().getType() << " for "
                         << getResult().getType();
  if (getPred().getType().getRank() == 0 ||
      io::areShapesCompatible(getPred().getType().getShape(),
                              getResult().getType().getShape()))
    return success();
  return emitOpError() << "has a predicate of type " << getPred().getType()
                       << ", expected a scalar or the shape of "
                       << getResult().getType();
}

LogicalResult ClampOp::verify() {
  if (!io::areTypesCompatible(getOperand().getType(), getResult().getType()))
    return emitOpError() << "has result type " << getResult().getType()
                         << " for operand type " << getOperand().getType();
  for (auto bound : {getMin(), getMax()})
    if (bound.getType().getRank() != 0 &&
        !io::areShapesCompatible(bound.getType().getShape(),
                                 getOperand().getType().getShape()))
      return emitOpError() << "has a bound of type " << bound.getType()
                           << ", expected a scalar or the shape of "
                           << getOperand().getType();
  return success();
}

} // namespace partita::stablehlo
