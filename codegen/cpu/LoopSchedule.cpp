//===- LoopSchedule.cpp - Element loops and row-wise reductions -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Pointwise.h"
#include "codegen/cpu/Schedule.h"
#include "ir/core/Core.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace partita::cpu {
namespace {

/// Work, in elements times operations, that is worth a tile of its own.
constexpr int64_t kTileWork = 1 << 17;
constexpr int64_t kMaxTiles = 64;
/// Rows below kLongRow elements are joined where they are multiples of
/// kShortRow.
constexpr int64_t kShortRow = 16, kLongRow = 512;
/// Stack that the buffers of one row may take.
constexpr int64_t kMaxRowBytes = 256 << 10;

/// Whether computing an element costs more than reading it from a buffer.
bool isExpensive(mlir::Operation *op) {
  static const StringSet<> cheap = {
      "add",      "sub",     "mul",  "neg",      "abs", "max",
      "min",      "and",     "or",   "xor",      "not", "select",
      "compare",  "convert", "real", "imag",     "shl", "broadcast",
      "constant", "reshape", "iota", "transpose"};
  return !cheap.contains(op->getName().stripDialect());
}

/// The space [rows] x [columns] of the results; vectors run along columns.
class LoopSchedule : public Schedule {
public:
  LoopSchedule(plan::KernelOp kernel, const CpuTarget &target,
               ArrayRef<unsigned> results)
      : results(results) {
    for (unsigned number : results)
      roots.push_back(getResults(kernel)[number]);
    slice = getSlice(roots);
    chooseSpace();
    chooseWidth(target);
    chooseTiles();
  }

  int64_t getNumTiles() const override { return divideCeil(units, perTile); }

  void emit(BodyEmitter &emitter, Value *begin, Value *end) override {
    IRBuilder<> &ir = emitter.ir;
    Value *first = ir.CreateMul(begin, emitter.getInt(perTile));
    Value *last = ir.CreateBinaryIntrinsic(
        Intrinsic::smin, ir.CreateMul(end, emitter.getInt(perTile)),
        emitter.getInt(units));
    emitter.loop(first, last, 1, [&](Value *unit) {
      emitUnit(emitter, emitter.variable(unit, 1));
    });
  }

  bool takeRows(unsigned result, mlir::Value value) override {
    if (!isRowwise || getNumElements(getShape(value)) != getNumElements(rows))
      return false;
    // Everything it needs must be at hand in the row, or cheap.
    bool usesReduction = false;
    for (mlir::Operation *op : getSlice({value})) {
      auto reduce = dyn_cast<core::ReduceOp>(op);
      if (reduce && !is_contained(slice, op))
        return false;
      usesReduction |= reduce != nullptr;
    }
    if (!usesReduction)
      return false;
    rowResults.push_back({result, value});
    return true;
  }

private:
  /// Finds rows and columns. With a reduction inside, columns are what it
  /// reduces; otherwise they are the longest run of dimensions that all ops
  /// treat alike.
  void chooseSpace() {
    ArrayRef<int64_t> shape = getShape(roots.front());
    size_t split = shape.empty() ? 0 : shape.size() - 1;
    while (split > 0 && shape[split] == 1)
      --split;
    for (mlir::Operation *op : slice) {
      auto reduce = dyn_cast<core::ReduceOp>(op);
      if (reduce && !is_contained(roots, reduce.getResult()))
        if (std::optional<size_t> dims = getRowDims(reduce, shape)) {
          isRowwise = true;
          split = std::min(split, *dims);
        }
    }
    for (mlir::Operation *op : slice) {
      auto reduce = dyn_cast<core::ReduceOp>(op);
      if (reduce && !isRowwise && reducesLanes(reduce) &&
          getNumElements(getShape(reduce.getResult())) == getNumElements(shape))
        isScalar = true;
    }
    if (isScalar)
      split = shape.size();
    else if (!isRowwise && all_of(slice, isShapeless))
      split = 0;
    else if (!isRowwise && !shape.empty() && shape.back() % kShortRow == 0)
      // Short rows are walked through together.
      while (split > 0 && getNumElements(shape.drop_front(split)) < kLongRow)
        --split;
    rows.assign(shape.begin(), shape.begin() + split);
    columns = getNumElements(shape.drop_front(split));
  }

  /// The reduce op behind a root, if the root is one up to its shape.
  static mlir::Value getReduced(mlir::Value root) {
    while (auto reshape = root.getDefiningOp<core::ReshapeOp>())
      root = reshape.getOperand();
    return root.getDefiningOp<core::ReduceOp>() ? root : mlir::Value();
  }

  static bool reducesLanes(core::ReduceOp op) {
    int dim = getLaneDim(op.getOperand());
    return dim < 0 || is_contained(op.getDims(), dim);
  }

  /// How many leading dimensions of `shape` a reduction keeps when it reduces
  /// the other ones; none if it does not.
  static std::optional<size_t> getRowDims(core::ReduceOp op,
                                          ArrayRef<int64_t> shape) {
    ArrayRef<int64_t> source = getShape(op.getOperand());
    if (source != shape)
      return std::nullopt;
    size_t first = shape.size();
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (is_contained(op.getDims(), static_cast<int64_t>(dim)))
        first = dim;
      else if (shape[dim] != 1)
        break;
    }
    int64_t reduced = 1;
    for (int64_t dim : op.getDims())
      reduced *= shape[dim];
    if (reduced != getNumElements(shape.drop_front(first)))
      return std::nullopt;
    return first;
  }

  /// Ops that do not care which factorisation of their shape they are read in.
  static bool isShapeless(mlir::Operation *op) {
    if (isPointwise(op) || isa<core::ReshapeOp>(op))
      return true;
    if (op->hasTrait<mlir::OpTrait::ConstantLike>())
      return true;
    return isa<core::BroadcastOp>(op) &&
           getNumElements(getShape(op->getOperand(0))) == 1;
  }

  void chooseWidth(const CpuTarget &target) {
    int64_t bytes = 4, limit = INT32_MAX;
    bool isLarge = false;
    for (mlir::Operation *op : slice)
      for (mlir::Value value : op->getOperands()) {
        if (getElementBytes(getElementType(value)) > 4)
          bytes = 8;
        isLarge |= getNumElements(getShape(value)) >= limit;
      }
    int64_t native = target.getLanes(static_cast<int>(bytes));
    bool reduces =
        any_of(roots, [](mlir::Value root) { return getReduced(root); });
    int64_t most = native * (reduces ? 8 : slice.size() > 60 ? 1 : 2);
    width = 1;
    if (isLarge || isScalar || columns < native)
      return;
    width = native;
    // Twice as wide, as long as nothing is left over.
    while (width < most && columns % (2 * width) == 0)
      width *= 2;
  }

  void chooseTiles() {
    // Long columns are cut into chunks of whole vectors.
    int64_t work = 1;
    for (mlir::Operation *op : slice) {
      int64_t scale = 1;
      if (auto reduce = dyn_cast<core::ReduceOp>(op))
        scale = isRowwise
                    ? 1
                    : getNumElements(getShape(reduce.getOperand())) /
                          std::max<int64_t>(
                              getNumElements(getShape(reduce.getResult())), 1);
      work += scale * (isExpensive(op) ? 8 : 1);
    }
    chunk = columns;
    if (!isRowwise) {
      int64_t target = std::max<int64_t>(kTileWork / work, 1);
      target = divideCeil(target, width) * width;
      chunk = std::min<int64_t>(columns, std::max<int64_t>(target, width));
    }
    chunks =
        std::max<int64_t>(divideCeil(columns, std::max<int64_t>(chunk, 1)), 1);
    units = getNumElements(rows) * chunks;
    int64_t unitWork = std::max<int64_t>(chunk * work, 1);
    perTile = std::max<int64_t>(kTileWork / unitWork, 1);
    perTile = std::max<int64_t>(perTile, divideCeil(units, kMaxTiles));
    units = std::max<int64_t>(units, 0);
    perTile = std::max<int64_t>(std::min(perTile, units), 1);
  }

  Index makeIndex(BodyEmitter &emitter, const Coord &row, Coord column) {
    Index linear;
    linear.coords.push_back(row);
    linear.shape.push_back(getNumElements(rows));
    Index index = emitter.reindex(linear, rows);
    index.coords.push_back(column);
    index.shape.push_back(columns);
    return index;
  }

  void emitUnit(BodyEmitter &emitter, const Coord &unit) {
    auto [row, part] = emitter.divide(unit, chunks);
    if (isRowwise)
      emitRow(emitter, row);
    Value *low = emitter.getInt(0), *high = emitter.getInt(columns);
    if (chunks > 1) {
      low = emitter.multiply(part, chunk).base;
      high = emitter.ir.CreateBinaryIntrinsic(
          Intrinsic::smin, emitter.ir.CreateAdd(low, emitter.getInt(chunk)),
          high);
    }
    emitter.laneLoop(low, high, width, chunks > 1 ? chunk : columns,
                     columns % width != 0, [&](const Coord &column) {
                       Index index = makeIndex(emitter, row, column);
                       // All values first: results may lie where others read.
                       SmallVector<Elem> values;
                       for (mlir::Value root : roots)
                         values.push_back(emitter.read(root, index));
                       for (auto [number, value] : zip(results, values))
                         emitter.write(number, index, value);
                     });
    emitter.dropRows();
  }

  /// Computes the reductions of a row ahead of its elements, in order; their
  /// operands stay in buffers where that saves work.
  void prepareRow(BodyEmitter &emitter, const Coord &row) {
    ArrayRef<int64_t> shape = getShape(roots.front());
    int64_t bytes = 0;
    for (mlir::Operation *op : slice) {
      auto reduce = dyn_cast<core::ReduceOp>(op);
      if (!reduce || !getRowDims(reduce, shape) ||
          getNumElements(getShape(reduce.getResult())) != getNumElements(rows))
        continue;
      mlir::Value operand = reduce.getOperand();
      bytes += columns * 4;
      if (isWorthKeeping(operand) && bytes <= kMaxRowBytes)
        emitter.keepRows(operand);
      Index linear;
      linear.coords.push_back(row);
      linear.shape.push_back(getNumElements(rows));
      Index index = emitter.reindex(emitter.reindex(linear, rows),
                                    getShape(reduce.getResult()));
      emitter.read(reduce.getResult(), index);
    }
  }

  void emitRow(BodyEmitter &emitter, const Coord &row) {
    prepareRow(emitter, row);
    Index linear;
    linear.coords.push_back(row);
    linear.shape.push_back(getNumElements(rows));
    Index index = emitter.reindex(linear, rows);
    for (auto [number, value] : rowResults)
      emitter.write(number, index, emitter.read(value, index));
  }

  bool isWorthKeeping(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || value.hasOneUse() ||
        mlir::isa<mlir::ComplexType>(getElementType(value)))
      return false;
    if (!isPointwise(op))
      return false;
    int64_t cost = 0;
    for (mlir::Operation *other : getSlice({value}))
      if (isPointwise(other))
        cost += isExpensive(other) ? 8 : 1;
    return cost >= 3;
  }

  SmallVector<unsigned> results;
  SmallVector<std::pair<unsigned, mlir::Value>> rowResults;
  SmallVector<mlir::Value> roots;
  SmallVector<mlir::Operation *> slice;
  SmallVector<int64_t> rows;
  int64_t columns = 1;
  bool isRowwise = false;
  /// Each element is a reduction along the direction of its operand's lanes.
  bool isScalar = false;
  int64_t width = 1;
  int64_t chunk = 1, chunks = 1; ///< Columns a unit, and units a row.
  int64_t units = 1, perTile = 1;
};

} // namespace

std::unique_ptr<Schedule> makeLoopSchedule(plan::KernelOp kernel,
                                           const CpuTarget &target,
                                           ArrayRef<unsigned> results) {
  return std::make_unique<LoopSchedule>(kernel, target, results);
}

} // namespace partita::cpu
