//===- LoopBuilder.cpp - Loop nests in LLVM IR ----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/LoopBuilder.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace partita::cpu {

LoopBuilder::LoopBuilder(Function *function)
    : ir(BasicBlock::Create(function->getContext(), "entry", function)),
      function(function) {
  scopes.emplace_back();
}

Value *LoopBuilder::allocate(Type *type, int64_t count, const Twine &name) {
  BasicBlock &entry = function->getEntryBlock();
  IRBuilder<> first(&entry, entry.begin());
  AllocaInst *memory =
      first.CreateAlloca(ArrayType::get(type, count), nullptr, name);
  memory->setAlignment(Align(64));
  return memory;
}

Value *LoopBuilder::advance(Type *type, Value *pointer, Value *index) {
  return ir.CreateInBoundsGEP(type, pointer, index);
}

BasicBlock *LoopBuilder::splitHere() {
  BasicBlock *block = ir.GetInsertBlock();
  if (ir.GetInsertPoint() == block->end())
    return BasicBlock::Create(ir.getContext(), "next", function);
  BasicBlock *rest = block->splitBasicBlock(ir.GetInsertPoint(), "next");
  block->getTerminator()->eraseFromParent();
  ir.SetInsertPoint(block);
  return rest;
}

void LoopBuilder::loop(Value *low, Value *high, int64_t step,
                       function_ref<void(Value *)> body) {
  auto *first = dyn_cast<ConstantInt>(low), *last = dyn_cast<ConstantInt>(high);
  bool isKnown = first && last;
  int64_t distance = isKnown ? last->getSExtValue() - first->getSExtValue() : 0;
  if (isKnown && distance <= 0)
    return;
  if (isKnown && distance <= step)
    return body(low);

  BasicBlock *after = splitHere();
  BasicBlock *before = BasicBlock::Create(ir.getContext(), "enter", function);
  BasicBlock *inside = BasicBlock::Create(ir.getContext(), "loop", function);
  // Code for outer depths goes in front of the test, so that it is there for
  // what follows the loop too.
  Instruction *entry =
      isKnown ? static_cast<Instruction *>(ir.CreateBr(before))
              : ir.CreateCondBr(ir.CreateICmpSLT(low, high), before, after);
  ir.SetInsertPoint(before);
  ir.CreateBr(inside);
  ir.SetInsertPoint(inside);
  PHINode *index = ir.CreatePHI(ir.getInt64Ty(), 2);
  scopes.emplace_back();
  scopes.back().entry = entry;
  body(index);
  scopes.pop_back();
  Value *next = ir.CreateNSWAdd(index, getInt(step));
  index->addIncoming(low, before);
  index->addIncoming(next, ir.GetInsertBlock());
  ir.CreateCondBr(ir.CreateICmpSLT(next, high), inside, after);
  ir.SetInsertPoint(after, after->begin());
}

void LoopBuilder::branch(Value *condition, function_ref<void()> then,
                         function_ref<void()> otherwise) {
  BasicBlock *after = splitHere();
  BasicBlock *yes = BasicBlock::Create(ir.getContext(), "then", function);
  BasicBlock *no =
      otherwise ? BasicBlock::Create(ir.getContext(), "else", function) : after;
  ir.CreateCondBr(condition, yes, no);
  for (BasicBlock *block : {yes, no}) {
    if (block == after)
      continue;
    ir.SetInsertPoint(block);
    std::map<Key, Elem> known = scopes.back().known;
    block == yes ? then() : otherwise();
    scopes.back().known = std::move(known);
    ir.CreateBr(after);
  }
  ir.SetInsertPoint(after, after->begin());
}

void LoopBuilder::emitAtDepth(int depth, function_ref<void()> emit) {
  if (depth >= getDepth())
    return emit();
  IRBuilder<>::InsertPointGuard guard(ir);
  SmallVector<Scope, 8> inner(
      std::make_move_iterator(scopes.begin() + depth + 1),
      std::make_move_iterator(scopes.end()));
  scopes.truncate(depth + 1);
  ir.SetInsertPoint(inner.front().entry);
  emit();
  for (Scope &scope : inner)
    scopes.push_back(std::move(scope));
}

Elem LoopBuilder::lookup(const Key &key) const {
  for (const Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.known.find(key);
    if (found != scope.known.end())
      return found->second;
  }
  return {};
}

} // namespace partita::cpu
