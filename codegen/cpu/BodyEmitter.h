//===- BodyEmitter.h - Elements of a kernel's values ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the computation of single elements (or vectors of neighbouring ones) of
// any value in a kernel's body, by asking in turn for elements of its operands.
// Nothing is stored in between, unless a schedule says so: what a schedule has
// put in memory is made known with `setView`.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_CPU_BODYEMITTER_H
#define PARTITA_CODEGEN_CPU_BODYEMITTER_H

#include "codegen/cpu/Coord.h"
#include "codegen/cpu/CpuTarget.h"
#include "ir/plan/Plan.h"
#include "mesh/Mesh.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace partita::cpu {

/// Where a value, or the part of it that will be asked for, lies in memory.
struct View {
  llvm::Value *pointer = nullptr;
  /// A factorisation of the value's row-major order; element (i, j, …) lies at
  /// (i - origin[0]) * strides[0] + … elements from the pointer. Along
  /// dimensions of stride 0 only the origin is there.
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<int64_t, 4> strides;
  llvm::SmallVector<Coord, 4> origin;
  /// Elements are as in registers (f32 for narrow floats), and not yet rounded
  /// to the value's type.
  bool isRaw = false;
};

llvm::ArrayRef<int64_t> getShape(mlir::Value value);
mlir::Type getElementType(mlir::Value value);

class BodyEmitter : public CoordBuilder {
public:
  /// `function` takes one pointer for each argument and result of `kernel`, in
  /// this order.
  BodyEmitter(llvm::Function *function, const CpuTarget &target,
              plan::KernelOp kernel);

  const CpuTarget &target;
  plan::KernelOp kernel;

  /// The element of `value` at `index`, whose shape may be any factorisation
  /// of the value's. Scalar if the index is uniform.
  Elem read(mlir::Value value, const Index &index);
  /// Has the processor fetch the vectors of memory that `read` would load.
  void prefetch(mlir::Value value, const Index &index);
  /// Writes elements of result `number` of the kernel.
  void write(unsigned number, const Index &index, Elem value);

  void setView(mlir::Value value, View view) { views[value] = std::move(view); }
  void removeView(mlir::Value value) { views.erase(value); }
  bool hasView(mlir::Value value) const { return views.count(value) != 0; }
  /// From now on a reduction of `value` along its last dimensions leaves the
  /// elements it has read in a buffer on the stack, for later readers.
  void keepRows(mlir::Value value) { kept.insert(value); }
  /// Forgets these buffers, at the end of a row.
  void dropRows();

  llvm::Value *getResultPointer(unsigned number) {
    return getFunction()->getArg(kernel.getNumArguments() + number);
  }

  /// Elements in memory, at a linear position.
  Elem load(mlir::Type type, llvm::Value *pointer, const Coord &position);
  void store(mlir::Type type, llvm::Value *pointer, const Coord &position,
             Elem value);
  llvm::Value *loadPart(llvm::Type *type, llvm::Value *pointer,
                        const Coord &position);
  void storePart(llvm::Value *pointer, const Coord &position,
                 llvm::Value *value);

  /// `value` in every lane.
  Elem spread(Elem value);
  /// All lanes of `value` combined into a scalar.
  Elem combineLanes(ReductionKind kind, mlir::Type type, Elem value);
  /// Runs `body` for [low, high) of a dimension: in steps of `width` lanes,
  /// then, with `hasRest`, one by one. `low` is a multiple of `multiple`.
  void laneLoop(llvm::Value *low, llvm::Value *high, int64_t width,
                int64_t multiple, bool hasRest,
                llvm::function_ref<void(const Coord &)> body);

  /// The first op that could not be emitted; null if all is well.
  mlir::Operation *getFailure() const { return failure; }

private:
  Elem compute(mlir::Value value, const Index &index);
  bool holds(const View &view, const Index &index);
  Elem readView(mlir::Value value, const View &view, const Index &index);
  Elem readConstant(mlir::Operation *op, const Index &index);
  Elem computeOp(mlir::Operation *op, const Index &index);
  Elem fail(mlir::Operation *op, const Index &index);

  // Ops that move elements (ShapeOps.cpp); the index has the result's shape.
  Elem readBroadcast(mlir::Operation *op, const Index &index);
  Elem readTranspose(mlir::Operation *op, const Index &index);
  Elem readSlice(mlir::Operation *op, const Index &index);
  Elem readPad(mlir::Operation *op, const Index &index);
  Elem readConcatenate(mlir::Operation *op, const Index &index);
  Elem readReverse(mlir::Operation *op, const Index &index);
  Elem readRepack(mlir::Operation *op, const Index &index);
  Elem readIota(mlir::Operation *op, const Index &index);
  Elem readDynamicSlice(mlir::Operation *op, const Index &index);
  Elem readDynamicUpdateSlice(mlir::Operation *op, const Index &index);
  Elem readGather(mlir::Operation *op, const Index &index);
  Elem select(llvm::Value *condition, Elem yes, Elem no);

  // Reductions (Reductions.cpp).
  struct Reduction;
  Reduction groupDims(mlir::Operation *op, const Index &index, Index &inner);
  Elem finishReduce(Reduction &reduction, bool isLanewise);
  Elem readReduce(mlir::Operation *op, const Index &index);
  void emitReduceLoops(Reduction &reduction, size_t group, Index &index);
  void accumulate(Reduction &reduction, const Index &index);
  Elem readDot(mlir::Operation *op, const Index &index);

  llvm::DenseMap<mlir::Value, View> views;
  llvm::DenseSet<mlir::Value> kept;
  bool isPrefetching = false;
  mlir::Operation *failure = nullptr;
};

/// The dimension of `value` along which its elements lie next to each other in
/// memory, as far as that can be told; -1 when it has none longer than 1.
int getLaneDim(mlir::Value value);

} // namespace partita::cpu

#endif // PARTITA_CODEGEN_CPU_BODYEMITTER_H
