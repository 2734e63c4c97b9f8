//===- DotSchedule.cpp - Matrix products ----------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of the result is computed by blocks along the contraction. For each,
// a block of the right side is packed into panels that are nr wide, then blocks
// of mc rows of the left side into panels that are mr wide, and a micro-kernel
// multiplies each pair of panels. Converts and other cheap ops on the operands
// are applied while packing; elementwise consumers run over mc rows at a time,
// as soon as these are complete.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/MicroKernel.h"
#include "codegen/cpu/Packing.h"
#include "codegen/cpu/Pointwise.h"
#include "codegen/cpu/Schedule.h"
#include "ir/core/Core.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace partita::cpu {
namespace {

constexpr int64_t kMaxTileColumns = 512;
constexpr int64_t kMaxTileRows = 512;
/// Products with fewer tiles are cut into smaller ones, down to this many rows.
constexpr int64_t kWantedTiles = 4;
constexpr int64_t kMinTileRows = 96;
constexpr int64_t kMinParallelWork = 1 << 21;

class DotSchedule : public Schedule {
public:
  DotSchedule(core::DotOp dot, ArrayRef<unsigned> results,
              ArrayRef<mlir::Value> roots, plan::KernelOp kernel,
              const CpuTarget &target)
      : dot(dot), results(results), roots(roots), kernel(kernel),
        left(dot.getLhs(), dot.getLhsBatch(), dot.getLhsContract()),
        right(dot.getRhs(), dot.getRhsBatch(), dot.getRhsContract()) {
    for (int64_t dim : dot.getLhsBatch())
      batches *= getShape(dot.getLhs())[dim];
    depth = left.getContract();
    isDouble = getElementType(dot.getResult()).isF64();
    tile =
        getMatmulTile(target, left.getInnerFree(), right.getInnerFree(), depth);
    if (isDouble)
      tile.nr = std::max(tile.nr / 2, target.getLanes(8));
    left.setPanelWidth(tile.mr);
    right.setPanelWidth(tile.nr);
    rows = left.getInnerFree();
    columns = right.getInnerFree();
    chooseTiles();
    chooseTarget();
  }

  int64_t getNumTiles() const override {
    return batches * left.getOuterFree() * right.getOuterFree() * rowTiles *
           columnTiles;
  }

  void emit(BodyEmitter &emitter, Value *begin, Value *end) override {
    Type *type = getType(emitter);
    blockA = emitter.allocate(type, roundUp(tile.mc, tile.mr) * tile.kc, "a");
    blockB =
        emitter.allocate(type, roundUp(tileColumns, tile.nr) * tile.kc, "b");
    edge = emitter.allocate(type, int64_t(tile.mr) * tile.nr, "edge");
    if (targetRoot < 0)
      scratch = emitter.allocate(type, tileRows * tileColumns, "c");
    emitter.loop(begin, end, 1, [&](Value *at) {
      emitTile(emitter, emitter.variable(at, 1));
    });
  }

private:
  static int64_t roundUp(int64_t value, int64_t multiple) {
    return static_cast<int64_t>(divideCeil(value, multiple)) * multiple;
  }

  Type *getType(BodyEmitter &emitter) {
    return isDouble ? emitter.ir.getDoubleTy() : emitter.ir.getFloatTy();
  }

  void chooseTiles() {
    auto cut = [](int64_t size, int64_t parts, int64_t unit) {
      return std::max<int64_t>(
          roundUp(divideCeil(size, std::max<int64_t>(parts, 1)), unit), unit);
    };
    columnTiles = divideCeil(columns, kMaxTileColumns);
    tileColumns = cut(columns, columnTiles, tile.nr);
    columnTiles = std::max<int64_t>(divideCeil(columns, tileColumns), 1);
    int64_t others =
        batches * left.getOuterFree() * right.getOuterFree() * columnTiles;
    rowTiles = divideCeil(rows, kMaxTileRows);
    double work = static_cast<double>(rows) * static_cast<double>(columns) *
                  static_cast<double>(depth);
    if (work >= kMinParallelWork)
      while (others * rowTiles < kWantedTiles &&
             rows / (rowTiles + 1) >= kMinTileRows)
        ++rowTiles;
    tileRows = cut(rows, rowTiles, tile.mr);
    rowTiles = std::max<int64_t>(divideCeil(rows, tileRows), 1);
    tile.mc = std::min(tile.mc, tileRows);
  }

  /// Picks a result whose memory can hold the sums while they grow.
  void chooseTarget() {
    mlir::Type sum = mlir::Float32Type::get(kernel.getContext());
    if (isDouble)
      sum = mlir::Float64Type::get(kernel.getContext());
    for (auto [i, root] : enumerate(roots)) {
      bool isShared = any_of(kernel.getInplacePairs(), [&](auto pair) {
        return pair.second == results[i];
      });
      if (targetRoot < 0 && !isShared && getElementType(root) == sum)
        targetRoot = static_cast<int>(i);
    }
  }

  bool isPlain(size_t root) {
    mlir::Value value = roots[root];
    while (auto reshape = value.getDefiningOp<core::ReshapeOp>())
      value = reshape.getOperand();
    return value == dot.getResult();
  }

  /// What the tile at hand is; rows of the result count over batches and outer
  /// free positions.
  struct Tile {
    Coord firstRow, firstColumn;   ///< Within the inner runs.
    Coord resultRow, resultColumn; ///< Within the result.
    Value *rows, *columns;         ///< How many there are.
    Value *pointer;                ///< Where the first element goes …
    int64_t stride;                ///< … and elements from row to row.
  };

  Value *limit(BodyEmitter &emitter, const Coord &first, int64_t size,
               int64_t total) {
    if (total % size == 0)
      return emitter.getInt(size);
    Value *left = emitter.ir.CreateSub(emitter.getInt(total), first.base);
    return emitter.ir.CreateBinaryIntrinsic(Intrinsic::smin, left,
                                            emitter.getInt(size));
  }

  void emitTile(BodyEmitter &emitter, const Coord &number) {
    int64_t outerRows = left.getOuterFree(),
            outerColumns = right.getOuterFree();
    auto [rest, columnTile] = emitter.divide(number, columnTiles);
    auto [rest2, rowTile] = emitter.divide(rest, rowTiles);
    auto [rest3, outerColumn] = emitter.divide(rest2, outerColumns);
    auto [batch, outerRow] = emitter.divide(rest3, outerRows);
    left.enterTile(emitter, batch, outerRow);
    right.enterTile(emitter, batch, outerColumn);

    Tile at;
    at.firstRow = emitter.multiply(rowTile, tileRows);
    at.firstColumn = emitter.multiply(columnTile, tileColumns);
    at.rows = limit(emitter, at.firstRow, tileRows, rows);
    at.columns = limit(emitter, at.firstColumn, tileColumns, columns);
    // (batch * outerRows + outerRow) * rows + row.
    Coord outer = emitter.add(emitter.multiply(batch, outerRows), outerRow);
    at.resultRow = emitter.add(emitter.multiply(outer, rows), at.firstRow);
    at.resultColumn =
        emitter.add(emitter.multiply(outerColumn, columns), at.firstColumn);
    at.stride = targetRoot < 0 ? tileColumns : outerColumns * columns;
    at.pointer = scratch;
    if (targetRoot >= 0) {
      Coord position = emitter.add(emitter.multiply(at.resultRow, at.stride),
                                   at.resultColumn);
      at.pointer = emitter.advance(
          getType(emitter), emitter.getResultPointer(results[targetRoot]),
          position.base);
    }
    emitter.loop(0, depth, tile.kc, [&](Value *from) {
      emitStep(emitter, at, emitter.variable(from, tile.kc));
    });
  }

  void emitStep(BodyEmitter &emitter, const Tile &at, const Coord &from) {
    Value *steps = limit(emitter, from, tile.kc, depth);
    emitPack(emitter, right, {blockB, tile.nr, tile.kc * tile.nr},
             at.firstColumn, at.columns, from, steps, getType(emitter));
    emitter.loop(emitter.getInt(0), at.rows, tile.mc, [&](Value *row) {
      Value *count = emitter.ir.CreateBinaryIntrinsic(
          Intrinsic::smin, emitter.ir.CreateSub(at.rows, row),
          emitter.getInt(tile.mc));
      Coord start = emitter.variable(row, tile.mc);
      emitPack(emitter, left, {blockA, tile.mr, tile.kc * tile.mr},
               emitter.add(at.firstRow, start), count, from, steps,
               getType(emitter));
      multiplyPanels(emitter, at, row, count, from, steps);
      emitEpilogue(emitter, at, start, count, from);
    });
  }

  void multiplyPanels(BodyEmitter &emitter, const Tile &at, Value *row,
                      Value *count, const Coord &from, Value *steps) {
    IRBuilder<> &ir = emitter.ir;
    Type *type = getType(emitter);
    Function *multiply =
        declareMicroKernel(*emitter.getModule(), {tile.mr, tile.nr, isDouble});
    Value *accumulates = ir.CreateICmpSGT(from.base, emitter.getInt(0));
    Value *zero = emitter.getInt(0);
    emitter.loop(zero, at.columns, tile.nr, [&](Value *j) {
      Value *b = emitter.advance(type, blockB,
                                 ir.CreateMul(j, emitter.getInt(tile.kc)));
      emitter.loop(zero, count, tile.mr, [&](Value *i) {
        Value *a = emitter.advance(type, blockA,
                                   ir.CreateMul(i, emitter.getInt(tile.kc)));
        Value *position = ir.CreateAdd(
            ir.CreateMul(ir.CreateAdd(row, i), emitter.getInt(at.stride)), j);
        Value *c = emitter.advance(type, at.pointer, position);
        auto call = [&](Value *target, int64_t stride, Value *adds) {
          ir.CreateCall(multiply,
                        {a, b, target, steps, emitter.getInt(stride), adds});
        };
        if (targetRoot < 0) // Scratch memory holds whole panels.
          return call(c, at.stride, accumulates);
        bool wholeRows = rows % tileRows == 0 && tileRows % tile.mr == 0 &&
                         tile.mc % tile.mr == 0;
        bool wholeColumns = columns % tile.nr == 0;
        if (wholeRows && wholeColumns)
          return call(c, at.stride, accumulates);
        Value *leftRows = ir.CreateSub(count, i);
        Value *leftColumns = ir.CreateSub(at.columns, j);
        Value *isWhole = ir.CreateAnd(
            ir.CreateICmpSGE(leftRows, emitter.getInt(tile.mr)),
            ir.CreateICmpSGE(leftColumns, emitter.getInt(tile.nr)));
        emitter.branch(
            isWhole, [&] { call(c, at.stride, accumulates); },
            [&] {
              call(edge, tile.nr, ir.getFalse());
              copyEdge(emitter, c, at.stride, leftRows, leftColumns,
                       accumulates);
            });
      });
    });
  }

  /// Adds what lies inside the result of a panel that sticks out.
  void copyEdge(BodyEmitter &emitter, Value *c, int64_t stride, Value *leftRows,
                Value *leftColumns, Value *accumulates) {
    IRBuilder<> &ir = emitter.ir;
    Type *type = getType(emitter);
    auto atMost = [&](Value *value, int64_t most) {
      return ir.CreateBinaryIntrinsic(Intrinsic::smin, value,
                                      emitter.getInt(most));
    };
    emitter.loop(
        emitter.getInt(0), atMost(leftRows, tile.mr), 1, [&](Value *i) {
          emitter.loop(
              emitter.getInt(0), atMost(leftColumns, tile.nr), 1,
              [&](Value *j) {
                Value *source = emitter.advance(
                    type, edge,
                    ir.CreateAdd(ir.CreateMul(i, emitter.getInt(tile.nr)), j));
                Value *target = emitter.advance(
                    type, c,
                    ir.CreateAdd(ir.CreateMul(i, emitter.getInt(stride)), j));
                Value *value = ir.CreateLoad(type, source);
                Value *sum = ir.CreateFAdd(ir.CreateLoad(type, target), value);
                ir.CreateStore(ir.CreateSelect(accumulates, sum, value),
                               target);
              });
        });
  }

  /// The results for `count` rows, once their sums are complete.
  void emitEpilogue(BodyEmitter &emitter, const Tile &at, const Coord &start,
                    Value *count, const Coord &from) {
    IRBuilder<> &ir = emitter.ir;
    SmallVector<size_t> pending;
    for (size_t root = 0; root < roots.size(); ++root)
      if (static_cast<int>(root) != targetRoot || !isPlain(root))
        pending.push_back(root);
    if (pending.empty())
      return;
    int64_t allRows = batches * left.getOuterFree() * rows;
    int64_t allColumns = right.getOuterFree() * columns;
    View view;
    view.pointer = at.pointer;
    view.isRaw = true;
    view.shape = {allRows, allColumns};
    view.strides = {at.stride, 1};
    view.origin = {at.resultRow, at.resultColumn};
    int64_t width = emitter.target.getLanes(isDouble ? 8 : 4);
    while (width > 1 && columns % width != 0)
      width /= 2;
    if (columns % (2 * width) == 0 && width > 1)
      width *= 2;
    auto emitRows = [&] {
      emitter.setView(dot.getResult(), view);
      emitter.loop(emitter.getInt(0), count, 1, [&](Value *i) {
        Coord row = emitter.add(emitter.add(at.resultRow, start),
                                emitter.variable(i, 1));
        emitter.laneLoop(emitter.getInt(0), at.columns, width, 0, false,
                         [&](const Coord &column) {
                           Index index;
                           index.shape = {allRows, allColumns};
                           index.coords = {
                               row, emitter.add(at.resultColumn, column)};
                           // All values first: one result's memory holds the
                           // sums.
                           SmallVector<Elem> values;
                           for (size_t root : pending)
                             values.push_back(emitter.read(roots[root], index));
                           for (auto [root, value] : zip(pending, values))
                             emitter.write(results[root], index, value);
                         });
      });
      emitter.removeView(dot.getResult());
    };
    if (depth <= tile.kc)
      return emitRows();
    Value *isLast =
        ir.CreateICmpSGE(from.base, emitter.getInt(depth - tile.kc));
    emitter.branch(isLast, emitRows);
  }

  core::DotOp dot;
  SmallVector<unsigned> results;
  SmallVector<mlir::Value> roots;
  plan::KernelOp kernel;
  ProductSide left, right;
  int64_t batches = 1, rows, columns, depth;
  bool isDouble = false;
  MatmulTile tile;
  int64_t rowTiles = 1, columnTiles = 1, tileRows = 1, tileColumns = 1;
  int targetRoot = -1; ///< Whose memory the sums grow in; -1: scratch memory.
  Value *blockA = nullptr, *blockB = nullptr, *edge = nullptr;
  Value *scratch = nullptr;
};

/// The product that `roots` are elementwise functions of; null if there is
/// none, or more than one. Roots of the same size that do without it are
/// computed along with the others.
core::DotOp findDot(ArrayRef<mlir::Value> roots) {
  core::DotOp dot;
  SmallVector<mlir::Operation *> slice = getSlice(roots);
  for (mlir::Operation *op : slice)
    if (auto found = dyn_cast<core::DotOp>(op)) {
      if (dot)
        return {};
      dot = found;
    }
  if (!dot)
    return {};
  int64_t size = getNumElements(getShape(dot.getResult()));
  SmallPtrSet<mlir::Operation *, 16> dependent = {dot};
  for (mlir::Operation *op : slice) {
    bool depends = any_of(op->getOperands(), [&](mlir::Value operand) {
      return dependent.contains(operand.getDefiningOp());
    });
    if (!depends)
      continue;
    if (!isPointwise(op) && !isa<core::ReshapeOp>(op))
      return {};
    dependent.insert(op);
  }
  bool any = any_of(roots, [&](mlir::Value root) {
    return dependent.contains(root.getDefiningOp());
  });
  bool all = all_of(roots, [&](mlir::Value root) {
    return getNumElements(getShape(root)) == size;
  });
  return any && all && size > 0 ? dot : core::DotOp();
}

} // namespace

std::unique_ptr<Schedule> makeDotSchedule(plan::KernelOp kernel,
                                          const CpuTarget &target,
                                          ArrayRef<unsigned> results) {
  SmallVector<mlir::Value> roots;
  for (unsigned number : results)
    roots.push_back(getResults(kernel)[number]);
  core::DotOp dot = findDot(roots);
  if (!dot)
    return nullptr;
  bool isReal = true;
  int64_t largest = 0;
  for (mlir::Value value : {dot.getLhs(), dot.getRhs(), dot.getResult()}) {
    isReal &= isa<mlir::FloatType>(getElementType(value));
    largest = std::max(largest, getNumElements(getShape(value)));
  }
  ProductSide left(dot.getLhs(), dot.getLhsBatch(), dot.getLhsContract());
  bool isDouble = getElementType(dot.getResult()).isF64();
  bool sameKind = getElementType(dot.getLhs()).isF64() == isDouble &&
                  getElementType(dot.getRhs()).isF64() == isDouble;
  if (!isReal || !sameKind || largest >= INT32_MAX || left.getContract() == 0)
    return nullptr;
  return std::make_unique<DotSchedule>(dot, results, roots, kernel, target);
}

} // namespace partita::cpu
