//===- Compare.h - How far two arrays are apart -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_REF_COMPARE_H
#define PARTITA_CODEGEN_REF_COMPARE_H

#include "support/HostTensor.h"

#include <string>

namespace partita::ref {

/// The largest difference between corresponding elements.
struct Difference {
  /// Absolute, and the largest magnitude of a finite expected element.
  double largest = 0, magnitude = 0;
  /// Where it is, as a row-major index, and both values.
  int64_t index = -1;
  double expected = 0, actual = 0;
  /// Types or shapes differ, or NaN or an infinity stands in one only.
  bool isIncomparable = false;
  /// Integers must be equal.
  bool isExact = false;
  /// The unit of the element type in the last place, relative: a wide type
  /// does not loosen a tolerance, a narrow one does.
  double epsilon = 0;

  /// Whether the difference is at most `tolerance`, or twice the type's
  /// epsilon where that is larger, of the largest magnitude.
  bool isWithin(double tolerance) const;
  std::string toString() const;
};

Difference compare(const HostTensor &expected, const HostTensor &actual);

} // namespace partita::ref

#endif // PARTITA_CODEGEN_REF_COMPARE_H
