//===- Elements.h - Typed access to the elements of a tensor ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter computes in seven domains: bool, int64_t, uint64_t, float,
// double, complex<float> and complex<double>. Elements<T> reads a tensor of any
// element type into one of them; Output<T> rounds or wraps what was computed to
// the element type of the result. So an op is written once for each domain, and
// bf16 or i4 cost nothing more.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_ELEMENTS_H
#define PARTITA_IR_CORE_ELEMENTS_H

#include "support/HostTensor.h"

#include <complex>
#include <concepts>
#include <memory>
#include <type_traits>

namespace partita::core::eval {

/// A list of domains.
template <typename... Ts> struct Domains {};
using Bools = Domains<bool>;
using Integers = Domains<bool, int64_t, uint64_t>;
using Floats = Domains<float, double>;
using Complexes = Domains<std::complex<float>, std::complex<double>>;
using Inexacts =
    Domains<float, double, std::complex<float>, std::complex<double>>;
using Reals = Domains<bool, int64_t, uint64_t, float, double>;
using All = Domains<bool, int64_t, uint64_t, float, double, std::complex<float>,
                    std::complex<double>>;

template <typename T>
inline constexpr bool kIsComplex = !std::is_arithmetic_v<T>;

/// Whether elements of the type are computed in domain T.
template <typename T> bool isIn(DType type) {
  if constexpr (std::is_same_v<T, bool>)
    return type == DType::Pred;
  else if constexpr (std::is_same_v<T, int64_t>)
    return isSignedInt(type);
  else if constexpr (std::is_same_v<T, uint64_t>)
    return isUnsignedInt(type);
  else if constexpr (std::is_same_v<T, float>)
    return isFloat(type) && type != DType::F64;
  else if constexpr (std::is_same_v<T, double>)
    return type == DType::F64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return type == DType::C64;
  else
    return type == DType::C128;
}

/// Calls `visit(T())` with the domain of `type`; false if it is not listed.
template <typename... Ts, typename F>
bool visitDomain(Domains<Ts...>, DType type, F visit) {
  return ((isIn<Ts>(type) && (visit(Ts()), true)) || ...);
}

/// Whether the bytes of the type are an array of T.
template <typename T> bool isNative(DType type) {
  return isIn<T>(type) && getByteWidth(type) == sizeof(T);
}

/// The greatest value of a float type: infinity where it has one.
float getUpperBound(DType type);

/// Reads or writes elements whose type is in domain T, element by element.
/// Small floats are rounded to nearest even, integers wrap.
template <typename T>
void readElements(DType type, const std::byte *from, int64_t count, T *to);
template <typename T>
void writeElements(DType type, const T *from, int64_t count, std::byte *to);

/// The elements of a tensor whose type is in domain T.
template <typename T> class Elements {
public:
  explicit Elements(const HostTensor &theTensor) : tensor(theTensor) {
    if (isNative<T>(tensor.getDType())) {
      elements = tensor.dataAs<T>();
      return;
    }
    int64_t count = tensor.getNumElements();
    converted.reset(new T[count]);
    readElements(tensor.getDType(), tensor.data(), count, converted.get());
    elements = converted.get();
  }
  T operator[](int64_t i) const { return elements[i]; }
  const T *data() const { return elements; }

private:
  HostTensor tensor;
  std::unique_ptr<T[]> converted;
  const T *elements;
};

/// Elements to be computed, all zero at first, of a tensor whose type is in
/// domain T.
template <typename T> class Output {
public:
  Output(DType type, Shape shape) : tensor(type, std::move(shape)) {
    if (isNative<T>(type)) {
      elements = tensor.dataAs<T>();
      return;
    }
    converted.reset(new T[tensor.getNumElements()]());
    elements = converted.get();
  }
  T &operator[](int64_t i) { return elements[i]; }
  T *data() { return elements; }
  int64_t size() const { return tensor.getNumElements(); }
  /// Rounds the elements and gives the tensor away.
  HostTensor take() {
    if (converted)
      writeElements(tensor.getDType(), converted.get(), size(), tensor.data());
    return std::move(tensor);
  }

private:
  HostTensor tensor;
  std::unique_ptr<T[]> converted;
  T *elements;
};

} // namespace partita::core::eval

#endif // PARTITA_IR_CORE_ELEMENTS_H
