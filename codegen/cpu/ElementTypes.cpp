//===- ElementTypes.cpp - Elements in memory and in registers -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/ElementTypes.h"

#include "codegen/cpu/TinyFloats.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace partita::cpu {

static mlir::Type getPart(mlir::Type type) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    return complex.getElementType();
  return type;
}

bool isNarrowFloat(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

static bool isTinyFloat(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

Type *getRegisterType(LLVMContext &context, mlir::Type type) {
  type = getPart(type);
  if (type.isF64())
    return Type::getDoubleTy(context);
  if (mlir::isa<mlir::FloatType>(type))
    return Type::getFloatTy(context);
  if (mlir::isa<mlir::IndexType>(type))
    return Type::getInt64Ty(context);
  return Type::getIntNTy(context, type.getIntOrFloatBitWidth());
}

Type *getMemoryType(LLVMContext &context, mlir::Type type) {
  type = getPart(type);
  if (type.isF16())
    return Type::getHalfTy(context);
  if (type.isF32() || type.isF64())
    return getRegisterType(context, type);
  unsigned bits =
      mlir::isa<mlir::IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  return Type::getIntNTy(context, alignTo(bits, 8));
}

int64_t getElementBytes(mlir::Type type) {
  mlir::Type part = getPart(type);
  unsigned bits =
      mlir::isa<mlir::IndexType>(part) ? 64 : part.getIntOrFloatBitWidth();
  return static_cast<int64_t>(alignTo(bits, 8) / 8) * (part == type ? 1 : 2);
}

int getLanes(Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  return vector ? static_cast<int>(vector->getNumElements()) : 1;
}

Type *getTypeLike(Type *type, Value *like) {
  int lanes = getLanes(like);
  return lanes == 1 && !like->getType()->isVectorTy()
             ? type
             : FixedVectorType::get(type, lanes);
}

Value *splat(LoopBuilder &builder, int lanes, Value *value) {
  if (lanes == 1 || value->getType()->isVectorTy())
    return value;
  return builder.ir.CreateVectorSplat(lanes, value);
}

static Constant *getLike(Value *like, uint64_t bits) {
  return ConstantInt::get(like->getType(), bits);
}

/// The bits of bf16, in the upper half of an i32; NaN stays NaN.
static Value *roundToBf16Bits(LoopBuilder &builder, Value *value) {
  IRBuilder<> &ir = builder.ir;
  Value *bits = ir.CreateBitCast(value, getTypeLike(ir.getInt32Ty(), value));
  Value *odd =
      ir.CreateAnd(ir.CreateLShr(bits, getLike(bits, 16)), getLike(bits, 1));
  Value *rounded = ir.CreateAdd(ir.CreateAdd(bits, getLike(bits, 0x7fff)), odd);
  Value *quiet = ir.CreateOr(bits, getLike(bits, 0x400000));
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value), quiet, rounded);
}

Value *roundTo(LoopBuilder &builder, mlir::Type type, Value *value) {
  IRBuilder<> &ir = builder.ir;
  if (!isNarrowFloat(type))
    return value;
  if (type.isBF16()) {
    Value *bits = roundToBf16Bits(builder, value);
    bits = ir.CreateAnd(bits, getLike(bits, 0xffff0000));
    return ir.CreateBitCast(bits, value->getType());
  }
  if (type.isF16()) {
    Value *half = ir.CreateFPTrunc(value, getTypeLike(ir.getHalfTy(), value));
    return ir.CreateFPExt(half, value->getType());
  }
  return fromMemory(builder, type, toMemory(builder, type, value));
}

Value *fromMemory(LoopBuilder &builder, mlir::Type type, Value *value) {
  IRBuilder<> &ir = builder.ir;
  type = getPart(type);
  Type *result = getTypeLike(getRegisterType(ir.getContext(), type), value);
  if (type.isBF16()) {
    Value *wide = ir.CreateZExt(value, getTypeLike(ir.getInt32Ty(), value));
    return ir.CreateBitCast(ir.CreateShl(wide, getLike(wide, 16)), result);
  }
  if (type.isF16())
    return ir.CreateFPExt(value, result);
  if (isTinyFloat(type))
    return decodeTinyFloat(builder, mlir::cast<mlir::FloatType>(type), value);
  if (type.isInteger(1))
    return ir.CreateICmpNE(value, getLike(value, 0));
  if (value->getType() != result)
    return ir.CreateTrunc(value, result);
  return value;
}

Value *toMemory(LoopBuilder &builder, mlir::Type type, Value *value) {
  IRBuilder<> &ir = builder.ir;
  type = getPart(type);
  Type *result = getTypeLike(getMemoryType(ir.getContext(), type), value);
  if (type.isBF16()) {
    Value *bits = roundToBf16Bits(builder, value);
    return ir.CreateTrunc(ir.CreateLShr(bits, getLike(bits, 16)), result);
  }
  if (type.isF16())
    return ir.CreateFPTrunc(value, result);
  if (isTinyFloat(type))
    return encodeTinyFloat(builder, mlir::cast<mlir::FloatType>(type), value);
  if (value->getType() != result)
    return ir.CreateZExt(value, result);
  return value;
}

static Constant *getPartConstant(LLVMContext &context, mlir::Attribute value) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(value))
    return ConstantInt::get(context, integer.getValue());
  if (auto boolean = mlir::dyn_cast<mlir::BoolAttr>(value))
    return ConstantInt::get(Type::getInt1Ty(context), boolean.getValue());
  auto floating = mlir::cast<mlir::FloatAttr>(value);
  APFloat number = floating.getValue();
  bool loses = false;
  if (!floating.getType().isF64())
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  return ConstantFP::get(context, number);
}

Elem getConstant(LLVMContext &context, mlir::Type type, mlir::Attribute value) {
  if (auto parts = mlir::dyn_cast<mlir::ArrayAttr>(value))
    return {getPartConstant(context, parts[0]),
            getPartConstant(context, parts[1])};
  return {getPartConstant(context, value), nullptr};
}

} // namespace partita::cpu
