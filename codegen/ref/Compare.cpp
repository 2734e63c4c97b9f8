//===- Compare.cpp - How far two arrays are apart -------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/ref/Compare.h"

#include "ir/core/Evaluate.h"

#include "llvm/Support/FormatVariadic.h"

namespace partita::ref {

bool Difference::isWithin(double tolerance) const {
  if (isIncomparable)
    return false;
  if (isExact)
    return largest == 0;
  return largest <= std::max(tolerance, 2 * epsilon) * magnitude;
}

std::string Difference::toString() const {
  if (index < 0)
    return isIncomparable ? "another shape or element type" : "no difference";
  return llvm::formatv("element {0} was {1}, is {2}; the largest magnitude is "
                       "{3}",
                       index, expected, actual, magnitude)
      .str();
}

static double getEpsilon(DType type) {
  switch (type) {
  case DType::F64:
  case DType::C128:
    return 0x1p-52;
  case DType::F32:
  case DType::C64:
    return 0x1p-23;
  case DType::F16:
    return 0x1p-10;
  case DType::BF16:
    return 0x1p-7;
  default:
    return 0x1p-2;
  }
}

static void compareElement(Difference &result, int64_t i, double expected,
                           double actual) {
  bool areBothNan = std::isnan(expected) && std::isnan(actual);
  if (std::isfinite(expected))
    result.magnitude = std::max(result.magnitude, std::abs(expected));
  if (areBothNan || expected == actual || result.isIncomparable)
    return;
  double difference = std::abs(expected - actual);
  bool isFinite = std::isfinite(expected) && std::isfinite(actual);
  if (isFinite && difference <= result.largest)
    return;
  result.isIncomparable = !isFinite;
  result.largest = difference;
  result.index = i;
  result.expected = expected;
  result.actual = actual;
}

Difference compare(const HostTensor &expected, const HostTensor &actual) {
  Difference result;
  DType type = expected.getDType();
  if (type != actual.getDType() || expected.getShape() != actual.getShape()) {
    result.isIncomparable = true;
    return result;
  }
  result.isExact = !isFloat(type) && !isComplex(type);
  result.epsilon = getEpsilon(type);
  DType wide = isComplex(type) ? DType::C128 : DType::F64;
  HostTensor a = core::eval::convert(expected, wide);
  HostTensor b = core::eval::convert(actual, wide);
  int64_t count = a.getNumBytes() / static_cast<int64_t>(sizeof(double));
  for (int64_t i = 0; i < count; ++i)
    compareElement(result, i, a.dataAs<double>()[i], b.dataAs<double>()[i]);
  return result;
}

} // namespace partita::ref
