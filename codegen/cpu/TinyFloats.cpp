//===- TinyFloats.cpp - Floats of at most eight bits ----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both ways go through tables that are made from LLVM's own arithmetic: codes
// index the decoded values; encoding counts, by bisection, the thresholds that
// a magnitude reaches, in an internal function a lane.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/TinyFloats.h"

#include "codegen/cpu/ElementTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace partita::cpu {
namespace {

APFloat decode(const fltSemantics &semantics, unsigned code) {
  APFloat value(semantics, APInt(APFloat::getSizeInBits(semantics), code));
  bool loses;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  return value;
}

unsigned encode(const fltSemantics &semantics, uint32_t floatBits) {
  APFloat value(APFloat::IEEEsingle(), APInt(32, floatBits));
  bool loses;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
  return value.bitcastToAPInt().getZExtValue();
}

bool hasSign(const fltSemantics &semantics) {
  return APFloat::semanticsHasSignedRepr(semantics);
}

/// Bits of the magnitude.
unsigned getMagnitudeBits(const fltSemantics &semantics) {
  return APFloat::getSizeInBits(semantics) - (hasSign(semantics) ? 1 : 0);
}

GlobalVariable *getTable(Module &module, const Twine &name,
                         ArrayRef<uint32_t> values) {
  std::string key = name.str();
  if (GlobalVariable *known = module.getNamedGlobal(key))
    return known;
  Constant *data = ConstantDataArray::get(module.getContext(), values);
  return new GlobalVariable(module, data->getType(), true,
                            GlobalValue::PrivateLinkage, data, key);
}

constexpr uint32_t kInfinity = 0x7f800000;

/// The least magnitude (as bits) for which `reaches` holds, which then holds
/// above; infinity's bits + 1 when there is none.
uint32_t findThreshold(function_ref<bool(uint32_t)> reaches) {
  uint32_t low = 0, high = kInfinity + 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (middle > kInfinity || reaches(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

std::string getName(mlir::FloatType type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

/// The code of magnitude `bits` (an i32, not NaN): how many thresholds of the
/// table it reaches, found bit by bit.
Value *bisect(IRBuilder<> &ir, GlobalVariable *table, unsigned width,
              Value *bits) {
  Value *code = ir.getInt64(0);
  for (unsigned bit = width; bit-- > 0;) {
    Value *candidate = ir.CreateOr(code, ir.getInt64(uint64_t(1) << bit));
    Value *at = ir.CreateInBoundsGEP(ir.getInt32Ty(), table, candidate);
    Value *threshold = ir.CreateLoad(ir.getInt32Ty(), at);
    code = ir.CreateSelect(ir.CreateICmpUGE(bits, threshold), candidate, code);
  }
  return code;
}

/// `i8 encode(float)`, internal to the module.
Function *getEncoder(Module &module, mlir::FloatType type) {
  std::string name = "encode_" + getName(type);
  if (Function *known = module.getFunction(name))
    return known;
  const fltSemantics &semantics = type.getFloatSemantics();
  unsigned width = getMagnitudeBits(semantics);
  SmallVector<uint32_t> thresholds(size_t(1) << width);
  for (unsigned code = 1; code < thresholds.size(); ++code)
    thresholds[code] = findThreshold(
        [&](uint32_t bits) { return encode(semantics, bits) >= code; });
  uint32_t overflow = findThreshold([&](uint32_t bits) {
    return decode(semantics, encode(semantics, bits)).isNaN();
  });

  LLVMContext &context = module.getContext();
  auto *signature = FunctionType::get(Type::getInt8Ty(context),
                                      {Type::getFloatTy(context)}, false);
  auto *function =
      Function::Create(signature, GlobalValue::InternalLinkage, name, module);
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  GlobalVariable *table = getTable(module, name + "_thresholds", thresholds);
  Value *bits = ir.CreateBitCast(function->getArg(0), ir.getInt32Ty());
  Value *magnitude = ir.CreateAnd(bits, 0x7fffffff);
  Value *code = bisect(ir, table, width, magnitude);
  Value *isNegative = ir.CreateICmpSLT(bits, ir.getInt32(0));
  Value *nan = ir.getInt64(encode(semantics, 0x7fc00000));
  unsigned minusZero = encode(semantics, 0x80000000);
  if (hasSign(semantics)) {
    // Where minus zero has no code, a zero result loses its sign.
    Value *sign = ir.getInt64(uint64_t(1) << width);
    Value *negative = ir.CreateOr(code, sign);
    if (minusZero == 0)
      negative = ir.CreateSelect(ir.CreateICmpEQ(code, ir.getInt64(0)), code,
                                 negative);
    code = ir.CreateSelect(isNegative, negative, code);
  } else {
    code = ir.CreateSelect(isNegative,
                           ir.getInt64(encode(semantics, 0xbf800000)), code);
  }
  // Kinds without infinity overflow to NaN.
  Value *isNan = ir.CreateICmpUGE(magnitude, ir.getInt32(overflow));
  code = ir.CreateSelect(isNan, nan, code);
  ir.CreateRet(ir.CreateTrunc(code, ir.getInt8Ty()));
  return function;
}

} // namespace

Value *decodeTinyFloat(LoopBuilder &builder, mlir::FloatType type,
                       Value *codes) {
  IRBuilder<> &ir = builder.ir;
  const fltSemantics &semantics = type.getFloatSemantics();
  SmallVector<uint32_t> values(256);
  for (unsigned code = 0; code < 256; ++code) {
    unsigned masked = code & ((1u << APFloat::getSizeInBits(semantics)) - 1);
    values[code] = decode(semantics, masked).bitcastToAPInt().getZExtValue();
  }
  GlobalVariable *table =
      getTable(*builder.getModule(), "decode_" + getName(type), values);
  auto decodeOne = [&](Value *code) -> Value * {
    Value *index = ir.CreateZExt(code, ir.getInt64Ty());
    return ir.CreateLoad(ir.getFloatTy(),
                         builder.advance(ir.getFloatTy(), table, index));
  };
  if (!codes->getType()->isVectorTy())
    return decodeOne(codes);
  Value *result = PoisonValue::get(getTypeLike(ir.getFloatTy(), codes));
  for (int lane = 0; lane < getLanes(codes); ++lane)
    result = ir.CreateInsertElement(
        result, decodeOne(ir.CreateExtractElement(codes, lane)), lane);
  return result;
}

Value *encodeTinyFloat(LoopBuilder &builder, mlir::FloatType type,
                       Value *values) {
  IRBuilder<> &ir = builder.ir;
  Function *encoder = getEncoder(*builder.getModule(), type);
  if (!values->getType()->isVectorTy())
    return ir.CreateCall(encoder, {values});
  Value *result = PoisonValue::get(getTypeLike(ir.getInt8Ty(), values));
  for (int lane = 0; lane < getLanes(values); ++lane)
    result = ir.CreateInsertElement(
        result, ir.CreateCall(encoder, {ir.CreateExtractElement(values, lane)}),
        lane);
  return result;
}

} // namespace partita::cpu
