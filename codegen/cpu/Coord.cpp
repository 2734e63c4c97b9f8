//===- Coord.cpp - Where the lanes of a vector lie in a tensor ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Coord.h"

#include "llvm/IR/Constants.h"

#include <numeric>

using namespace llvm;

namespace partita::cpu {

int64_t getNumElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int Index::getDepth() const {
  int depth = 0;
  for (const Coord &coord : coords)
    depth = std::max(depth, coord.depth);
  return depth;
}

bool Index::isUniform() const {
  return all_of(coords, [](const Coord &coord) { return coord.isUniform(); });
}

void appendKey(LoopBuilder::Key &key, const Coord &coord) {
  key.push_back(reinterpret_cast<uintptr_t>(coord.base));
  key.push_back(static_cast<uintptr_t>(coord.stride));
  key.push_back(reinterpret_cast<uintptr_t>(coord.lanes));
}

void appendKey(LoopBuilder::Key &key, const Index &index) {
  for (const Coord &coord : index.coords)
    appendKey(key, coord);
  for (int64_t size : index.shape)
    key.push_back(static_cast<uintptr_t>(size));
}

Coord CoordBuilder::constant(int64_t value) {
  Coord coord;
  coord.base = getInt(value);
  coord.multiple = std::abs(value);
  return coord;
}

Coord CoordBuilder::variable(Value *value, int64_t multiple, int64_t stride) {
  Coord coord;
  coord.base = value;
  coord.stride = stride;
  coord.multiple = multiple;
  if (auto *known = dyn_cast<ConstantInt>(value))
    coord.multiple = std::abs(known->getSExtValue());
  else
    coord.depth = getDepth();
  return coord;
}

/// Remembers coordinates as pairs of values: the memory of LoopBuilder holds
/// elements, so base (or lanes) goes into the first part.
template <typename Emit>
Coord CoordBuilder::memoize(const char *operation, const Coord &a, uintptr_t b,
                            const Coord *second, Emit emit) {
  Key key = {reinterpret_cast<uintptr_t>(operation), b,
             static_cast<uintptr_t>(lanes)};
  appendKey(key, a);
  if (second)
    appendKey(key, *second);
  Coord result;
  result.depth = std::max(a.depth, second ? second->depth : 0);
  if (Elem known = lookup(key)) {
    (known.re->getType()->isVectorTy() ? result.lanes : result.base) = known.re;
    return result;
  }
  emitAtDepth(result.depth, [&] {
    Value *value = emit();
    (value->getType()->isVectorTy() ? result.lanes : result.base) = value;
    remember(key, {value, nullptr});
  });
  return result;
}

Value *CoordBuilder::toLanes(const Coord &a) {
  if (a.lanes)
    return a.lanes;
  static const char kName[] = "lanes";
  return memoize(kName, a, 0, nullptr,
                 [&]() -> Value * {
                   Value *base = ir.CreateTrunc(a.base, ir.getInt32Ty());
                   Value *vector = ir.CreateVectorSplat(lanes, base);
                   if (a.stride == 0)
                     return vector;
                   SmallVector<uint32_t> steps;
                   for (int lane = 0; lane < lanes; ++lane)
                     steps.push_back(static_cast<uint32_t>(lane * a.stride));
                   return ir.CreateAdd(
                       vector, ConstantDataVector::get(ir.getContext(), steps));
                 })
      .lanes;
}

Value *CoordBuilder::toValue(const Coord &a, Type *type) {
  if (a.isUniform())
    return ir.CreateZExtOrTrunc(a.base, type);
  Value *vector = toLanes(a);
  return ir.CreateZExtOrTrunc(vector, FixedVectorType::get(type, lanes));
}

Coord CoordBuilder::add(const Coord &a, const Coord &b) {
  if (!a.lanes && a.multiple == 0 && a.stride == 0)
    return b;
  if (!b.lanes && b.multiple == 0 && b.stride == 0)
    return a;
  static const char kName[] = "add";
  Coord result = memoize(kName, a, 0, &b, [&]() -> Value * {
    if (a.lanes || b.lanes)
      return ir.CreateAdd(toLanes(a), toLanes(b));
    return ir.CreateAdd(a.base, b.base);
  });
  if (!result.lanes) {
    result.stride = a.stride + b.stride;
    result.multiple = std::gcd(a.multiple, b.multiple);
  }
  return result;
}

Coord CoordBuilder::multiply(const Coord &a, int64_t factor) {
  if (factor == 1)
    return a;
  if (factor == 0)
    return constant(0);
  static const char kName[] = "multiply";
  Coord result =
      memoize(kName, a, static_cast<uintptr_t>(factor), nullptr, [&] {
        Value *value = a.lanes ? a.lanes : a.base;
        return ir.CreateMul(value,
                            ConstantInt::getSigned(value->getType(), factor));
      });
  if (!result.lanes) {
    result.stride = a.stride * factor;
    result.multiple = a.multiple * std::abs(factor);
  }
  return result;
}

std::pair<Coord, Coord> CoordBuilder::divide(const Coord &a, int64_t divisor) {
  if (divisor == 1)
    return {a, constant(0)};
  // Lanes that stay within one multiple of the divisor share the quotient.
  int64_t within = std::gcd(a.multiple, divisor);
  int64_t span = a.stride * (lanes - 1);
  bool sharesQuotient = a.isUniform() || (a.stride > 0 && span < within);
  bool sharesRemainder = a.stride % divisor == 0;
  static const char kQuotient[] = "quotient", kRemainder[] = "remainder";
  auto emit = [&](const char *name, bool isQuotient) {
    return memoize(name, a, static_cast<uintptr_t>(divisor), nullptr, [&] {
      bool isScalar = !a.lanes && (sharesQuotient || sharesRemainder);
      Value *value = isScalar ? a.base : toLanes(a);
      Value *by = ConstantInt::get(value->getType(), divisor);
      return isQuotient ? ir.CreateUDiv(value, by) : ir.CreateURem(value, by);
    });
  };
  Coord quotient = emit(kQuotient, true), remainder = emit(kRemainder, false);
  if (a.multiple != 0 && a.multiple % divisor == 0 && !quotient.lanes)
    quotient.multiple = a.multiple / divisor;
  if (!remainder.lanes) {
    remainder.multiple = within == divisor ? 0 : within;
    if (remainder.multiple == 0)
      remainder.base = getInt(0);
  }
  if (a.multiple == 0 && !a.lanes)
    quotient.multiple = 0;
  if (sharesQuotient && !a.lanes)
    remainder.stride = a.stride;
  else if (!quotient.lanes)
    quotient.stride = a.stride / divisor;
  return {quotient, remainder};
}

/// Whether the lanes of `a` stay between two multiples of their number, given
/// that `border` is such a multiple too: then all are on one side of it.
static bool agree(const Coord &a, int lanes, int64_t border) {
  return !a.lanes && a.stride == 1 && a.multiple % lanes == 0 &&
         border % lanes == 0;
}

Coord CoordBuilder::clamp(const Coord &a, int64_t low, int64_t high) {
  static const char kName[] = "clamp";
  bool together = agree(a, lanes, low) && agree(a, lanes, high + 1);
  Coord bound = constant(low);
  int64_t last = together ? high + 1 - lanes : high;
  Coord result =
      memoize(kName, a, static_cast<uintptr_t>(high), &bound, [&]() -> Value * {
        Value *value = together || a.isUniform() ? a.base : toLanes(a);
        auto get = [&](int64_t number) {
          return ConstantInt::getSigned(value->getType(), number);
        };
        value = ir.CreateBinaryIntrinsic(Intrinsic::smax, value, get(low));
        return ir.CreateBinaryIntrinsic(Intrinsic::smin, value, get(last));
      });
  if (together) {
    result.stride = 1;
    result.multiple = lanes;
  }
  return result;
}

Value *CoordBuilder::isAtLeast(const Coord &a, int64_t b) {
  Value *value = a.isUniform() || agree(a, lanes, b) ? a.base : toLanes(a);
  return ir.CreateICmpSGE(value, ConstantInt::getSigned(value->getType(), b));
}

Value *CoordBuilder::equals(const Coord &a, int64_t b) {
  Value *value = a.isUniform() ? a.base : toLanes(a);
  return ir.CreateICmpEQ(value, ConstantInt::getSigned(value->getType(), b));
}

Value *CoordBuilder::widen(Value *value, bool isSigned) {
  // Coordinates beyond 31 bits are out of range of any tensor that vectors are
  // used for; saturate so that they stay so.
  Type *type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  auto limit = [&](Intrinsic::ID id, int64_t bound) {
    value = ir.CreateBinaryIntrinsic(id, value,
                                     ConstantInt::getSigned(type, bound));
  };
  if (!type->isVectorTy()) {
    if (bits == 64 && !isSigned)
      limit(Intrinsic::umin, INT64_MAX);
    return isSigned ? ir.CreateSExtOrTrunc(value, ir.getInt64Ty())
                    : ir.CreateZExtOrTrunc(value, ir.getInt64Ty());
  }
  if (isSigned && bits > 32) {
    limit(Intrinsic::smax, INT32_MIN);
    limit(Intrinsic::smin, INT32_MAX);
  } else if (!isSigned && bits >= 32) {
    limit(Intrinsic::umin, INT32_MAX);
  }
  Type *target = FixedVectorType::get(ir.getInt32Ty(), lanes);
  return isSigned ? ir.CreateSExtOrTrunc(value, target)
                  : ir.CreateZExtOrTrunc(value, target);
}

Coord CoordBuilder::fromValue(Value *value, bool isSigned, int depth) {
  static const char kName[] = "value";
  Coord coord;
  coord.base = value; // Only as a key: may be a vector, of any width.
  coord.depth = depth;
  return memoize(kName, coord, isSigned, nullptr,
                 [&] { return widen(value, isSigned); });
}

Coord CoordBuilder::linearize(const Index &index) {
  Coord linear = constant(0);
  for (auto [coord, size] : zip(index.coords, index.shape))
    linear = add(multiply(linear, size), coord);
  return linear;
}

void CoordBuilder::splitGroup(Coord linear, ArrayRef<int64_t> sizes,
                              SmallVectorImpl<Coord> &result) {
  SmallVector<Coord> reversed;
  for (int64_t size : reverse(sizes.drop_front())) {
    auto [quotient, remainder] = divide(linear, size);
    reversed.push_back(remainder);
    linear = quotient;
  }
  reversed.push_back(linear);
  result.append(reversed.rbegin(), reversed.rend());
}

/// Cuts two shapes of equal size into groups of dimensions, both of which hold
/// the same number of elements: calls visit(from begin, end, to begin, end).
static void
forEachGroup(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
             function_ref<void(size_t, size_t, size_t, size_t)> visit) {
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t firstI = i, firstJ = j;
    int64_t a = i < from.size() ? from[i++] : 1;
    int64_t b = j < to.size() ? to[j++] : 1;
    while (a != b) {
      if (a < b)
        a *= from[i++];
      else
        b *= to[j++];
    }
    visit(firstI, i, firstJ, j);
  }
}

Index CoordBuilder::reindex(const Index &index, ArrayRef<int64_t> shape) {
  if (ArrayRef<int64_t>(index.shape) == shape)
    return index;
  Index result;
  result.shape.assign(shape.begin(), shape.end());
  if (getNumElements(shape) == 0) {
    result.coords.assign(shape.size(), constant(0));
    return result;
  }
  // Dimensions of size one say nothing; leave them out of the matching.
  Index squeezed;
  for (auto [coord, size] : zip(index.coords, index.shape))
    if (size != 1) {
      squeezed.coords.push_back(coord);
      squeezed.shape.push_back(size);
    }
  SmallVector<int64_t> sizes;
  copy_if(shape, std::back_inserter(sizes),
          [](int64_t size) { return size != 1; });
  SmallVector<Coord> coords;
  forEachGroup(squeezed.shape, sizes,
               [&](size_t from, size_t fromEnd, size_t to, size_t toEnd) {
                 Index group;
                 for (size_t i = from; i < fromEnd; ++i) {
                   group.coords.push_back(squeezed.coords[i]);
                   group.shape.push_back(squeezed.shape[i]);
                 }
                 splitGroup(linearize(group),
                            ArrayRef(sizes).slice(to, toEnd - to), coords);
               });
  size_t next = 0;
  for (int64_t size : shape)
    result.coords.push_back(size == 1 ? constant(0) : coords[next++]);
  return result;
}

} // namespace partita::cpu
