//===- Coord.h - Where the lanes of a vector lie in a tensor ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_COORD_H
#define PARTITA_CODEGEN_CPU_COORD_H

#include "codegen/cpu/LoopBuilder.h"
#include "llvm/ADT/ArrayRef.h"

namespace partita::cpu {

/// A coordinate along one dimension, for all lanes of a vector: lane l is at
/// base + l * stride, or wherever `lanes` (a vector of i32) says.
struct Coord {
  llvm::Value *base = nullptr; ///< An i64; null with `lanes`.
  int64_t stride = 0;
  llvm::Value *lanes = nullptr;
  /// `base` is known to be a multiple of this; 0 when it is zero.
  int64_t multiple = 1;
  /// The depth of the innermost loop that it changes in.
  int depth = 0;

  bool isUniform() const { return !lanes && stride == 0; }
};

/// One coordinate a dimension of a tensor of the given shape. The shape may be
/// another factorisation of the row-major order than the tensor's own.
struct Index {
  llvm::SmallVector<Coord, 4> coords;
  llvm::SmallVector<int64_t, 4> shape;

  int getDepth() const;
  bool isUniform() const;
};

/// Arithmetic on coordinates. Results are computed as far outside of the loops
/// as their operands allow, and once.
class CoordBuilder : public LoopBuilder {
public:
  using LoopBuilder::LoopBuilder;

  /// Lanes of the vectors being computed; 1 for scalar code.
  int lanes = 1;

  Coord constant(int64_t value);
  /// The variable of the loop just entered, which runs over multiples of
  /// `multiple`; its lanes lie `stride` apart.
  Coord variable(llvm::Value *value, int64_t multiple, int64_t stride = 0);
  Coord add(const Coord &a, const Coord &b);
  Coord add(const Coord &a, int64_t b) { return add(a, constant(b)); }
  Coord multiply(const Coord &a, int64_t factor);
  /// Quotient and remainder by a positive number; `a` is not negative.
  std::pair<Coord, Coord> divide(const Coord &a, int64_t divisor);
  /// The nearest coordinate within [low, high].
  Coord clamp(const Coord &a, int64_t low, int64_t high);
  /// Whether a >= b, lane by lane (an i1, or a vector of i1).
  llvm::Value *isAtLeast(const Coord &a, int64_t b);
  llvm::Value *equals(const Coord &a, int64_t b);
  /// A coordinate from integers of any width.
  Coord fromValue(llvm::Value *value, bool isSigned, int depth);
  /// As a vector of i32, whatever its form.
  llvm::Value *toLanes(const Coord &a);
  /// As an integer of `type`, with a lane each unless uniform.
  llvm::Value *toValue(const Coord &a, llvm::Type *type);

  /// The position in row-major order.
  Coord linearize(const Index &index);
  /// The same elements under another shape.
  Index reindex(const Index &index, llvm::ArrayRef<int64_t> shape);

private:
  template <typename Emit>
  Coord memoize(const char *operation, const Coord &a, uintptr_t b,
                const Coord *second, Emit emit);
  llvm::Value *widen(llvm::Value *value, bool isSigned);
  void splitGroup(Coord linear, llvm::ArrayRef<int64_t> sizes,
                  llvm::SmallVectorImpl<Coord> &result);
};

/// Appends what identifies a coordinate to a key of LoopBuilder.
void appendKey(LoopBuilder::Key &key, const Coord &coord);
void appendKey(LoopBuilder::Key &key, const Index &index);

int64_t getNumElements(llvm::ArrayRef<int64_t> shape);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_COORD_H
