//===- Evaluate.cpp - What pointwise ops compute --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Evaluate.h"

#include "ir/core/Walk.h"

#include <cstring>

using namespace mlir;

namespace partita::core::eval {

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The nearest float whose last bit says whether it is inexact: rounding it
/// again to a narrower format is then as if done at once.
static float roundToOdd(double x) {
  auto nearest = static_cast<float>(x);
  bool isOdd = std::bit_cast<uint32_t>(nearest) & 1;
  if (std::isnan(x) || std::isinf(nearest) || nearest == x || isOdd)
    return nearest;
  return std::nextafter(nearest,
                        static_cast<float>(x > nearest ? INFINITY : -INFINITY));
}

template <typename T> static int64_t saturate(T x, DType type) {
  if (std::isnan(x))
    return 0;
  int bits = getBitWidth(type);
  if (isUnsignedInt(type)) {
    if (x <= 0)
      return 0;
    if (x >= std::ldexp(T(1), bits))
      return static_cast<int64_t>(maskBits(~uint64_t(0), bits));
    return static_cast<int64_t>(static_cast<uint64_t>(x));
  }
  T past = std::ldexp(T(1), bits - 1);
  if (x >= past)
    return std::numeric_limits<int64_t>::max() >> (64 - bits);
  if (x <= -past)
    return std::numeric_limits<int64_t>::min() >> (64 - bits);
  return static_cast<int64_t>(x);
}

template <typename To, typename From>
static To convertElement(From x, DType type) {
  if constexpr (kIsComplex<To> && kIsComplex<From>) {
    return To(x);
  } else if constexpr (kIsComplex<From>) {
    return convertElement<To>(x.real(), type);
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_integral_v<To> &&
                       std::is_floating_point_v<From>) {
    return static_cast<To>(saturate(x, type));
  } else if constexpr (std::is_same_v<To, float> &&
                       std::is_same_v<From, double>) {
    return type == DType::F32 ? static_cast<float>(x) : roundToOdd(x);
  } else if constexpr (kIsComplex<To>) {
    return To(static_cast<typename To::value_type>(x));
  } else {
    return static_cast<To>(x);
  }
}

HostTensor convert(const HostTensor &from, DType type) {
  if (from.getDType() == type)
    return from;
  HostTensor result;
  visitDomain(All(), from.getDType(), [&](auto fromTag) {
    visitDomain(All(), type, [&](auto toTag) {
      using From = decltype(fromTag);
      using To = decltype(toTag);
      Elements<From> elements(from);
      Output<To> output(type, from.getShape());
      for (int64_t i = 0; i < output.size(); ++i)
        output[i] = convertElement<To>(elements[i], type);
      result = output.take();
    });
  });
  return result;
}

HostTensor select(const HostTensor &pred, const HostTensor &onTrue,
                  const HostTensor &onFalse) {
  HostTensor result = onTrue;
  result.detach();
  int64_t width = getByteWidth(result.getDType());
  for (int64_t i = 0; i < result.getNumElements(); ++i)
    if (!pred.dataAs<bool>()[i])
      std::memcpy(result.data() + i * width, onFalse.data() + i * width, width);
  return result;
}

/// Packs elements of fewer than 8 bits, or spreads them.
static void copyBits(const HostTensor &from, HostTensor &to) {
  int fromBits = getBitWidth(from.getDType());
  int toBits = getBitWidth(to.getDType());
  int64_t fromWidth = getByteWidth(from.getDType());
  int64_t toWidth = getByteWidth(to.getDType());
  int64_t count = from.getNumElements() * fromBits;
  for (int64_t bit = 0; bit < count; ++bit) {
    int64_t i = bit / fromBits, j = bit / toBits;
    int64_t a = bit % fromBits, b = bit % toBits;
    auto byte = from.data()[i * fromWidth + a / 8];
    if ((byte >> (a % 8) & std::byte(1)) != std::byte(0))
      to.data()[j * toWidth + b / 8] |= std::byte(1) << (b % 8);
  }
}

HostTensor reinterpret(const HostTensor &from, DType type, Shape shape) {
  HostTensor to(type, std::move(shape));
  if (getBitWidth(from.getDType()) % 8 == 0 && getBitWidth(type) % 8 == 0)
    std::memcpy(to.data(), from.data(), from.getNumBytes());
  else
    copyBits(from, to);
  return to;
}

//===----------------------------------------------------------------------===//
// Reduced precision
//===----------------------------------------------------------------------===//

/// `Bits` holds the bits of `Float`, which has `ownMantissa` mantissa bits.
/// `nativeExponent`, `nativeMantissa` are those of the type that x is stored
/// as.
template <typename Bits, typename Float>
static Float reduceBits(Float x, int ownMantissa, int nativeExponent,
                        int nativeMantissa, int exponentBits,
                        int mantissaBits) {
  if (std::isnan(x)) // without a mantissa there is no NaN
    return mantissaBits > 0
               ? x
               : std::copysign(std::numeric_limits<Float>::infinity(), x);
  auto bits = std::bit_cast<Bits>(x);
  const Bits sign = bits & (Bits(1) << (sizeof(Bits) * 8 - 1));
  const int ownExponent = static_cast<int>(sizeof(Bits)) * 8 - 1 - ownMantissa;
  if (mantissaBits < nativeMantissa) {
    int dropped = ownMantissa - mantissaBits;
    Bits last = (bits >> dropped) & 1;
    bits += last + (Bits(1) << (dropped - 1)) - 1;
    bits &= ~((Bits(1) << dropped) - 1);
  }
  if (exponentBits >= nativeExponent)
    return std::bit_cast<Float>(bits);
  const Bits exponentMask = ((Bits(1) << ownExponent) - 1) << ownMantissa;
  const Bits bias = (Bits(1) << (ownExponent - 1)) - 1;
  const Bits newBias = (Bits(1) << (exponentBits - 1)) - 1;
  Bits exponent = (bits & exponentMask) >> ownMantissa;
  if (exponent > bias + newBias)
    bits = sign | exponentMask;
  else if (exponent <= bias - newBias)
    bits = sign;
  return std::bit_cast<Float>(bits);
}

float reducePrecision(float x, DType type, int exponentBits, int mantissaBits) {
  int nativeExponent = type == DType::F16 ? 5 : 8;
  int nativeMantissa = type == DType::F16 ? 10 : type == DType::BF16 ? 7 : 23;
  return reduceBits<uint32_t>(x, 23, nativeExponent, nativeMantissa,
                              exponentBits, mantissaBits);
}
double reducePrecision(double x, DType, int exponentBits, int mantissaBits) {
  return reduceBits<uint64_t>(x, 52, 11, 52, exponentBits, mantissaBits);
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

/// The value that is below (or above) all others of the type.
template <typename T> static T getExtreme(DType type, bool isLowest) {
  if constexpr (std::is_same_v<T, bool>) {
    return !isLowest;
  } else if constexpr (kIsComplex<T>) {
    using Real = typename T::value_type;
    Real part = getExtreme<Real>(DType::F64, isLowest);
    return T(part, part);
  } else if constexpr (std::is_floating_point_v<T>) {
    T bound = getUpperBound(type);
    return isLowest ? -bound : bound;
  } else if constexpr (std::is_signed_v<T>) {
    auto limits = isLowest ? std::numeric_limits<T>::min()
                           : std::numeric_limits<T>::max();
    return limits >> (64 - getBitWidth(type));
  } else {
    return isLowest ? T(0) : maskBits(~T(0), getBitWidth(type));
  }
}

template <typename T> T getIdentity(ReductionKind kind, DType type) {
  switch (kind) {
  case ReductionKind::Mul:
    return T(1);
  case ReductionKind::Max:
    return getExtreme<T>(type, /*isLowest=*/true);
  case ReductionKind::Min:
    return getExtreme<T>(type, /*isLowest=*/false);
  case ReductionKind::And:
    if constexpr (std::is_integral_v<T>)
      return invert(T(0));
    return T(0);
  default:
    return T(0);
  }
}

template bool getIdentity(ReductionKind, DType);
template int64_t getIdentity(ReductionKind, DType);
template uint64_t getIdentity(ReductionKind, DType);
template float getIdentity(ReductionKind, DType);
template double getIdentity(ReductionKind, DType);
template std::complex<float> getIdentity(ReductionKind, DType);
template std::complex<double> getIdentity(ReductionKind, DType);

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

template <typename Unit>
static void copyUnits(llvm::ArrayRef<int64_t> shape, const HostTensor &from,
                      const Walk &fromWalk, HostTensor &to,
                      const Walk &toWalk) {
  const Unit *source = from.dataAs<Unit>();
  Unit *target = to.dataAs<Unit>();
  forEachOffset<2>(shape, {fromWalk, toWalk},
                   [&](const auto &at) { target[at[1]] = source[at[0]]; });
}

void copyElements(llvm::ArrayRef<int64_t> shape, const HostTensor &from,
                  const Walk &fromWalk, HostTensor &to, const Walk &toWalk) {
  switch (getByteWidth(from.getDType())) {
  case 1:
    return copyUnits<uint8_t>(shape, from, fromWalk, to, toWalk);
  case 2:
    return copyUnits<uint16_t>(shape, from, fromWalk, to, toWalk);
  case 4:
    return copyUnits<uint32_t>(shape, from, fromWalk, to, toWalk);
  case 8:
    return copyUnits<uint64_t>(shape, from, fromWalk, to, toWalk);
  default:
    return copyUnits<std::array<uint64_t, 2>>(shape, from, fromWalk, to,
                                              toWalk);
  }
}

/// The walk through a part of a tensor of that shape.
static Walk getPartWalk(const Shape &shape, llvm::ArrayRef<int64_t> starts) {
  Walk walk = getRowMajorWalk(shape);
  for (auto [stride, start] : llvm::zip(walk.strides, starts))
    walk.offset += stride * start;
  return walk;
}

HostTensor copyPart(const HostTensor &from, llvm::ArrayRef<int64_t> starts,
                    const Shape &shape) {
  HostTensor to(from.getDType(), shape);
  copyElements(shape, from, getPartWalk(from.getShape(), starts), to,
               getRowMajorWalk(shape));
  return to;
}

void writePart(const HostTensor &part, HostTensor &to,
               llvm::ArrayRef<int64_t> starts) {
  copyElements(part.getShape(), part, getRowMajorWalk(part.getShape()), to,
               getPartWalk(to.getShape(), starts));
}

HostTensor transpose(const HostTensor &from,
                     llvm::ArrayRef<int64_t> permutation) {
  Walk source = getRowMajorWalk(from.getShape()), permuted;
  Shape shape;
  for (int64_t dim : permutation) {
    shape.push_back(from.getShape()[dim]);
    permuted.strides.push_back(source.strides[dim]);
  }
  HostTensor to(from.getDType(), shape);
  copyElements(shape, from, permuted, to, getRowMajorWalk(shape));
  return to;
}

} // namespace partita::core::eval
