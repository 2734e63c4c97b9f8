//===- MicroKernel.cpp - The register tile of matrix products -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/MicroKernel.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace partita::cpu {
namespace {

/// How many steps of the contraction one turn of the loop takes.
constexpr int kUnroll = 4;

/// Builds one micro-kernel: accumulators stay in registers (as PHIs) over the
/// loop along the contraction.
class MicroKernelBuilder {
public:
  MicroKernelBuilder(Function *function, int mr, int nr, int lanes,
                     Type *element)
      : builder(BasicBlock::Create(function->getContext(), "entry", function)),
        function(function), mr(mr), vectors(nr / lanes), lanes(lanes),
        element(element), vectorType(FixedVectorType::get(element, lanes)) {}

  void build() {
    Value *k = function->getArg(3);
    SmallVector<Value *> zero(mr * vectors, Constant::getNullValue(vectorType));
    Value *main = builder.CreateAnd(k, builder.getInt64(-kUnroll));
    Pointers start = {function->getArg(0), function->getArg(1)};
    SmallVector<Value *> sums = emitLoop(main, kUnroll, start, zero);
    Value *rest = builder.CreateAnd(k, builder.getInt64(kUnroll - 1));
    sums = emitLoop(rest, 1, start, sums);
    store(sums);
    builder.CreateRetVoid();
  }

private:
  struct Pointers {
    Value *a, *b;
  };

  Value *advance(Value *pointer, int64_t elements) {
    return builder.CreateConstInBoundsGEP1_64(element, pointer, elements);
  }

  /// Adds `count` steps to `sums`, `unroll` in each turn; moves `at` on.
  SmallVector<Value *> emitLoop(Value *count, int unroll, Pointers &at,
                                ArrayRef<Value *> sums) {
    LLVMContext &context = function->getContext();
    BasicBlock *before = builder.GetInsertBlock();
    BasicBlock *body = BasicBlock::Create(context, "k", function);
    BasicBlock *exit = BasicBlock::Create(context, "done", function);
    builder.CreateCondBr(builder.CreateICmpNE(count, builder.getInt64(0)), body,
                         exit);
    builder.SetInsertPoint(body);
    PHINode *left = builder.CreatePHI(builder.getInt64Ty(), 2);
    PHINode *a = builder.CreatePHI(builder.getPtrTy(), 2);
    PHINode *b = builder.CreatePHI(builder.getPtrTy(), 2);
    SmallVector<PHINode *> phis;
    SmallVector<Value *> current;
    for (Value *sum : sums) {
      phis.push_back(builder.CreatePHI(vectorType, 2));
      phis.back()->addIncoming(sum, before);
      current.push_back(phis.back());
    }
    for (int step = 0; step < unroll; ++step)
      emitStep(advance(a, step * mr), advance(b, step * vectors * lanes),
               current);
    Value *nextLeft = builder.CreateSub(left, builder.getInt64(unroll));
    Value *nextA = advance(a, unroll * mr);
    Value *nextB = advance(b, unroll * vectors * lanes);
    for (auto [phi, value] : zip(phis, current))
      phi->addIncoming(value, body);
    left->addIncoming(count, before), left->addIncoming(nextLeft, body);
    a->addIncoming(at.a, before), a->addIncoming(nextA, body);
    b->addIncoming(at.b, before), b->addIncoming(nextB, body);
    builder.CreateCondBr(builder.CreateICmpNE(nextLeft, builder.getInt64(0)),
                         body, exit);
    builder.SetInsertPoint(exit);
    return merge(before, body, nextA, nextB, at, sums, current);
  }

  /// The values after a loop that may have been skipped.
  SmallVector<Value *> merge(BasicBlock *before, BasicBlock *body, Value *a,
                             Value *b, Pointers &at, ArrayRef<Value *> old,
                             ArrayRef<Value *> current) {
    auto select = [&](Value *skipped, Value *looped) -> Value * {
      PHINode *phi = builder.CreatePHI(looped->getType(), 2);
      phi->addIncoming(skipped, before);
      phi->addIncoming(looped, body);
      return phi;
    };
    at = {select(at.a, a), select(at.b, b)};
    SmallVector<Value *> result;
    for (auto [skipped, looped] : zip(old, current))
      result.push_back(select(skipped, looped));
    return result;
  }

  void emitStep(Value *a, Value *b, MutableArrayRef<Value *> sums) {
    unsigned bytes = element->getPrimitiveSizeInBits() / 8;
    SmallVector<Value *> right;
    for (int v = 0; v < vectors; ++v)
      right.push_back(builder.CreateAlignedLoad(
          vectorType, advance(b, v * lanes), Align(bytes * lanes)));
    for (int row = 0; row < mr; ++row) {
      Value *scalar =
          builder.CreateAlignedLoad(element, advance(a, row), Align(bytes));
      Value *left = builder.CreateVectorSplat(lanes, scalar);
      for (int v = 0; v < vectors; ++v) {
        Value *&sum = sums[row * vectors + v];
        sum = builder.CreateIntrinsic(Intrinsic::fmuladd, {vectorType},
                                      {left, right[v], sum});
      }
    }
  }

  void store(ArrayRef<Value *> sums) {
    LLVMContext &context = function->getContext();
    BasicBlock *add = BasicBlock::Create(context, "add", function);
    BasicBlock *set = BasicBlock::Create(context, "set", function);
    BasicBlock *exit = BasicBlock::Create(context, "exit", function);
    builder.CreateCondBr(function->getArg(5), add, set);
    for (BasicBlock *block : {add, set}) {
      builder.SetInsertPoint(block);
      Value *row = function->getArg(2);
      for (int m = 0; m < mr; ++m) {
        for (int v = 0; v < vectors; ++v) {
          Value *at = advance(row, v * lanes);
          Value *sum = sums[m * vectors + v];
          Align align(element->getPrimitiveSizeInBits() / 8);
          if (block == add)
            sum = builder.CreateFAdd(
                builder.CreateAlignedLoad(vectorType, at, align), sum);
          builder.CreateAlignedStore(sum, at, align);
        }
        row = builder.CreateInBoundsGEP(element, row, function->getArg(4));
      }
      builder.CreateBr(exit);
    }
    builder.SetInsertPoint(exit);
  }

  IRBuilder<> builder;
  Function *function;
  int mr, vectors, lanes;
  Type *element;
  FixedVectorType *vectorType;
};

} // namespace

/// "product_f32_6x16".
static std::string getName(const MicroKernel &kernel) {
  return (Twine("product_") + (kernel.isDouble ? "f64_" : "f32_") +
          Twine(kernel.mr) + "x" + Twine(kernel.nr))
      .str();
}

std::optional<MicroKernel> findMicroKernel(const Function &function) {
  StringRef name = function.getName();
  MicroKernel kernel = {};
  if (!name.consume_front("product_"))
    return std::nullopt;
  kernel.isDouble = name.consume_front("f64_");
  if (!kernel.isDouble && !name.consume_front("f32_"))
    return std::nullopt;
  auto [rows, columns] = name.split('x');
  if (rows.getAsInteger(10, kernel.mr) || columns.getAsInteger(10, kernel.nr))
    return std::nullopt;
  return kernel;
}

Function *declareMicroKernel(Module &module, const MicroKernel &kernel) {
  std::string name = getName(kernel);
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0),
       *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(
      Type::getVoidTy(context),
      {pointer, pointer, pointer, i64, i64, Type::getInt1Ty(context)}, false);
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->addFnAttr(Attribute::NoUnwind);
  for (int i = 0; i < 3; ++i)
    function->addParamAttr(i, Attribute::NoAlias);
  return function;
}

Function *defineMicroKernel(Module &module, const CpuTarget &target,
                            const MicroKernel &kernel) {
  Function *function = declareMicroKernel(module, kernel);
  LLVMContext &context = module.getContext();
  Type *element =
      kernel.isDouble ? Type::getDoubleTy(context) : Type::getFloatTy(context);
  int lanes = std::min(target.getLanes(kernel.isDouble ? 8 : 4), kernel.nr);
  MicroKernelBuilder(function, kernel.mr, kernel.nr, lanes, element).build();
  return function;
}

} // namespace partita::cpu
