//===- HostTensor.h - A dense array in host memory --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_HOSTTENSOR_H
#define PARTITA_SUPPORT_HOSTTENSOR_H

#include "support/DType.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace partita {

using Shape = std::vector<int64_t>;

/// Product of the dimensions; 1 for a scalar.
int64_t getNumElements(std::span<const int64_t> shape);
/// Row-major strides in elements; same length as `shape`.
std::vector<int64_t> getRowMajorStrides(std::span<const int64_t> shape);

/// A dense row-major array in host memory. Copies share the bytes (they are
/// reference-counted); call `detach()` before writing to bytes that another
/// HostTensor may share.
class HostTensor {
public:
  HostTensor() = default;
  /// A zero-filled array.
  HostTensor(DType type, Shape shape);

  DType getDType() const { return dtype; }
  const Shape &getShape() const { return shape; }
  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getNumElements() const { return partita::getNumElements(shape); }
  int64_t getNumBytes() const { return getNumElements() * getByteWidth(dtype); }

  std::byte *data() { return bytes.get(); }
  const std::byte *data() const { return bytes.get(); }
  template <typename T> T *dataAs() { return reinterpret_cast<T *>(data()); }
  template <typename T> const T *dataAs() const {
    return reinterpret_cast<const T *>(data());
  }

  /// Makes the bytes this tensor's own.
  void detach();
  /// The same bytes under another shape of the same number of elements.
  HostTensor reshaped(Shape newShape) const;

private:
  DType dtype = DType::F32;
  Shape shape;
  std::shared_ptr<std::byte[]> bytes;
};

} // namespace partita

#endif // PARTITA_SUPPORT_HOSTTENSOR_H
