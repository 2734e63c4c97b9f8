//===- Evaluate.h - What pointwise ops compute ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `evaluatePointwise` applies a function of one element of each operand. The
// functions below are what the entries of pointwise ops use beyond operators
// and the standard library. They define the meaning of corner cases; the
// scalar builders (Scalar.h) must agree.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_EVALUATE_H
#define PARTITA_IR_CORE_EVALUATE_H

#include "ir/core/Core.h"
#include "ir/core/Elements.h"
#include "ir/core/Types.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace partita::core::eval {

/// The element type and shape of a result.
inline DType getDTypeOf(mlir::Value value) {
  return *toDType(
      llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType());
}
inline Shape getShapeOf(mlir::Value value) {
  auto shape = llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
  return Shape(shape.begin(), shape.end());
}

template <typename T, size_t... I, typename F>
HostTensor evaluateIn(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
                      std::index_sequence<I...>, F compute) {
  using Computed = decltype(compute((static_cast<void>(I), T())...));
  // Operators on bool give int.
  using Result =
      std::conditional_t<std::is_same_v<Computed, int>, bool, Computed>;
  Elements<T> elements[] = {Elements<T>(operands[I])...};
  Output<Result> output(getDTypeOf(op->getResult(0)),
                        getShapeOf(op->getResult(0)));
  for (int64_t i = 0; i < output.size(); ++i)
    output[i] = static_cast<Result>(compute(elements[I][i]...));
  return output.take();
}

/// Computes a pointwise op of N operands of one type. `compute` takes N
/// elements and gives that of the result, in the domain of the result's type.
template <typename List, size_t N, typename F>
llvm::LogicalResult
evaluatePointwise(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
                  llvm::SmallVectorImpl<HostTensor> &results, F compute) {
  bool isKnown = visitDomain(List(), operands[0].getDType(), [&](auto tag) {
    results.push_back(evaluateIn<decltype(tag)>(
        op, operands, std::make_index_sequence<N>(), compute));
  });
  assert(isKnown && "the op's operand types and domains differ");
  (void)isKnown;
  return llvm::success();
}

//===----------------------------------------------------------------------===//
// One operand. `bits` is the width of the element type.
//===----------------------------------------------------------------------===//

template <typename T> T maskBits(T x, int bits) {
  return bits == 64 ? x : static_cast<T>(x & ((uint64_t(1) << bits) - 1));
}

/// Arithmetic that wraps where C++ leaves signed overflow undefined. For bool,
/// sums are or, products and, differences exclusive or.
template <typename T> T negate(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(-static_cast<uint64_t>(x));
  else
    return -x;
}
template <typename T> T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}
template <typename T> T minus(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  else
    return a - b;
}
template <typename T> T times(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return a * b;
}

template <typename T> T invert(T x) {
  if constexpr (std::is_same_v<T, bool>)
    return !x;
  else
    return ~x;
}

template <typename T> T getSign(T x) {
  if constexpr (kIsComplex<T>)
    return x == T(0) ? x : x / std::abs(x);
  else if constexpr (std::is_floating_point_v<T>)
    return x == 0 || std::isnan(x) ? x : std::copysign(T(1), x);
  else
    return x == 0 ? T(0) : x > T(0) ? T(1) : T(-1);
}

template <typename T> auto getAbs(T x) {
  if constexpr (std::is_same_v<T, int64_t>)
    return x < 0 ? static_cast<T>(-static_cast<uint64_t>(x)) : x;
  else if constexpr (std::is_integral_v<T>)
    return x;
  else
    return std::abs(x);
}

template <typename T> T countOnes(T x, int bits) {
  return static_cast<T>(std::popcount(maskBits<uint64_t>(x, bits)));
}
template <typename T> T countLeadingZeros(T x, int bits) {
  return static_cast<T>(std::countl_zero(maskBits<uint64_t>(x, bits)) -
                        (64 - bits));
}

template <typename T> T expm1(T x) {
  if constexpr (kIsComplex<T>) {
    // exp(a + bi) - 1 with cos(b) - 1 = -2 sin²(b/2), exact near zero.
    auto a = x.real(), b = x.imag(), s = std::sin(b / 2);
    auto real = std::expm1(a) * std::cos(b) - 2 * s * s;
    return T(real, std::exp(a) * std::sin(b));
  } else {
    return std::expm1(x);
  }
}

template <typename T> T log1p(T x) {
  if constexpr (kIsComplex<T>) {
    using Real = typename T::value_type;
    Real a = x.real(), b = x.imag();
    Real real = std::abs(a) < Real(0.5) && std::abs(b) < Real(0.5)
                    ? std::log1p(a * (a + 2) + b * b) / 2
                    : std::log(std::hypot(a + 1, b));
    return T(real, std::atan2(b, a + 1));
  } else {
    return std::log1p(x);
  }
}

template <typename T> T logistic(T x) { return T(1) / (T(1) + std::exp(-x)); }
template <typename T> T rsqrt(T x) { return T(1) / std::sqrt(x); }

/// Rounds to fewer exponent and mantissa bits. `type` is the element type that
/// the value is stored as.
float reducePrecision(float x, DType type, int exponentBits, int mantissaBits);
double reducePrecision(double x, DType type, int exponentBits,
                       int mantissaBits);

/// The elements of `from` as another type: see core.convert.
HostTensor convert(const HostTensor &from, DType type);
/// The same bits under another type and shape of the same number of bits.
HostTensor reinterpret(const HostTensor &from, DType type, Shape shape);

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

template <typename T> T divide(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t>)
    return b == 0    ? -1
           : b == -1 ? static_cast<T>(-static_cast<uint64_t>(a))
                     : a / b;
  else if constexpr (std::is_integral_v<T>)
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(a / b);
  else
    return a / b;
}

template <typename T> T remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fmod(a, b);
  else if constexpr (std::is_same_v<T, int64_t>)
    return b == 0 ? a : b == -1 ? 0 : a % b;
  else
    return b == 0 ? a : static_cast<T>(a % b);
}

/// Complex numbers are ordered by real, then imaginary part.
template <typename T> bool isLess(T a, T b) {
  if constexpr (kIsComplex<T>)
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  else
    return a < b;
}
template <typename T> T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<T>::quiet_NaN();
    if (a == b)
      return std::signbit(a) ? b : a;
  }
  return isLess(a, b) ? b : a;
}
template <typename T> T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<T>::quiet_NaN();
    if (a == b)
      return std::signbit(a) ? a : b;
  }
  return isLess(b, a) ? b : a;
}

template <typename T> T power(T a, T b) {
  if constexpr (!std::is_integral_v<T>) {
    return std::pow(a, b);
  } else {
    if constexpr (std::is_signed_v<T>)
      if (b < 0)
        return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;
    uint64_t result = 1, square = static_cast<uint64_t>(a);
    for (uint64_t rest = static_cast<uint64_t>(b); rest; rest >>= 1) {
      if (rest & 1)
        result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  }
}

template <typename T> T arcTangent2(T a, T b) {
  if constexpr (kIsComplex<T>) {
    T i(0, 1);
    return -i * std::log((b + i * a) / std::sqrt(a * a + b * b));
  } else {
    return std::atan2(a, b);
  }
}

/// Whether a shift, read as unsigned, is less than the width.
template <typename T> bool isShiftInWidth(T shift, int bits) {
  return static_cast<uint64_t>(shift) < static_cast<uint64_t>(bits);
}
template <typename T> T shiftLeft(T a, T b, int bits) {
  return isShiftInWidth(b, bits) ? static_cast<T>(static_cast<uint64_t>(a) << b)
                                 : T(0);
}
template <typename T> T shiftRightLogical(T a, T b, int bits) {
  return isShiftInWidth(b, bits)
             ? static_cast<T>(maskBits<uint64_t>(a, bits) >> b)
             : T(0);
}
template <typename T> T shiftRightArithmetic(T a, T b, int bits) {
  // The sign of unsigned numbers is their highest bit.
  auto value = static_cast<int64_t>(static_cast<uint64_t>(a) << (64 - bits));
  int shift = isShiftInWidth(b, bits) ? static_cast<int>(b) : bits - 1;
  return static_cast<T>(value >> (64 - bits) >> shift);
}

/// totalOrder of IEEE 754 as the order of integers.
inline int64_t toOrdered(double x) {
  auto bits = std::bit_cast<int64_t>(x);
  return bits < 0 ? bits ^ std::numeric_limits<int64_t>::max() : bits;
}

template <typename T>
bool compare(Comparison direction, bool isTotal, T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (isTotal)
      return compare(direction, false, toOrdered(a), toOrdered(b));
  switch (direction) {
  case Comparison::Eq:
    return a == b;
  case Comparison::Ne:
    return a != b;
  case Comparison::Lt:
    return isLess(a, b);
  case Comparison::Le:
    return isLess(a, b) || a == b;
  case Comparison::Gt:
    return isLess(b, a);
  case Comparison::Ge:
    return isLess(b, a) || a == b;
  }
  return false;
}

/// Elements of `onTrue` where `pred` holds, else of `onFalse`.
HostTensor select(const HostTensor &pred, const HostTensor &onTrue,
                  const HostTensor &onFalse);

/// Two partial values of a reduction combined.
template <typename T> T combine(ReductionKind kind, T a, T b) {
  switch (kind) {
  case ReductionKind::Sum:
    return plus(a, b);
  case ReductionKind::Mul:
    return times(a, b);
  case ReductionKind::Max:
    return maximum(a, b);
  case ReductionKind::Min:
    return minimum(a, b);
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(kind == ReductionKind::And  ? (a & b)
                          : kind == ReductionKind::Or ? (a | b)
                                                      : (a ^ b));
  return a;
}

/// Tensors of one type combined element by element. Floats are summed as
/// core.reduce sums them.
HostTensor combineTensors(ReductionKind kind,
                          llvm::ArrayRef<HostTensor> tensors);

/// What combines with any x to x, for elements of `type`.
template <typename T> T getIdentity(ReductionKind kind, DType type);

} // namespace partita::core::eval

#endif // PARTITA_IR_CORE_EVALUATE_H
