//===- Types.cpp - Element types in IR and outside --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Types.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <cstring>

using namespace mlir;

namespace partita {

static std::optional<DType> toIntegerDType(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return DType::Pred;
  case 2:
    return isUnsigned ? DType::U2 : DType::S2;
  case 4:
    return isUnsigned ? DType::U4 : DType::S4;
  case 8:
    return isUnsigned ? DType::U8 : DType::S8;
  case 16:
    return isUnsigned ? DType::U16 : DType::S16;
  case 32:
    return isUnsigned ? DType::U32 : DType::S32;
  case 64:
    return isUnsigned ? DType::U64 : DType::S64;
  default:
    return std::nullopt;
  }
}

std::optional<DType> toDType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return toIntegerDType(integer);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return DType::C64;
    if (complex.getElementType().isF64())
      return DType::C128;
    return std::nullopt;
  }
  for (int i = 0; i < kNumDTypes; ++i)
    if (isFloat(static_cast<DType>(i)) &&
        fromDType(type.getContext(), static_cast<DType>(i)) == type)
      return static_cast<DType>(i);
  return std::nullopt;
}

static Type fromFloatDType(MLIRContext *context, DType type) {
  switch (type) {
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::F8E4M3:
    return Float8E4M3Type::get(context);
  case DType::F8E3M4:
    return Float8E3M4Type::get(context);
  case DType::F8E4M3B11FNUZ:
    return Float8E4M3B11FNUZType::get(context);
  case DType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DType::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case DType::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case DType::F6E2M3FN:
    return Float6E2M3FNType::get(context);
  case DType::F6E3M2FN:
    return Float6E3M2FNType::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F16:
    return Float16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  default:
    return Float64Type::get(context);
  }
}

Type fromDType(MLIRContext *context, DType type) {
  if (isFloat(type))
    return fromFloatDType(context, type);
  if (isComplex(type))
    return ComplexType::get(
        fromFloatDType(context, type == DType::C64 ? DType::F32 : DType::F64));
  return IntegerType::get(context, getBitWidth(type),
                          isUnsignedInt(type) ? IntegerType::Unsigned
                                              : IntegerType::Signless);
}

int64_t getNumBytes(RankedTensorType type) {
  std::optional<DType> dtype = toDType(type.getElementType());
  return type.getNumElements() * (dtype ? getByteWidth(*dtype) : 8);
}

/// Writes the low bytes of an element's bits.
static void storeBits(std::byte *to, const APInt &bits, int64_t width) {
  uint64_t raw = bits.getZExtValue();
  std::memcpy(to, &raw, width);
}

HostTensor toHostTensor(ElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getType());
  DType dtype = *toDType(type.getElementType());
  HostTensor tensor(dtype,
                    Shape(type.getShape().begin(), type.getShape().end()));
  int64_t width = getByteWidth(dtype);
  std::byte *to = tensor.data();
  if (isComplex(dtype)) {
    for (const auto &element : value.getValues<std::complex<APFloat>>()) {
      storeBits(to, element.real().bitcastToAPInt(), width / 2);
      storeBits(to + width / 2, element.imag().bitcastToAPInt(), width / 2);
      to += width;
    }
  } else if (isFloat(dtype)) {
    for (const APFloat &element : value.getValues<APFloat>()) {
      storeBits(to, element.bitcastToAPInt(), width);
      to += width;
    }
  } else {
    for (const APInt &element : value.getValues<APInt>()) {
      storeBits(to, element, width);
      to += width;
    }
  }
  return tensor;
}

DenseElementsAttr fromHostTensor(RankedTensorType type,
                                 const HostTensor &tensor) {
  int64_t bits = getBitWidth(tensor.getDType());
  int64_t width = getByteWidth(tensor.getDType());
  if (bits % 8 == 0)
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef<char>(reinterpret_cast<const char *>(tensor.data()),
                             tensor.getNumBytes()));
  SmallVector<APInt> values;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    uint64_t raw = 0;
    std::memcpy(&raw, tensor.data() + i * width, width);
    values.push_back(APInt(bits, raw & ((1u << bits) - 1)));
  }
  if (!isFloat(tensor.getDType()))
    return DenseElementsAttr::get(type, values);
  auto floatType = cast<FloatType>(type.getElementType());
  SmallVector<APFloat> floats;
  for (const APInt &value : values)
    floats.emplace_back(floatType.getFloatSemantics(), value);
  return DenseElementsAttr::get(type, floats);
}

} // namespace partita
