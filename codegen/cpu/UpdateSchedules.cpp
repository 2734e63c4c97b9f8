//===- UpdateSchedules.cpp - Scatter, and parts of a tensor replaced ------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Pointwise.h"
#include "codegen/cpu/Schedule.h"
#include "ir/core/Core.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace llvm;

namespace partita::cpu {
namespace {

ArrayRef<int64_t> getDims(mlir::Operation *op, StringRef name) {
  return op->getAttrOfType<mlir::DenseI64ArrayAttr>(name).asArrayRef();
}

/// The largest power of two of lanes that `size` is a multiple of, at most two
/// vectors.
int64_t chooseWidth(const CpuTarget &target, mlir::Type type, int64_t size) {
  int64_t native = target.getLanes(getElementBytes(type) > 4 ? 8 : 4);
  if (size % (2 * native) == 0)
    return 2 * native;
  return size % native == 0 ? native : 1;
}

/// A part of a shape: all of it but along one dimension.
struct Part {
  ArrayRef<int64_t> shape;
  int64_t width = 1; ///< Lanes along the last dimension.
  int64_t dim = -1;  ///< Which is limited to [low, high).
  Value *low = nullptr, *high = nullptr;
};

/// Loops over the dimensions of `part` from `dim` on, the last one as vectors.
void forEach(BodyEmitter &emitter, const Part &part, Index &index, size_t dim,
             function_ref<void(const Index &)> body) {
  index.shape.assign(part.shape.begin(), part.shape.end());
  index.coords.resize(part.shape.size());
  if (dim == part.shape.size())
    return body(index);
  bool isLimited = part.dim == static_cast<int64_t>(dim);
  Value *low = isLimited ? part.low : emitter.getInt(0);
  Value *high = isLimited ? part.high : emitter.getInt(part.shape[dim]);
  if (dim + 1 == part.shape.size()) {
    emitter.laneLoop(low, high, part.width, part.width, /*hasRest=*/false,
                     [&](const Coord &at) {
                       index.coords[dim] = at;
                       body(index);
                     });
    return;
  }
  emitter.loop(low, high, 1, [&](Value *at) {
    index.coords[dim] = emitter.variable(at, 1);
    forEach(emitter, part, index, dim + 1, body);
  });
}

void forEach(BodyEmitter &emitter, const Part &part,
             function_ref<void(const Index &)> body) {
  Index index;
  forEach(emitter, part, index, 0, body);
}

int64_t getColumns(mlir::Value value) {
  return getShape(value).empty() ? 1 : getShape(value).back();
}

/// Initialises the result, then applies the updates in order. Tiles are ranges
/// of the last dimension where windows span it, or of a first dimension that
/// both operand and updates are batched over.
class ScatterSchedule : public Schedule {
public:
  ScatterSchedule(mlir::Operation *op, const CpuTarget &target, unsigned number)
      : op(op), number(number), operand(op->getOperand(0)),
        indices(op->getOperand(1)), updates(op->getOperand(2)) {
    ArrayRef<int64_t> shape = getShape(operand);
    int64_t last = static_cast<int64_t>(shape.size()) - 1;
    bool isSmall = getNumElements(shape) < INT32_MAX;
    if (isSmall)
      operandWidth =
          chooseWidth(target, getElementType(operand), getColumns(operand));
    if (spansLast()) {
      width = operandWidth;
      tiledDim = last;
      chunk = shape[last];
      while (chunk % 2 == 0 && (chunk / 2) % width == 0 && chunk > 64 &&
             shape[last] / chunk < 16)
        chunk /= 2;
    } else if (!shape.empty() &&
               is_contained(getDims(op, "input_batching_dims"), 0)) {
      tiledDim = 0;
      chunk = divideCeil(shape[0], 16);
    }
  }

  int64_t getNumTiles() const override {
    return tiledDim < 0
               ? 1
               : std::max<int64_t>(
                     divideCeil(getShape(operand)[tiledDim], chunk), 1);
  }

  void emit(BodyEmitter &emitter, Value *begin, Value *end) override {
    Part part{getShape(operand), operandWidth, tiledDim};
    if (tiledDim >= 0) {
      Value *size = emitter.getInt(getShape(operand)[tiledDim]);
      low = emitter.ir.CreateMul(begin, emitter.getInt(chunk));
      high = emitter.ir.CreateBinaryIntrinsic(
          Intrinsic::smin, emitter.ir.CreateMul(end, emitter.getInt(chunk)),
          size);
      part.low = low;
      part.high = high;
    }
    forEach(emitter, part, [&](const Index &at) {
      emitter.write(number, at, emitter.read(operand, at));
    });
    Index update;
    emitUpdates(emitter, update, 0);
  }

private:
  /// Whether windows span the operand's last dimension.
  bool spansLast() {
    ArrayRef<int64_t> windowDims = getDims(op, "update_window_dims");
    int64_t last = static_cast<int64_t>(getShape(operand).size()) - 1;
    return last >= 0 && !windowDims.empty() &&
           windowDims.back() ==
               static_cast<int64_t>(getShape(updates).size()) - 1 &&
           !is_contained(getDims(op, "inserted_window_dims"), last) &&
           !is_contained(getDims(op, "input_batching_dims"), last) &&
           !is_contained(getDims(op, "scatter_dims_to_operand_dims"), last) &&
           getShape(updates).back() == getShape(operand).back();
  }

  /// The dimension of the updates that goes with the operand's first.
  int64_t getTiledUpdateDim() {
    ArrayRef<int64_t> batching = getDims(op, "input_batching_dims");
    int64_t place = getDims(
        op,
        "scatter_indices_batching_dims")[find(batching, 0) - batching.begin()];
    int64_t vectorDim =
        op->getAttrOfType<mlir::IntegerAttr>("index_vector_dim").getInt();
    int64_t count = place > vectorDim ? place - 1 : place;
    for (size_t dim = 0; dim < getShape(updates).size(); ++dim)
      if (!isWindowDim(dim) && count-- == 0)
        return static_cast<int64_t>(dim);
    return -1;
  }

  bool isWindowDim(size_t dim) const {
    return is_contained(getDims(op, "update_window_dims"),
                        static_cast<int64_t>(dim));
  }

  /// Loops over index vectors, then over the window of each.
  void emitUpdates(BodyEmitter &emitter, Index &update, size_t dim) {
    ArrayRef<int64_t> shape = getShape(updates);
    update.shape.assign(shape.begin(), shape.end());
    update.coords.resize(shape.size());
    if (dim == shape.size())
      return emitWindow(emitter, update);
    if (isWindowDim(dim))
      return emitUpdates(emitter, update, dim + 1);
    bool isTiled = tiledDim == 0 && !spansLast() &&
                   getTiledUpdateDim() == static_cast<int64_t>(dim);
    Value *from = isTiled ? low : emitter.getInt(0);
    Value *to = isTiled ? high : emitter.getInt(shape[dim]);
    emitter.loop(from, to, 1, [&](Value *at) {
      update.coords[dim] = emitter.variable(at, 1);
      emitUpdates(emitter, update, dim + 1);
    });
  }

  /// Where the window of the present index vector starts in the operand, and
  /// whether all of it lies inside.
  Index getStart(BodyEmitter &emitter, const Index &update, Value *&isInside) {
    ArrayRef<int64_t> map = getDims(op, "scatter_dims_to_operand_dims");
    ArrayRef<int64_t> batching = getDims(op, "input_batching_dims");
    ArrayRef<int64_t> indicesBatching =
        getDims(op, "scatter_indices_batching_dims");
    int64_t vectorDim =
        op->getAttrOfType<mlir::IntegerAttr>("index_vector_dim").getInt();
    Index place;
    append_range(place.shape, getShape(indices));
    for (auto [dim, coord] : enumerate(update.coords))
      if (!isWindowDim(dim))
        place.coords.push_back(coord);
    bool isImplied = vectorDim == static_cast<int64_t>(place.shape.size());
    if (!isImplied)
      place.coords.insert(place.coords.begin() + vectorDim,
                          emitter.constant(0));
    bool isSigned = !getElementType(indices).isUnsignedInteger();
    Index start;
    append_range(start.shape, getShape(operand));
    SmallVector<int64_t> window = getWindow();
    isInside = emitter.ir.getTrue();
    for (size_t dim = 0; dim < start.shape.size(); ++dim) {
      Coord coord = emitter.constant(0);
      int64_t d = static_cast<int64_t>(dim);
      if (const int64_t *at = find(batching, d); at != batching.end())
        coord = place.coords[indicesBatching[at - batching.begin()]];
      if (const int64_t *at = find(map, d); at != map.end()) {
        if (!isImplied)
          place.coords[vectorDim] = emitter.constant(at - map.begin());
        coord = emitter.fromValue(emitter.read(indices, place).re, isSigned,
                                  place.getDepth());
        int64_t last = start.shape[dim] - window[dim];
        isInside = emitter.ir.CreateAnd(isInside, emitter.isAtLeast(coord, 0));
        isInside = emitter.ir.CreateAnd(
            isInside, emitter.ir.CreateNot(emitter.isAtLeast(coord, last + 1)));
      }
      start.coords.push_back(coord);
    }
    return start;
  }

  /// The window's size along each dimension of the operand.
  SmallVector<int64_t> getWindow() {
    SmallVector<int64_t> window;
    size_t next = 0;
    for (size_t dim = 0; dim < getShape(operand).size(); ++dim) {
      int64_t d = static_cast<int64_t>(dim);
      bool isLost = is_contained(getDims(op, "inserted_window_dims"), d) ||
                    is_contained(getDims(op, "input_batching_dims"), d);
      window.push_back(
          isLost
              ? 1
              : getShape(updates)[getDims(op, "update_window_dims")[next++]]);
    }
    return window;
  }

  void emitWindow(BodyEmitter &emitter, const Index &update) {
    Value *isInside = nullptr;
    Index start = getStart(emitter, update, isInside);
    emitter.branch(isInside, [&] {
      SmallVector<int64_t> window = getWindow();
      Part part{window, width};
      if (spansLast())
        part = {window, width, tiledDim, low, high};
      forEach(emitter, part, [&](const Index &within) {
        apply(emitter, update, start, within);
      });
    });
  }

  void apply(BodyEmitter &emitter, const Index &update, const Index &start,
             const Index &within) {
    Index source = update, target = start;
    size_t next = 0;
    for (size_t dim = 0; dim < start.coords.size(); ++dim) {
      int64_t d = static_cast<int64_t>(dim);
      if (is_contained(getDims(op, "inserted_window_dims"), d) ||
          is_contained(getDims(op, "input_batching_dims"), d))
        continue;
      source.coords[getDims(op, "update_window_dims")[next++]] =
          within.coords[dim];
      target.coords[dim] = emitter.add(start.coords[dim], within.coords[dim]);
    }
    mlir::Type type = getElementType(operand);
    Elem value = emitter.read(updates, source);
    if (auto kind = op->getAttrOfType<core::ReductionAttr>("kind")) {
      Elem old = emitter.load(type, emitter.getResultPointer(number),
                              emitter.linearize(target));
      value = emitter.spread(value);
      value = emitCombine(emitter, kind.getKind(), type, old, value);
      value.re = roundTo(emitter, type, value.re);
    }
    emitter.write(number, target, value);
  }

  mlir::Operation *op;
  unsigned number;
  mlir::Value operand, indices, updates;
  int64_t chunk = 1, width = 1, operandWidth = 1;
  int64_t tiledDim = -1;
  Value *low = nullptr, *high = nullptr;
};

/// A dynamic_update_slice of an argument. The argument may share its memory
/// with the result; then only the part is written.
class UpdateSchedule : public Schedule {
public:
  UpdateSchedule(mlir::Operation *op, const CpuTarget &target, unsigned number)
      : op(op), number(number), operand(op->getOperand(0)),
        update(op->getOperand(1)) {
    if (getNumElements(getShape(operand)) < INT32_MAX) {
      width = chooseWidth(target, getElementType(update), getColumns(update));
      operandWidth =
          chooseWidth(target, getElementType(update), getColumns(operand));
    }
    // Tiles are ranges of a dimension that the update spans.
    ArrayRef<int64_t> shape = getShape(update);
    for (size_t dim = 0; dim + 1 < shape.size() && tiledDim < 0; ++dim)
      if (shape[dim] > 1 && shape[dim] == getShape(operand)[dim]) {
        tiledDim = static_cast<int64_t>(dim);
        chunk = divideCeil(shape[dim], 16);
      }
  }

  int64_t getNumTiles() const override {
    return tiledDim < 0 ? 1 : divideCeil(getShape(update)[tiledDim], chunk);
  }

  void emit(BodyEmitter &emitter, Value *begin, Value *end) override {
    IRBuilder<> &ir = emitter.ir;
    Value *source = emitter.getFunction()->getArg(
        mlir::cast<mlir::BlockArgument>(operand).getArgNumber());
    Value *target = emitter.getResultPointer(number);
    Part whole{getShape(operand), operandWidth, tiledDim};
    Part part{getShape(update), width, tiledDim};
    if (tiledDim >= 0) {
      Value *size = emitter.getInt(getShape(update)[tiledDim]);
      whole.low = part.low = ir.CreateMul(begin, emitter.getInt(chunk));
      whole.high = part.high = ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateMul(end, emitter.getInt(chunk)), size);
    }
    // With shared memory, which is the common case, there is no copy.
    emitter.branch(ir.CreateICmpNE(source, target), [&] {
      forEach(emitter, whole, [&](const Index &at) {
        emitter.write(number, at, emitter.read(operand, at));
      });
    });
    forEach(emitter, part, [&](const Index &at) { writePart(emitter, at); });
  }

private:
  void writePart(BodyEmitter &emitter, const Index &at) {
    Index target;
    append_range(target.shape, getShape(operand));
    for (auto [dim, coord] : enumerate(at.coords)) {
      mlir::Value start = op->getOperand(dim + 2);
      int64_t last = target.shape[dim] - at.shape[dim];
      bool isSigned = !getElementType(start).isUnsignedInteger();
      Coord from = emitter.constant(0);
      if (last > 0)
        from = emitter.clamp(
            emitter.fromValue(emitter.read(start, Index()).re, isSigned, 0), 0,
            last);
      target.coords.push_back(emitter.add(coord, from));
    }
    emitter.write(number, target, emitter.spread(emitter.read(update, at)));
  }

  mlir::Operation *op;
  unsigned number;
  mlir::Value operand, update;
  int64_t width = 1, operandWidth = 1;
  int64_t tiledDim = -1, chunk = 1;
};

} // namespace

static mlir::Operation *getRoot(plan::KernelOp kernel, unsigned result,
                                StringRef name) {
  mlir::Operation *op = getResults(kernel)[result].getDefiningOp();
  return op && op->getName().getStringRef() == name ? op : nullptr;
}

std::unique_ptr<Schedule> makeScatterSchedule(plan::KernelOp kernel,
                                              const CpuTarget &target,
                                              unsigned result) {
  mlir::Operation *op = getRoot(kernel, result, "core.scatter");
  return op ? std::make_unique<ScatterSchedule>(op, target, result) : nullptr;
}

std::unique_ptr<Schedule> makeUpdateSchedule(plan::KernelOp kernel,
                                             const CpuTarget &target,
                                             unsigned result) {
  mlir::Operation *op = getRoot(kernel, result, "core.dynamic_update_slice");
  if (!op || !mlir::isa<mlir::BlockArgument>(op->getOperand(0)))
    return nullptr;
  return std::make_unique<UpdateSchedule>(op, target, result);
}

} // namespace partita::cpu
