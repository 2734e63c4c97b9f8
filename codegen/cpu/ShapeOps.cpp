//===- ShapeOps.cpp - Elements of ops that move elements ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/BodyEmitter.h"

#include "codegen/cpu/ElementTypes.h"
#include "ir/core/Types.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace partita::cpu {

static ArrayRef<int64_t> getDims(mlir::Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
  return attribute ? attribute.asArrayRef() : ArrayRef<int64_t>();
}

static Index makeIndex(mlir::Value value) {
  Index index;
  ArrayRef<int64_t> shape = getShape(value);
  index.shape.assign(shape.begin(), shape.end());
  return index;
}

Elem BodyEmitter::select(Value *condition, Elem yes, Elem no) {
  auto choose = [&](Value *a, Value *b) {
    int count = std::max({getLanes(condition), getLanes(a), getLanes(b)});
    return ir.CreateSelect(splat(*this, count, condition),
                           splat(*this, count, a), splat(*this, count, b));
  };
  return {choose(yes.re, no.re), yes.im ? choose(yes.im, no.im) : nullptr};
}

Elem BodyEmitter::readBroadcast(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  Index inner = makeIndex(operand);
  for (auto [size, dim] : zip(inner.shape, getDims(op, "dims")))
    inner.coords.push_back(size == 1 ? constant(0) : index.coords[dim]);
  return read(operand, inner);
}

Elem BodyEmitter::readTranspose(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  Index inner = makeIndex(operand);
  inner.coords.resize(inner.shape.size());
  for (auto [dim, source] : enumerate(getDims(op, "permutation")))
    inner.coords[source] = index.coords[dim];
  return read(operand, inner);
}

Elem BodyEmitter::readSlice(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  Index inner = makeIndex(operand);
  for (auto [coord, start, stride] :
       zip(index.coords, getDims(op, "starts"), getDims(op, "strides")))
    inner.coords.push_back(add(multiply(coord, stride), start));
  return read(operand, inner);
}

/// Both conditions, in as many lanes as the wider of them has.
static Value *makeAnd(BodyEmitter &body, Value *a, Value *b) {
  int count = std::max(getLanes(a), getLanes(b));
  return body.ir.CreateAnd(splat(body, count, a), splat(body, count, b));
}

Elem BodyEmitter::readPad(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  Elem padding = read(op->getOperand(1), Index());
  ArrayRef<int64_t> low = getDims(op, "low"),
                    interior = getDims(op, "interior");
  Index inner = makeIndex(operand);
  Value *inside = ir.getTrue();
  auto require = [&](Value *condition) {
    inside = makeAnd(*this, inside, condition);
  };
  for (auto [dim, size] : enumerate(inner.shape)) {
    if (size == 0)
      return padding;
    Coord at = add(index.coords[dim], -low[dim]);
    int64_t step = (interior.empty() ? 0 : interior[dim]) + 1;
    int64_t last = (size - 1) * step;
    bool reachesBelow = low[dim] > 0;
    bool reachesAbove = index.shape[dim] - low[dim] > last + 1;
    if (reachesBelow)
      require(isAtLeast(at, 0));
    if (reachesAbove)
      require(ir.CreateNot(isAtLeast(at, last + 1)));
    if (reachesBelow || reachesAbove)
      at = clamp(at, 0, last);
    if (step > 1) {
      auto [quotient, remainder] = divide(at, step);
      require(equals(remainder, 0));
      at = quotient;
    }
    inner.coords.push_back(at);
  }
  return select(inside, read(operand, inner), padding);
}

Elem BodyEmitter::readConcatenate(mlir::Operation *op, const Index &index) {
  int64_t dim = op->getAttrOfType<mlir::IntegerAttr>("dim").getInt();
  Elem result;
  int64_t begin = 0;
  for (mlir::Value operand : op->getOperands()) {
    Index inner = makeIndex(operand);
    int64_t size = inner.shape[dim];
    if (size == 0)
      continue;
    inner.coords = index.coords;
    Coord at = add(index.coords[dim], -begin);
    inner.coords[dim] = clamp(at, 0, size - 1);
    Elem part = read(operand, inner);
    result = result ? select(isAtLeast(at, 0), part, result) : part;
    begin += size;
  }
  return result;
}

Elem BodyEmitter::readReverse(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  Index inner = makeIndex(operand);
  inner.coords = index.coords;
  for (int64_t dim : getDims(op, "dims"))
    inner.coords[dim] =
        add(multiply(index.coords[dim], -1), inner.shape[dim] - 1);
  return read(operand, inner);
}

/// An element's bits in an integer of just as many; not of complex numbers.
static Value *getBits(LoopBuilder &builder, mlir::Type type, Elem value) {
  IRBuilder<> &ir = builder.ir;
  Value *memory = toMemory(builder, type, value.re);
  Value *bits = ir.CreateBitCast(
      memory,
      getTypeLike(ir.getIntNTy(memory->getType()->getScalarSizeInBits()),
                  memory));
  return ir.CreateTrunc(
      bits, getTypeLike(ir.getIntNTy(getBitWidth(*toDType(type))), bits));
}

static Elem fromBits(LoopBuilder &builder, mlir::Type type, Value *bits) {
  IRBuilder<> &ir = builder.ir;
  Type *memory = getMemoryType(ir.getContext(), type);
  bits = ir.CreateZExt(
      bits, getTypeLike(ir.getIntNTy(memory->getScalarSizeInBits()), bits));
  return {fromMemory(builder, type,
                     ir.CreateBitCast(bits, getTypeLike(memory, bits))),
          nullptr};
}

Elem BodyEmitter::readRepack(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  mlir::Type from = getElementType(operand);
  mlir::Type to = getElementType(op->getResult(0));
  if (mlir::isa<mlir::ComplexType>(from) || mlir::isa<mlir::ComplexType>(to))
    return fail(op, index);
  unsigned fromWidth = getBitWidth(*toDType(from));
  unsigned toWidth = getBitWidth(*toDType(to));
  Index inner = makeIndex(operand);
  inner.coords = index.coords;
  if (fromWidth > toWidth) {
    Coord part = inner.coords.pop_back_val();
    Value *bits = getBits(*this, from, read(operand, inner));
    Value *shift =
        toValue(multiply(part, toWidth), bits->getType()->getScalarType());
    int count = std::max(getLanes(bits), getLanes(shift));
    bits = ir.CreateLShr(splat(*this, count, bits), splat(*this, count, shift));
    return fromBits(
        *this, to,
        ir.CreateTrunc(bits, getTypeLike(ir.getIntNTy(toWidth), bits)));
  }
  inner.coords.push_back(constant(0));
  Value *joined = nullptr;
  for (unsigned low = 0; low < toWidth; low += fromWidth) {
    inner.coords.back() = constant(low / fromWidth);
    Value *bits = getBits(*this, from, read(operand, inner));
    bits = ir.CreateZExt(bits, getTypeLike(ir.getIntNTy(toWidth), bits));
    bits = ir.CreateShl(bits, low);
    joined = joined ? ir.CreateOr(joined, bits) : bits;
  }
  return fromBits(*this, to, joined);
}

Elem BodyEmitter::readIota(mlir::Operation *op, const Index &index) {
  int64_t dim = op->getAttrOfType<mlir::IntegerAttr>("dim").getInt();
  mlir::Type type = getElementType(op->getResult(0));
  const Coord &coord = index.coords[dim];
  Type *part = getRegisterType(ir.getContext(), type);
  if (part->isIntegerTy())
    return {toValue(coord, part), nullptr};
  Value *position = toValue(coord, ir.getInt32Ty());
  Value *value = ir.CreateUIToFP(position, getTypeLike(part, position));
  value = roundTo(*this, type, value);
  if (!mlir::isa<mlir::ComplexType>(type))
    return {value, nullptr};
  return {value, Constant::getNullValue(value->getType())};
}

Elem BodyEmitter::readDynamicSlice(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0);
  Index inner = makeIndex(operand);
  for (auto [dim, size] : enumerate(inner.shape)) {
    mlir::Value start = op->getOperand(dim + 1);
    if (size == index.shape[dim]) {
      inner.coords.push_back(index.coords[dim]);
      continue;
    }
    bool isSigned = !getElementType(start).isUnsignedInteger();
    Coord from = fromValue(read(start, Index()).re, isSigned, 0);
    from = clamp(from, 0, size - index.shape[dim]);
    inner.coords.push_back(add(index.coords[dim], from));
  }
  return read(operand, inner);
}

Elem BodyEmitter::readDynamicUpdateSlice(mlir::Operation *op,
                                         const Index &index) {
  mlir::Value operand = op->getOperand(0), update = op->getOperand(1);
  Index inner = makeIndex(update);
  Value *inside = ir.getTrue();
  auto require = [&](Value *condition) {
    inside = makeAnd(*this, inside, condition);
  };
  for (auto [dim, size] : enumerate(inner.shape)) {
    if (size == 0)
      return read(operand, index);
    if (size == index.shape[dim]) {
      inner.coords.push_back(index.coords[dim]);
      continue;
    }
    mlir::Value start = op->getOperand(dim + 2);
    bool isSigned = !getElementType(start).isUnsignedInteger();
    Coord from = fromValue(read(start, Index()).re, isSigned, 0);
    from = clamp(from, 0, index.shape[dim] - size);
    Coord at = add(index.coords[dim], multiply(from, -1));
    require(isAtLeast(at, 0));
    require(ir.CreateNot(isAtLeast(at, size)));
    inner.coords.push_back(clamp(at, 0, size - 1));
  }
  return select(inside, read(update, inner), read(operand, index));
}

Elem BodyEmitter::readGather(mlir::Operation *op, const Index &index) {
  mlir::Value operand = op->getOperand(0), indices = op->getOperand(1);
  ArrayRef<int64_t> offsetDims = getDims(op, "offset_dims");
  ArrayRef<int64_t> indexMap = getDims(op, "start_index_map");
  ArrayRef<int64_t> sizes = getDims(op, "slice_sizes");
  ArrayRef<int64_t> collapsed = getDims(op, "collapsed_slice_dims");
  ArrayRef<int64_t> batching = getDims(op, "operand_batching_dims");
  ArrayRef<int64_t> indicesBatching =
      getDims(op, "start_indices_batching_dims");
  int64_t vectorDim =
      op->getAttrOfType<mlir::IntegerAttr>("index_vector_dim").getInt();

  // Coordinates of the result: those within the slice, and those of the index
  // vector, with room for its component.
  SmallVector<Coord> offsets;
  Index place = makeIndex(indices);
  for (auto [dim, coord] : enumerate(index.coords)) {
    if (is_contained(offsetDims, static_cast<int64_t>(dim)))
      offsets.push_back(coord);
    else
      place.coords.push_back(coord);
  }
  bool isImplied = vectorDim == static_cast<int64_t>(place.shape.size());
  if (!isImplied)
    place.coords.insert(place.coords.begin() + vectorDim, constant(0));

  bool isSigned = !getElementType(indices).isUnsignedInteger();
  Index inner = makeIndex(operand);
  size_t nextOffset = 0;
  for (auto [d, size] : enumerate(inner.shape)) {
    int64_t dim = static_cast<int64_t>(d);
    Coord coord = constant(0);
    if (const int64_t *at = find(batching, dim); at != batching.end())
      coord = place.coords[indicesBatching[at - batching.begin()]];
    else if (!is_contained(collapsed, dim))
      coord = offsets[nextOffset++];
    if (const int64_t *at = find(indexMap, dim); at != indexMap.end()) {
      Index component = place;
      if (!isImplied)
        component.coords[vectorDim] = constant(at - indexMap.begin());
      Coord start = fromValue(read(indices, component).re, isSigned,
                              component.getDepth());
      coord = add(coord, clamp(start, 0, size - sizes[dim]));
    }
    inner.coords.push_back(coord);
  }
  return read(operand, inner);
}

} // namespace partita::cpu
