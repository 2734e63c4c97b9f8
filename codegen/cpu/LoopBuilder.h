//===- LoopBuilder.h - Loop nests in LLVM IR --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_LOOPBUILDER_H
#define PARTITA_CODEGEN_CPU_LOOPBUILDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <vector>

namespace partita::cpu {

/// An element, or a vector of elements of neighbouring lanes: `im` is null
/// unless the type is complex. A scalar stands for the same value in all lanes.
struct Elem {
  llvm::Value *re = nullptr;
  llvm::Value *im = nullptr;
  explicit operator bool() const { return re != nullptr; }
};

/// Builds loop nests in one function. Code can be placed in front of a loop
/// that is being built, and what has been computed at each depth is
/// remembered, so that no value is computed twice along one path.
class LoopBuilder {
public:
  explicit LoopBuilder(llvm::Function *function);

  llvm::IRBuilder<> ir;

  llvm::Function *getFunction() const { return function; }
  llvm::Module *getModule() const { return function->getParent(); }
  llvm::Value *getInt(int64_t value) { return ir.getInt64(value); }

  /// Memory of `count` elements on the stack, 64-byte aligned; not initialised.
  llvm::Value *allocate(llvm::Type *type, int64_t count,
                        const llvm::Twine &name);
  /// The address of element `index` (an i64).
  llvm::Value *advance(llvm::Type *type, llvm::Value *pointer,
                       llvm::Value *index);

  /// for (i = low; i < high; i += step) body(i). A loop that is known to turn
  /// once is no loop.
  void loop(llvm::Value *low, llvm::Value *high, int64_t step,
            llvm::function_ref<void(llvm::Value *)> body);
  void loop(int64_t low, int64_t high, int64_t step,
            llvm::function_ref<void(llvm::Value *)> body) {
    loop(getInt(low), getInt(high), step, body);
  }
  /// if (condition) then() else otherwise(); what is computed inside is
  /// forgotten afterwards.
  void branch(llvm::Value *condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);

  /// Loops around the insertion point.
  int getDepth() const { return static_cast<int>(scopes.size()) - 1; }
  /// Runs `emit` in front of the loop that leads from `depth` to the next one
  /// inside; at the insertion point when `depth` is the present one.
  void emitAtDepth(int depth, llvm::function_ref<void()> emit);

  using Key = std::vector<uintptr_t>;
  /// What was remembered under `key` here or in a loop around; null if nothing.
  Elem lookup(const Key &key) const;
  void remember(const Key &key, Elem value) {
    scopes.back().known[key] = value;
  }

private:
  struct Scope {
    /// The branch in front of the loop; null for the function itself.
    llvm::Instruction *entry = nullptr;
    std::map<Key, Elem> known;
  };

  /// Ends the current block for a change of control flow; the block in which
  /// code goes on afterwards.
  llvm::BasicBlock *splitHere();

  llvm::Function *function;
  llvm::SmallVector<Scope, 8> scopes;
};

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_LOOPBUILDER_H
