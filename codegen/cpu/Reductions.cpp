//===- Reductions.cpp - Elements of reductions and products ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/BodyEmitter.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Pointwise.h"
#include "ir/core/Core.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace partita::cpu {

/// A reduction being emitted. Neighbouring dimensions of the operand that are
/// reduced are one group, as is each dimension that is kept.
struct BodyEmitter::Reduction {
  mlir::Value operand;
  mlir::Type type;
  ReductionKind kind = ReductionKind::Sum;
  Elem identity;
  SmallVector<int64_t> sizes;
  SmallVector<bool> isReduced;
  int laneGroup = -1; ///< The group that vectors run along.
  int64_t width = 1;  ///< Lanes along that group.
  /// Memory of the accumulators: of vectors, and of what is left over.
  Elem vectorSum, scalarSum;
  int vectorLanes = 1;
  Value *rows = nullptr; ///< Where the elements that were read are kept.
};

static int64_t getWidth(const CpuTarget &target, int64_t size, int64_t bytes) {
  int64_t native = target.getLanes(static_cast<int>(bytes));
  if (size < native)
    return 1;
  return std::min<int64_t>(4 * native, bit_floor(static_cast<uint64_t>(size)));
}

static Elem allocateSum(BodyEmitter &emitter, mlir::Type type, int lanes,
                        Elem identity) {
  auto allocate = [&](Value *start) -> Value * {
    if (!start)
      return nullptr;
    Value *initial = splat(emitter, lanes, start);
    Value *memory = emitter.allocate(initial->getType(), 1, "sum");
    emitter.ir.CreateStore(initial, memory);
    return memory;
  };
  return {allocate(identity.re), allocate(identity.im)};
}

void BodyEmitter::accumulate(Reduction &reduction, const Index &index) {
  Elem value = read(reduction.operand, index);
  bool isVector = reduction.vectorSum && lanes == reduction.vectorLanes;
  Elem memory = isVector ? reduction.vectorSum : reduction.scalarSum;
  int count = isVector ? lanes : 1;
  if (reduction.rows) {
    storePart(reduction.rows, index.coords.back(), value.re);
  }
  auto both = [&](Value *x) { return x ? splat(*this, count, x) : nullptr; };
  value = {both(value.re), both(value.im)};
  Type *type = value.re->getType();
  Elem old = {ir.CreateLoad(type, memory.re),
              memory.im ? ir.CreateLoad(type, memory.im) : nullptr};
  Elem sum = emitCombine(*this, reduction.kind, reduction.type, old, value);
  ir.CreateStore(sum.re, memory.re);
  if (sum.im)
    ir.CreateStore(sum.im, memory.im);
}

void BodyEmitter::emitReduceLoops(Reduction &reduction, size_t group,
                                  Index &index) {
  // Groups in order, but the one of the lanes innermost.
  if (group == reduction.sizes.size()) {
    if (reduction.laneGroup < 0)
      return accumulate(reduction, index);
    int64_t size = reduction.sizes[reduction.laneGroup];
    laneLoop(getInt(0), getInt(size), reduction.width, 0,
             size % reduction.width != 0, [&](const Coord &at) {
               index.coords[reduction.laneGroup] = at;
               accumulate(reduction, index);
             });
    return;
  }
  if (!reduction.isReduced[group] ||
      static_cast<int>(group) == reduction.laneGroup)
    return emitReduceLoops(reduction, group + 1, index);
  loop(0, reduction.sizes[group], 1, [&](Value *at) {
    index.coords[group] = variable(at, 1);
    emitReduceLoops(reduction, group + 1, index);
  });
}

Elem BodyEmitter::combineLanes(ReductionKind kind, mlir::Type type,
                               Elem value) {
  int count = getLanes(value.re);
  while (count > 1) {
    count /= 2;
    SmallVector<int> low, high;
    for (int lane = 0; lane < count; ++lane) {
      low.push_back(lane);
      high.push_back(count + lane);
    }
    auto take = [&](Value *x, ArrayRef<int> mask) {
      return x ? ir.CreateShuffleVector(x, mask) : nullptr;
    };
    value = emitCombine(*this, kind, type,
                        {take(value.re, low), take(value.im, low)},
                        {take(value.re, high), take(value.im, high)});
  }
  auto first = [&](Value *x) {
    return x && x->getType()->isVectorTy()
               ? ir.CreateExtractElement(x, uint64_t(0))
               : x;
  };
  return {first(value.re), first(value.im)};
}

BodyEmitter::Reduction
BodyEmitter::groupDims(mlir::Operation *op, const Index &index, Index &inner) {
  auto reduce = mlir::cast<core::ReduceOp>(op);
  Reduction reduction;
  reduction.operand = reduce.getOperand();
  reduction.type = getElementType(reduction.operand);
  reduction.kind = reduce.getKind().getKind();
  reduction.identity =
      getIdentity(ir.getContext(), reduction.kind, reduction.type);
  int laneDim = getLaneDim(reduction.operand);
  size_t next = 0;
  for (auto [dim, size] : enumerate(getShape(reduction.operand))) {
    bool isReduced = is_contained(reduce.getDims(), static_cast<int64_t>(dim));
    bool joins = isReduced && dim > 0 && reduction.isReduced.back();
    if (joins) {
      reduction.sizes.back() *= size;
    } else {
      reduction.sizes.push_back(size);
      reduction.isReduced.push_back(isReduced);
      inner.coords.push_back(isReduced ? constant(0) : index.coords[next]);
    }
    next += isReduced ? 0 : 1;
    if (static_cast<int>(dim) == laneDim && isReduced && index.isUniform())
      reduction.laneGroup = static_cast<int>(reduction.sizes.size()) - 1;
  }
  inner.shape.assign(reduction.sizes.begin(), reduction.sizes.end());
  return reduction;
}

Elem BodyEmitter::finishReduce(Reduction &reduction, bool isLanewise) {
  auto load = [&](Elem memory, int count) -> Elem {
    if (!memory)
      return {};
    Type *part = reduction.identity.re->getType();
    Type *type = count > 1
                     ? static_cast<Type *>(FixedVectorType::get(part, count))
                     : part;
    return {ir.CreateLoad(type, memory.re),
            memory.im ? ir.CreateLoad(type, memory.im) : nullptr};
  };
  Elem result = load(reduction.vectorSum, reduction.vectorLanes);
  if (!isLanewise) {
    Elem rest = load(reduction.scalarSum, 1);
    if (result)
      result = emitCombine(*this, reduction.kind, reduction.type,
                           combineLanes(reduction.kind, reduction.type, result),
                           rest);
    else
      result = rest;
  }
  result.re = roundTo(*this, reduction.type, result.re);
  return result;
}

Elem BodyEmitter::readReduce(mlir::Operation *op, const Index &index) {
  Index inner;
  Reduction reduction = groupDims(op, index, inner);
  int64_t bytes =
      reduction.identity.re->getType()->getScalarSizeInBits() <= 32 ? 4 : 8;
  bool fits = getNumElements(getShape(reduction.operand)) < INT32_MAX;
  if (reduction.laneGroup >= 0 && fits)
    reduction.width =
        getWidth(target, reduction.sizes[reduction.laneGroup], bytes);
  bool isLanewise = !index.isUniform();
  reduction.vectorLanes =
      isLanewise ? lanes : static_cast<int>(reduction.width);
  if (reduction.vectorLanes > 1)
    reduction.vectorSum = allocateSum(
        *this, reduction.type, reduction.vectorLanes, reduction.identity);
  if (!isLanewise)
    reduction.scalarSum =
        allocateSum(*this, reduction.type, 1, reduction.identity);

  bool keeps = kept.contains(reduction.operand) &&
               !hasView(reduction.operand) && reduction.laneGroup >= 0 &&
               reduction.laneGroup + 1 == static_cast<int>(inner.shape.size());
  if (keeps)
    reduction.rows = allocate(getRegisterType(ir.getContext(), reduction.type),
                              inner.shape.back(), "row");
  int before = lanes;
  if (!isLanewise)
    lanes = 1;
  Index at = inner;
  emitReduceLoops(reduction, 0, at);
  lanes = before;
  if (keeps) {
    View view;
    view.pointer = reduction.rows;
    view.isRaw = true;
    view.shape = inner.shape;
    view.strides.assign(inner.shape.size(), 0);
    view.strides.back() = 1;
    view.origin = inner.coords;
    view.origin.back() = constant(0);
    setView(reduction.operand, view);
  }
  return finishReduce(reduction, isLanewise);
}

/// The plain definition, for products that no schedule takes care of.
Elem BodyEmitter::readDot(mlir::Operation *op, const Index &index) {
  auto dot = mlir::cast<core::DotOp>(op);
  mlir::Type type = getElementType(dot.getResult());
  Index left, right;
  llvm::append_range(left.shape, getShape(dot.getLhs()));
  llvm::append_range(right.shape, getShape(dot.getRhs()));
  left.coords.resize(left.shape.size());
  right.coords.resize(right.shape.size());
  size_t next = 0;
  for (auto [a, b] : zip(dot.getLhsBatch(), dot.getRhsBatch()))
    left.coords[a] = right.coords[b] = index.coords[next++];
  auto fill = [&](Index &side, ArrayRef<int64_t> batch,
                  ArrayRef<int64_t> contract) {
    for (auto [dim, coord] : enumerate(side.coords)) {
      int64_t d = static_cast<int64_t>(dim);
      if (!is_contained(batch, d) && !is_contained(contract, d))
        coord = index.coords[next++];
    }
  };
  fill(left, dot.getLhsBatch(), dot.getLhsContract());
  fill(right, dot.getRhsBatch(), dot.getRhsContract());

  Elem identity = getIdentity(ir.getContext(), ReductionKind::Sum, type);
  int count = index.isUniform() ? 1 : lanes;
  Elem sum = allocateSum(*this, type, count, identity);
  int64_t size = 1;
  for (int64_t dim : dot.getLhsContract())
    size *= left.shape[dim];
  loop(0, size, 1, [&](Value *at) {
    Coord rest = variable(at, 1);
    for (auto [a, b] :
         reverse(zip(dot.getLhsContract(), dot.getRhsContract()))) {
      auto [quotient, remainder] = divide(rest, left.shape[a]);
      left.coords[a] = right.coords[b] = remainder;
      rest = quotient;
    }
    auto spread = [&](Elem x) -> Elem {
      return {splat(*this, count, x.re),
              x.im ? splat(*this, count, x.im) : nullptr};
    };
    Elem a = spread(emitConvert(*this, read(dot.getLhs(), left),
                                getElementType(dot.getLhs()), type));
    Elem b = spread(emitConvert(*this, read(dot.getRhs(), right),
                                getElementType(dot.getRhs()), type));
    Type *vector = a.re->getType();
    Elem old = {ir.CreateLoad(vector, sum.re),
                sum.im ? ir.CreateLoad(vector, sum.im) : nullptr};
    // Products of narrow floats are not rounded before they are summed.
    Elem product = emitCombine(*this, ReductionKind::Mul, type, a, b);
    Elem next = emitCombine(*this, ReductionKind::Sum, type, old, product);
    ir.CreateStore(next.re, sum.re);
    if (next.im)
      ir.CreateStore(next.im, sum.im);
  });
  Type *vector = splat(*this, count, identity.re)->getType();
  Elem result = {ir.CreateLoad(vector, sum.re),
                 sum.im ? ir.CreateLoad(vector, sum.im) : nullptr};
  result.re = roundTo(*this, type, result.re);
  return result;
}

} // namespace partita::cpu
