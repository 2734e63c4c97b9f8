//===- Packing.h - Panels of the operands of products -----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_PACKING_H
#define PARTITA_CODEGEN_CPU_PACKING_H

#include "codegen/cpu/BodyEmitter.h"

namespace partita::cpu {

/// One operand of a product, seen as [batch][free][contract]. Each of the three
/// is a list of runs: neighbouring dimensions of the operand that can be walked
/// through as one.
class ProductSide {
public:
  ProductSide(mlir::Value operand, llvm::ArrayRef<int64_t> batch,
              llvm::ArrayRef<int64_t> contract);

  /// How many free positions a panel will hold; decides the following.
  void setPanelWidth(int64_t width);
  /// Free positions that a tile has one of, and those that it runs over.
  int64_t getOuterFree() const;
  int64_t getInnerFree() const;
  int64_t getContract() const;

  /// Sets the coordinates that stay the same for one tile.
  void enterTile(BodyEmitter &emitter, const Coord &batch,
                 const Coord &outerFree);
  /// The element at a inner free position and a position of the (whole)
  /// contraction, as f32 or f64.
  llvm::Value *read(BodyEmitter &emitter, const Coord &freeAt,
                    const Coord &contractAt);

  /// Has the processor fetch the memory that `read` will ask for.
  void prefetch(BodyEmitter &emitter, const Coord &freeAt,
                const Coord &contractAt);

  /// Whether elements that follow each other along the contraction are
  /// neighbours in memory.
  bool isContractContiguous() const { return contiguousContract; }

private:
  Index makeIndex(BodyEmitter &emitter, const Coord &freeAt,
                  const Coord &contractAt);

  mlir::Value operand;
  llvm::SmallVector<int64_t> shape; ///< Of runs, in the operand's order.
  /// For each role, where its runs stand in `shape`.
  llvm::SmallVector<size_t> order[3];
  llvm::SmallVector<int64_t> batch, free, contract; ///< Sizes of runs.
  bool contiguousContract = false;
  bool keepsRunsApart = false;
  llvm::SmallVector<Coord> batchAt, outerAt;
};

/// A block of one side packed into panels: panel p holds, for each of `depth`
/// steps of the contraction, `width` neighbouring free positions. Positions
/// beyond the operand's end repeat its last one.
struct PackedBlock {
  llvm::Value *pointer;
  int64_t width;       ///< Free positions in a panel.
  int64_t panelStride; ///< Elements from panel to panel.
};

/// Packs free positions [first, first + count) and steps [from, from + depth)
/// of the contraction.
void emitPack(BodyEmitter &emitter, ProductSide &side, const PackedBlock &block,
              const Coord &first, llvm::Value *count, const Coord &from,
              llvm::Value *depth, llvm::Type *element);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_PACKING_H
