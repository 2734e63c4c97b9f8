//===- Sharing.h - Which values share memory --------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values become *storages*: groups of values that lie in the same memory. First
// come values that are the same data (what a loop hands through, barriers,
// reshapes); then storages whose lifetimes do not meet, or meet only where an
// op may overwrite its operand, are joined wherever that saves memory or a
// copy.
//
// Program points: every op of @main has a number, in program order with the ops
// of regions behind the op that holds them; a terminator's number is the end of
// its region. A value lives from the op that makes it to the last op that reads
// it; one that is read in a loop from outside lives to the end of the loop.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_MEMORY_SHARING_H
#define PARTITA_PASSES_MEMORY_SHARING_H

#include "ir/plan/Plan.h"
#include "passes/memory/ArenaLayout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace partita {

/// Memory that one or more values lie in.
struct Storage {
  enum class Kind { Temporary, Constant, Argument, Result };
  Kind kind = Kind::Temporary;
  /// Of the argument or result of @main whose memory this is.
  int64_t number = -1;
  int64_t bytes = 0;
  /// Whether other values than the argument may be put there.
  bool isWritable = true;
  /// When something in it lives; apart from one another.
  llvm::SmallVector<LiveRange, 2> ranges;
};

class Sharing {
public:
  /// Fails after reporting an op that has no place in a plan.
  llvm::LogicalResult run(mlir::func::FuncOp theMain);

  /// Ids of storages, as positions in `getStorages()`.
  int64_t getStorageId(mlir::Value value) const { return idOf(value); }
  int64_t getResultStorageId(unsigned result) const {
    return find(resultData[result]);
  }
  /// The storage where operand `operand` of a loop body's terminator must be
  /// set aside before the other copies there; -1 for none.
  int64_t getStagingId(mlir::Operation *terminator, unsigned operand) const;

  /// By id; those that were joined to another have no ranges.
  std::vector<Storage> getStorages() const;

private:
  /// Values that are the same data.
  struct Datum {
    llvm::SmallVector<LiveRange, 2> ranges;
    int64_t storage = 0; ///< Itself, or what it was joined to.
  };

  void number(mlir::Block &block);
  int64_t getEnd(mlir::Operation *op, unsigned region) const;
  /// The last point at which the value must be there.
  int64_t getLastUse(mlir::Value value) const;
  int64_t getLastUse(mlir::ValueRange values, int64_t least) const;

  llvm::LogicalResult addBlock(mlir::Block &block);
  llvm::LogicalResult addOp(mlir::Operation &op);
  void addArguments();
  void addResults(mlir::Operation &op);
  void addLaunch(plan::LaunchOp launch);
  void addConstant(mlir::Operation &op);
  llvm::LogicalResult addWhile(mlir::Operation &op);
  llvm::LogicalResult addIf(mlir::Operation &op);
  int64_t addDatum(int64_t bytes, llvm::ArrayRef<LiveRange> ranges,
                   Storage::Kind kind = Storage::Kind::Temporary,
                   int64_t number = -1);
  /// The alias, made at a point, is the value's data: its uses count as the
  /// value's.
  void addAlias(mlir::Value alias, mlir::Value value, int64_t point);
  void allowInPlace(mlir::ValueRange operands, unsigned operand,
                    mlir::Value result, int64_t point);

  void joinResults();
  void joinLoop(mlir::Operation &op);
  void joinOps();
  bool join(int64_t a, int64_t b);
  bool mayJoin(int64_t a, int64_t b) const;
  bool mayMeet(int64_t a, int64_t b) const;

  int64_t find(int64_t datum) const {
    while (data[datum].storage != datum)
      datum = data[datum].storage;
    return datum;
  }
  int64_t idOf(mlir::Value value) const { return find(ids.lookup(value)); }

  mlir::func::FuncOp main;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  int64_t numPoints = 0;
  llvm::DenseMap<mlir::Value, int64_t> ids; ///< Value to datum.
  std::vector<Datum> data;
  std::vector<Storage> storages;                      ///< By datum.
  std::vector<llvm::SmallVector<int64_t, 2>> members; ///< Data of a storage.
  llvm::DenseMap<mlir::Attribute, int64_t> constants;
  /// An operand's and a result's datum -> the op that may put the result in the
  /// operand's place.
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> inPlace;
  std::vector<std::pair<int64_t, int64_t>> inPlaceOrder;
  llvm::SmallVector<int64_t> resultData;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, int64_t> stagings;
};

} // namespace partita

#endif // PARTITA_PASSES_MEMORY_SHARING_H
