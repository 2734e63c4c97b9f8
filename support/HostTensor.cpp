//===- HostTensor.cpp - A dense array in host memory ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/HostTensor.h"

#include <cassert>
#include <cstring>

namespace partita {

int64_t getNumElements(std::span<const int64_t> shape) {
  int64_t n = 1;
  for (int64_t size : shape)
    n *= size;
  return n;
}

std::vector<int64_t> getRowMajorStrides(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

HostTensor::HostTensor(DType type, Shape theShape)
    : dtype(type), shape(std::move(theShape)),
      bytes(new std::byte[getNumBytes() + 1]()) {}

void HostTensor::detach() {
  if (!bytes || bytes.use_count() == 1)
    return;
  std::shared_ptr<std::byte[]> own(new std::byte[getNumBytes() + 1]);
  std::memcpy(own.get(), bytes.get(), getNumBytes());
  bytes = std::move(own);
}

HostTensor HostTensor::reshaped(Shape newShape) const {
  assert(partita::getNumElements(newShape) == getNumElements());
  HostTensor result = *this;
  result.shape = std::move(newShape);
  return result;
}

} // namespace partita
