//===- PointwiseOps.cpp - Ops on corresponding elements ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"
#include "ir/core/Types.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;

Type core::getRealType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

Type core::mapElementType(Type tensor, llvm::function_ref<Type(Type)> map) {
  auto ranked = dyn_cast<RankedTensorType>(tensor);
  return ranked ? ranked.clone(map(ranked.getElementType())) : tensor;
}

LogicalResult ReducePrecisionOp::verify() {
  int64_t exponentBits = static_cast<int64_t>(getExponentBits());
  int64_t mantissaBits = static_cast<int64_t>(getMantissaBits());
  if (exponentBits < 1 || mantissaBits < 0)
    return emitOpError() << "needs at least 1 exponent bit and 0 mantissa "
                            "bits, not "
                         << exponentBits << " and " << mantissaBits;
  return success();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : Value();
}

LogicalResult BitcastOp::verify() {
  std::optional<DType> from = toDType(getOperand().getType().getElementType());
  std::optional<DType> to = toDType(getType().getElementType());
  if (!from || !to || getBitWidth(*from) != getBitWidth(*to))
    return emitOpError() << "from " << getOperand().getType() << " to "
                         << getType()
                         << " changes the width of elements; use 'core.repack'";
  return success();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : Value();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getPred());
  if (!splat)
    return {};
  return splat.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
}
