//===- ReduceKernels.h - One instruction set's reductions -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once for each instruction set, by a file that is compiled for it. To
// keep code for one machine from serving another, all here is the file's own,
// and nothing may use inline functions from headers.
//
// What counts is written with vectors of the compiler's own kind (64 bytes
// wide, whatever the machine's registers are), the rest element by element.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_COMM_INPROC_REDUCEKERNELS_H
#define PARTITA_RUNTIME_COMM_INPROC_REDUCEKERNELS_H

#include "runtime/comm/inproc/Reduce.h"
#include "support/SmallFloat.h"

namespace partita {
namespace {

//===----------------------------------------------------------------------===//
// Lanes: elements as they lie in memory, and as a vector of values
//===----------------------------------------------------------------------===//

template <typename T, int N>
using Vector = T __attribute__((vector_size(N * sizeof(T))));

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}
template <typename V> V loadFrom(const void *from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(v));
  return v;
}

/// Combined as they are.
template <typename T> struct Plain {
  using Stored = T;
  static constexpr int kLanes = 64 / sizeof(T);
  using Values = Vector<T, kLanes>;
  static Values load(const Stored *from) { return loadFrom<Values>(from); }
  static void store(Values values, Stored *to) {
    __builtin_memcpy(to, &values, sizeof(values));
  }
};

struct BFloat16 {
  using Stored = uint16_t;
  static constexpr int kLanes = 16;
  using Values = Vector<float, kLanes>;
  using Bits = Vector<uint32_t, kLanes>;
  using Halves = Vector<uint16_t, kLanes>;
  static Values load(const Stored *from) {
    Bits bits = __builtin_convertvector(loadFrom<Halves>(from), Bits);
    return bitCast<Values>(bits << 16);
  }
  static void store(Values values, Stored *to) {
    Bits bits = bitCast<Bits>(values);
    Bits rounded = bits + 0x7fff + (bits >> 16 & 1);
    Bits kept = values != values ? bits | 0x400000 : rounded;
    Halves halves = __builtin_convertvector(kept >> 16, Halves);
    __builtin_memcpy(to, &halves, sizeof(halves));
  }
};

struct Float16 {
  using Stored = uint16_t;
  static constexpr int kLanes = 16;
  using Values = Vector<float, kLanes>;
  using Halves = Vector<_Float16, kLanes>;
  static Values load(const Stored *from) {
    return __builtin_convertvector(loadFrom<Halves>(from), Values);
  }
  static void store(Values values, Stored *to) {
    Halves halves = __builtin_convertvector(values, Halves);
    __builtin_memcpy(to, &halves, sizeof(halves));
  }
};

template <DType Type> struct Small {
  using Stored = uint8_t;
  static constexpr int kLanes = 1;
  using Values = float;
  static Values load(const Stored *from) {
    return decodeSmallFloat(Type, *from);
  }
  static void store(Values value, Stored *to) {
    *to = encodeSmallFloat(Type, value);
  }
};

/// Integers of `Bits` bits in the low part of a byte.
template <int Bits, bool IsSigned> struct Narrow {
  using Stored = uint8_t;
  static constexpr int kLanes = 1;
  using Values = int32_t;
  static Values load(const Stored *from) {
    int32_t value = *from & ((1 << Bits) - 1);
    return IsSigned && value >> (Bits - 1) ? value - (1 << Bits) : value;
  }
  static void store(Values value, Stored *to) {
    *to = static_cast<Stored>(value & ((1 << Bits) - 1));
  }
};

template <typename T> struct ComplexValue {
  T re, im;
};
template <typename T> struct Complex {
  using Stored = ComplexValue<T>;
  static constexpr int kLanes = 1;
  using Values = ComplexValue<T>;
  static Values load(const Stored *from) { return *from; }
  static void store(Values value, Stored *to) { *to = value; }
};

//===----------------------------------------------------------------------===//
// Combination of two values
//===----------------------------------------------------------------------===//

template <typename T>
ComplexValue<T> operator*(ComplexValue<T> a, ComplexValue<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// For each lane of a vector. Integers never are.
template <typename V> auto isNaN(V a) {
  return a != a; // NOLINT(misc-redundant-expression): not where it is NaN
}

/// Maxima and minima keep `a` where it is NaN; a NaN in `b` fails the
/// comparison and is taken.
template <ReductionKind Kind, typename V> V combine(V a, V b) {
  if constexpr (Kind == ReductionKind::Sum)
    return a + b;
  else if constexpr (Kind == ReductionKind::Mul)
    return a * b;
  else if constexpr (Kind == ReductionKind::Max)
    return ((a > b) | isNaN(a)) ? a : b;
  else if constexpr (Kind == ReductionKind::Min)
    return ((a < b) | isNaN(a)) ? a : b;
  else if constexpr (Kind == ReductionKind::And)
    return a & b;
  else if constexpr (Kind == ReductionKind::Or)
    return a | b;
  else
    return a ^ b;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// A block of vectors stays in registers while all inputs are read.
template <typename E, ReductionKind Kind, int Size>
inline void reduceBlock(const void *const *inputs, int64_t numInputs,
                        void *const *outputs, int64_t numOutputs, int64_t at) {
  using S = typename E::Stored;
  typename E::Values block[Size];
  auto *first = static_cast<const S *>(inputs[0]) + at;
#pragma unroll
  for (int k = 0; k < Size; ++k)
    block[k] = E::load(first + k * E::kLanes);
  for (int64_t j = 1; j < numInputs; ++j) {
    auto *input = static_cast<const S *>(inputs[j]) + at;
#pragma unroll
    for (int k = 0; k < Size; ++k)
      block[k] = combine<Kind>(block[k], E::load(input + k * E::kLanes));
  }
  for (int64_t j = 0; j < numOutputs; ++j) {
    auto *output = static_cast<S *>(outputs[j]) + at;
#pragma unroll
    for (int k = 0; k < Size; ++k)
      E::store(block[k], output + k * E::kLanes);
  }
}

/// Fewer elements than a vector has.
template <typename E, ReductionKind Kind>
void reduceTail(const void *const *inputs, int64_t numInputs,
                void *const *outputs, int64_t numOutputs, int64_t at,
                int64_t count) {
  using S = typename E::Stored;
  auto size = static_cast<size_t>(count) * sizeof(S);
  auto load = [&](int64_t j) {
    S part[E::kLanes] = {};
    __builtin_memcpy(part, static_cast<const S *>(inputs[j]) + at, size);
    return E::load(part);
  };
  auto values = load(0);
  for (int64_t j = 1; j < numInputs; ++j)
    values = combine<Kind>(values, load(j));
  S part[E::kLanes];
  E::store(values, part);
  for (int64_t j = 0; j < numOutputs; ++j)
    __builtin_memcpy(static_cast<S *>(outputs[j]) + at, part, size);
}

template <typename E, ReductionKind Kind>
void reduce(const void *const *inputs, int64_t numInputs, void *const *outputs,
            int64_t numOutputs, int64_t count) {
  constexpr int kLanes = E::kLanes, kVectors = kLanes == 1 ? 1 : 4;
  int64_t at = 0;
  for (; at + kVectors * kLanes <= count; at += kVectors * kLanes)
    reduceBlock<E, Kind, kVectors>(inputs, numInputs, outputs, numOutputs, at);
  if constexpr (kLanes > 1) {
    for (; at + kLanes <= count; at += kLanes)
      reduceBlock<E, Kind, 1>(inputs, numInputs, outputs, numOutputs, at);
    if (at < count)
      reduceTail<E, Kind>(inputs, numInputs, outputs, numOutputs, at,
                          count - at);
  }
}

/// Sums of complex numbers are sums of twice as many real ones.
template <typename T>
void addComplex(const void *const *inputs, int64_t numInputs,
                void *const *outputs, int64_t numOutputs, int64_t count) {
  reduce<Plain<T>, ReductionKind::Sum>(inputs, numInputs, outputs, numOutputs,
                                       2 * count);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

template <typename E> ReduceFn chooseReal(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return reduce<E, ReductionKind::Sum>;
  case ReductionKind::Mul:
    return reduce<E, ReductionKind::Mul>;
  case ReductionKind::Max:
    return reduce<E, ReductionKind::Max>;
  case ReductionKind::Min:
    return reduce<E, ReductionKind::Min>;
  default:
    return nullptr;
  }
}

template <typename E> ReduceFn chooseBitwise(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::And:
    return reduce<E, ReductionKind::And>;
  case ReductionKind::Or:
    return reduce<E, ReductionKind::Or>;
  case ReductionKind::Xor:
    return reduce<E, ReductionKind::Xor>;
  default:
    return nullptr;
  }
}

template <typename E> ReduceFn chooseInteger(ReductionKind kind) {
  ReduceFn fn = chooseBitwise<E>(kind);
  return fn ? fn : chooseReal<E>(kind);
}

/// Only order depends on the sign: the rest is as for unsigned numbers, whose
/// sums and products wrap.
template <typename Signed, typename Unsigned>
ReduceFn chooseSigned(ReductionKind kind) {
  if (kind == ReductionKind::Max)
    return reduce<Plain<Signed>, ReductionKind::Max>;
  if (kind == ReductionKind::Min)
    return reduce<Plain<Signed>, ReductionKind::Min>;
  return chooseInteger<Plain<Unsigned>>(kind);
}

/// Booleans add and multiply as `or` and `and` do.
ReduceFn chooseBool(ReductionKind kind) {
  if (kind == ReductionKind::Sum || kind == ReductionKind::Max)
    kind = ReductionKind::Or;
  if (kind == ReductionKind::Mul || kind == ReductionKind::Min)
    kind = ReductionKind::And;
  return chooseBitwise<Plain<uint8_t>>(kind);
}

template <typename T> ReduceFn chooseComplex(ReductionKind kind) {
  if (kind == ReductionKind::Sum)
    return addComplex<T>;
  return kind == ReductionKind::Mul ? reduce<Complex<T>, ReductionKind::Mul>
                                    : nullptr;
}

ReduceFn chooseSmallFloat(ReductionKind kind, DType type) {
  switch (type) {
  case DType::F8E4M3FN:
    return chooseReal<Small<DType::F8E4M3FN>>(kind);
  case DType::F8E5M2:
    return chooseReal<Small<DType::F8E5M2>>(kind);
  case DType::F8E4M3:
    return chooseReal<Small<DType::F8E4M3>>(kind);
  case DType::F8E3M4:
    return chooseReal<Small<DType::F8E3M4>>(kind);
  case DType::F8E4M3B11FNUZ:
    return chooseReal<Small<DType::F8E4M3B11FNUZ>>(kind);
  case DType::F8E4M3FNUZ:
    return chooseReal<Small<DType::F8E4M3FNUZ>>(kind);
  case DType::F8E5M2FNUZ:
    return chooseReal<Small<DType::F8E5M2FNUZ>>(kind);
  case DType::F8E8M0FNU:
    return chooseReal<Small<DType::F8E8M0FNU>>(kind);
  case DType::F4E2M1FN:
    return chooseReal<Small<DType::F4E2M1FN>>(kind);
  case DType::F6E2M3FN:
    return chooseReal<Small<DType::F6E2M3FN>>(kind);
  case DType::F6E3M2FN:
    return chooseReal<Small<DType::F6E3M2FN>>(kind);
  default:
    return nullptr;
  }
}

ReduceFn chooseReduceFn(ReductionKind kind, DType type) {
  switch (type) {
  case DType::Pred:
    return chooseBool(kind);
  case DType::S2:
    return chooseInteger<Narrow<2, true>>(kind);
  case DType::S4:
    return chooseInteger<Narrow<4, true>>(kind);
  case DType::U2:
    return chooseInteger<Narrow<2, false>>(kind);
  case DType::U4:
    return chooseInteger<Narrow<4, false>>(kind);
  case DType::S8:
    return chooseSigned<int8_t, uint8_t>(kind);
  case DType::S16:
    return chooseSigned<int16_t, uint16_t>(kind);
  case DType::S32:
    return chooseSigned<int32_t, uint32_t>(kind);
  case DType::S64:
    return chooseSigned<int64_t, uint64_t>(kind);
  case DType::U8:
    return chooseInteger<Plain<uint8_t>>(kind);
  case DType::U16:
    return chooseInteger<Plain<uint16_t>>(kind);
  case DType::U32:
    return chooseInteger<Plain<uint32_t>>(kind);
  case DType::U64:
    return chooseInteger<Plain<uint64_t>>(kind);
  case DType::BF16:
    return chooseReal<BFloat16>(kind);
  case DType::F16:
    return chooseReal<Float16>(kind);
  case DType::F32:
    return chooseReal<Plain<float>>(kind);
  case DType::F64:
    return chooseReal<Plain<double>>(kind);
  case DType::C64:
    return chooseComplex<float>(kind);
  case DType::C128:
    return chooseComplex<double>(kind);
  default:
    return chooseSmallFloat(kind, type);
  }
}

} // namespace
} // namespace partita

#endif // PARTITA_RUNTIME_COMM_INPROC_REDUCEKERNELS_H
