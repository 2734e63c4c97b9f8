//===- Packing.cpp - Panels of the operands of products -------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Packing.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Pointwise.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace partita::cpu {

/// Whether `value` can be read in any factorisation of its shape at no cost.
static bool isShapeless(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || op->hasTrait<mlir::OpTrait::ConstantLike>())
    return true;
  if (!isPointwise(op) && op->getName().getStringRef() != "core.reshape")
    return false;
  return all_of(op->getOperands(), isShapeless);
}

static SmallVector<int64_t> dropOnes(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  copy_if(shape, std::back_inserter(result),
          [](int64_t size) { return size != 1; });
  return result;
}

/// Whether `value` may be walked through as if its dimension `dim` and the next
/// were one, at little cost.
static bool canJoin(mlir::Value value, int64_t dim) {
  if (isShapeless(value))
    return true;
  // Vectors must not cross the border between the two.
  constexpr int64_t kWidestVector = 16;
  if (getShape(value)[dim + 1] % kWidestVector != 0)
    return false;
  mlir::Operation *op = value.getDefiningOp();
  StringRef name = op->getName().stripDialect();
  if (name == "reshape") {
    // Dimensions of size one may come and go.
    mlir::Value source = op->getOperand(0);
    ArrayRef<int64_t> from = getShape(source), to = getShape(value);
    if (dropOnes(from) != dropOnes(to) || to[dim] == 1)
      return false;
    size_t place = dropOnes(to.take_front(dim)).size();
    for (size_t at = 0; at + 1 < from.size(); ++at)
      if (from[at] != 1 && from[at + 1] != 1 && place-- == 0)
        return canJoin(source, static_cast<int64_t>(at));
    return false;
  }
  if (name == "slice" || name == "dynamic_slice")
    return canJoin(op->getOperand(0), dim);
  return isPointwise(op) && all_of(op->getOperands(), [&](mlir::Value operand) {
           return canJoin(operand, dim);
         });
}

ProductSide::ProductSide(mlir::Value operand, ArrayRef<int64_t> batchDims,
                         ArrayRef<int64_t> contractDims)
    : operand(operand) {
  // The order in which each dimension is counted within its role.
  SmallVector<int64_t> orders[3];
  append_range(orders[0], batchDims);
  append_range(orders[2], contractDims);
  ArrayRef<int64_t> dims = getShape(operand);
  for (size_t dim = 0; dim < dims.size(); ++dim)
    if (!is_contained(batchDims, static_cast<int64_t>(dim)) &&
        !is_contained(contractDims, static_cast<int64_t>(dim)))
      orders[1].push_back(static_cast<int64_t>(dim));
  SmallVector<int64_t> *sizes[] = {&batch, &free, &contract};
  // Runs of each role, as (position in the role's order, first dimension).
  SmallVector<std::pair<int, int64_t>> places;
  for (size_t dim = 0; dim < dims.size(); ++dim)
    for (int role = 0; role < 3; ++role)
      if (auto *at = find(orders[role], static_cast<int64_t>(dim));
          at != orders[role].end())
        places.push_back({role, at - orders[role].begin()});
  SmallVector<SmallVector<std::pair<int64_t, size_t>>> runs(3);
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    auto [role, place] = places[dim];
    bool joins = dim > 0 && places[dim - 1].first == role &&
                 places[dim - 1].second + 1 == place &&
                 canJoin(operand, static_cast<int64_t>(dim) - 1);
    if (joins) {
      shape.back() *= dims[dim];
      continue;
    }
    runs[role].push_back({place, shape.size()});
    shape.push_back(dims[dim]);
  }
  for (int role = 0; role < 3; ++role) {
    sort(runs[role]);
    for (auto [place, at] : runs[role]) {
      sizes[role]->push_back(shape[at]);
      order[role].push_back(at);
    }
  }
  int lane = getLaneDim(operand);
  contiguousContract =
      lane >= 0 && !contractDims.empty() && contractDims.back() == lane;
}

void ProductSide::setPanelWidth(int64_t width) {
  // Panels may reach from one run into the next where their positions are read
  // one by one, or where whole panels fit into a run. Otherwise runs are kept
  // apart, unless they are so short that panels would be mostly empty.
  int64_t run = free.empty() ? 1 : free.back();
  keepsRunsApart = !contiguousContract && run % width != 0 && run >= 2 * width;
}

int64_t ProductSide::getOuterFree() const {
  return keepsRunsApart ? getNumElements(ArrayRef(free).drop_back()) : 1;
}

int64_t ProductSide::getInnerFree() const {
  return keepsRunsApart ? free.back() : getNumElements(free);
}

int64_t ProductSide::getContract() const { return getNumElements(contract); }

/// The coordinates of runs of the given sizes at a position counted through.
static SmallVector<Coord> split(BodyEmitter &emitter, const Coord &position,
                                ArrayRef<int64_t> sizes) {
  if (sizes.empty())
    return {};
  Index linear;
  linear.coords.push_back(position);
  linear.shape.push_back(getNumElements(sizes));
  Index result = emitter.reindex(linear, sizes);
  return SmallVector<Coord>(ArrayRef<Coord>(result.coords));
}

void ProductSide::enterTile(BodyEmitter &emitter, const Coord &batchPosition,
                            const Coord &outerFree) {
  batchAt = split(emitter, batchPosition, batch);
  outerAt.clear();
  if (keepsRunsApart)
    outerAt = split(emitter, outerFree, ArrayRef(free).drop_back());
}

Index ProductSide::makeIndex(BodyEmitter &emitter, const Coord &freeAt,
                             const Coord &contractAt) {
  SmallVector<Coord> freeCoords = outerAt;
  if (keepsRunsApart)
    freeCoords.push_back(freeAt);
  else
    freeCoords = split(emitter, freeAt, free);
  SmallVector<Coord> parts[] = {batchAt, freeCoords,
                                split(emitter, contractAt, contract)};
  Index index;
  index.shape.assign(shape.begin(), shape.end());
  index.coords.resize(shape.size());
  for (int role = 0; role < 3; ++role)
    for (auto [coord, at] : zip(parts[role], order[role]))
      index.coords[at] = coord;
  return index;
}

Value *ProductSide::read(BodyEmitter &emitter, const Coord &freeAt,
                         const Coord &contractAt) {
  Index index = makeIndex(emitter, freeAt, contractAt);
  return emitter.spread(emitter.read(operand, index)).re;
}

void ProductSide::prefetch(BodyEmitter &emitter, const Coord &freeAt,
                           const Coord &contractAt) {
  emitter.prefetch(operand, makeIndex(emitter, freeAt, contractAt));
}

namespace {

/// Transposes a square of vectors; all rows must be given.
class Transposer {
public:
  Transposer(IRBuilder<> &ir, MutableArrayRef<Value *> rows)
      : ir(ir), rows(rows), size(static_cast<int>(rows.size())) {}

  void run() {
    int block = 1;
    if (rows[0]->getType()->getScalarSizeInBits() == 32 && size >= 4) {
      for (int first = 0; first < size; first += 4)
        transposeQuads(first);
      block = 4;
    }
    for (; block < size; block *= 2)
      for (int row = 0; row < size; ++row)
        if ((row & block) == 0)
          swapBlocks(row, block);
  }

private:
  /// Lanes of a and b (those of b count from `size`), chosen by `pick`.
  Value *shuffle(Value *a, Value *b, function_ref<int(int)> pick) {
    SmallVector<int> mask;
    for (int lane = 0; lane < size; ++lane)
      mask.push_back(pick(lane));
    return ir.CreateShuffleVector(a, b, mask);
  }

  /// Transposes the 4 x 4 blocks of four rows, each within 128 bits.
  void transposeQuads(int first) {
    auto interleave = [&](int a, int b, int half) {
      return shuffle(rows[first + a], rows[first + b], [&](int lane) {
        int quad = lane & ~3, place = lane & 3;
        return quad + half + place / 2 + (place & 1) * size;
      });
    };
    Value *low01 = interleave(0, 1, 0), *high01 = interleave(0, 1, 2);
    Value *low23 = interleave(2, 3, 0), *high23 = interleave(2, 3, 2);
    auto join = [&](Value *a, Value *b, int half) {
      return shuffle(a, b, [&](int lane) {
        int quad = lane & ~3, place = lane & 3;
        return quad + half + (place & 1) + (place / 2) * size;
      });
    };
    rows[first] = join(low01, low23, 0);
    rows[first + 1] = join(low01, low23, 2);
    rows[first + 2] = join(high01, high23, 0);
    rows[first + 3] = join(high01, high23, 2);
  }

  /// Exchanges the off-diagonal blocks of rows `row` and `row + block`.
  void swapBlocks(int row, int block) {
    Value *a = rows[row], *b = rows[row + block];
    rows[row] = shuffle(a, b, [&](int lane) {
      return lane & block ? lane - block + size : lane;
    });
    rows[row + block] = shuffle(a, b, [&](int lane) {
      return lane & block ? lane + size : lane + block;
    });
  }

  IRBuilder<> &ir;
  MutableArrayRef<Value *> rows;
  int size;
};

/// Steps of the contraction between asking for memory and reading it.
constexpr int64_t kStepsAhead = 8;

/// Packs one panel.
class PanelPacker {
public:
  PanelPacker(BodyEmitter &emitter, ProductSide &side, Value *panel,
              int64_t width, const Coord &first, const Coord &from,
              Type *element)
      : emitter(emitter), ir(emitter.ir), side(side), panel(panel),
        width(width), first(first), from(from), element(element) {}

  /// Vectors along the contraction, transposed in registers.
  void packTransposed(Value *depth) {
    int square = emitter.target.getLanes(
        static_cast<int>(element->getPrimitiveSizeInBits() / 8));
    Value *whole = ir.CreateAnd(depth, emitter.getInt(-square));
    int before = emitter.lanes;
    emitter.lanes = square;
    emitter.loop(emitter.getInt(0), whole, square, [&](Value *step) {
      Coord at = emitter.add(from, emitter.variable(step, square, 1));
      for (int64_t row = 0; row < width; ++row)
        side.prefetch(emitter, getNext(row), at);
      for (int64_t row = 0; row < width; row += square)
        packSquare(row, square, step, at);
    });
    emitter.lanes = 1;
    emitter.loop(whole, depth, 1, [&](Value *step) {
      Coord at = emitter.add(from, emitter.variable(step, 1));
      for (int64_t row = 0; row < width; ++row)
        store(side.read(emitter, getFree(row), at), step, row);
    });
    emitter.lanes = before;
  }

  /// One step of the contraction as a vector along the free positions.
  void packStep(Value *step, bool isPartial) {
    int before = emitter.lanes;
    emitter.lanes = static_cast<int>(width);
    Coord at = emitter.add(from, emitter.variable(step, 1));
    Coord place = first;
    place.stride = width > 1 ? 1 : 0;
    if (isPartial)
      place = emitter.clamp(place, 0, side.getInnerFree() - 1);
    Coord later = emitter.add(at, kStepsAhead);
    side.prefetch(emitter, place,
                  emitter.clamp(later, 0, side.getContract() - 1));
    store(side.read(emitter, place, at), step, 0);
    emitter.lanes = before;
  }

private:
  /// Free position `row` of the panel, at most the operand's last.
  Coord getFree(int64_t row) {
    Coord at = emitter.add(first, row);
    if (side.getInnerFree() % width != 0)
      at = emitter.clamp(at, 0, side.getInnerFree() - 1);
    return at;
  }

  /// The same position of the next panel, or the operand's last.
  Coord getNext(int64_t row) {
    return emitter.clamp(emitter.add(first, row + width), 0,
                         side.getInnerFree() - 1);
  }

  void packSquare(int64_t firstRow, int square, Value *step, const Coord &at) {
    SmallVector<Value *> rows;
    int64_t count = std::min<int64_t>(square, width - firstRow);
    for (int64_t row = 0; row < square; ++row)
      rows.push_back(row < count
                         ? side.read(emitter, getFree(firstRow + row), at)
                         : PoisonValue::get(rows[0]->getType()));
    Transposer(ir, rows).run();
    SmallVector<int> mask;
    for (int lane = 0; lane < count; ++lane)
      mask.push_back(lane);
    for (int k = 0; k < square; ++k) {
      Value *value =
          count == square ? rows[k] : ir.CreateShuffleVector(rows[k], mask);
      store(value, ir.CreateAdd(step, emitter.getInt(k)), firstRow);
    }
  }

  void store(Value *value, Value *step, int64_t row) {
    Value *position = ir.CreateAdd(ir.CreateMul(step, emitter.getInt(width)),
                                   emitter.getInt(row));
    ir.CreateAlignedStore(value, emitter.advance(element, panel, position),
                          Align(element->getPrimitiveSizeInBits() / 8));
  }

  BodyEmitter &emitter;
  IRBuilder<> &ir;
  ProductSide &side;
  Value *panel;
  int64_t width;
  Coord first, from;
  Type *element;
};

} // namespace

void emitPack(BodyEmitter &emitter, ProductSide &side, const PackedBlock &block,
              const Coord &first, Value *count, const Coord &from, Value *depth,
              Type *element) {
  IRBuilder<> &ir = emitter.ir;
  auto makePacker = [&](Value *start) {
    Value *number = ir.CreateUDiv(start, emitter.getInt(block.width));
    Value *offset = ir.CreateMul(number, emitter.getInt(block.panelStride));
    Value *panel = emitter.advance(element, block.pointer, offset);
    Coord at = emitter.add(first, emitter.variable(start, block.width));
    return PanelPacker(emitter, side, panel, block.width, at, from, element);
  };
  if (side.isContractContiguous()) {
    emitter.loop(emitter.getInt(0), count, block.width, [&](Value *start) {
      makePacker(start).packTransposed(depth);
    });
    return;
  }
  // Step by step through all panels, since these lie next to each other in the
  // operand: panel by panel, every read would wait for memory.
  bool hasPartial = side.getInnerFree() % block.width != 0;
  Value *rest = ir.CreateURem(count, emitter.getInt(block.width));
  Value *whole = hasPartial ? ir.CreateSub(count, rest) : count;
  emitter.loop(emitter.getInt(0), depth, 1, [&](Value *step) {
    emitter.loop(emitter.getInt(0), whole, block.width, [&](Value *start) {
      makePacker(start).packStep(step, /*isPartial=*/false);
    });
    if (hasPartial)
      emitter.branch(ir.CreateICmpNE(rest, emitter.getInt(0)), [&] {
        makePacker(whole).packStep(step, /*isPartial=*/true);
      });
  });
}

} // namespace partita::cpu
