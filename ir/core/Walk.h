//===- Walk.h - Strided walks through tensors -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op that moves elements is a copy between two strided walks over one
// shape: a broadcast reads with strides of 0, a reversal with negative ones.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_WALK_H
#define PARTITA_IR_CORE_WALK_H

#include "support/HostTensor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>

namespace partita::core::eval {

/// Where a walk starts and how far each dimension's step goes, in elements.
struct Walk {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// The row-major walk through a tensor of that shape.
inline Walk getRowMajorWalk(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides =
      getRowMajorStrides({shape.data(), shape.size()});
  return Walk{0, llvm::SmallVector<int64_t>(strides.begin(), strides.end())};
}

/// Calls `visit` with the offsets of all walks at each index of `shape`, in
/// row-major order.
template <size_t N, typename F>
void forEachOffset(llvm::ArrayRef<int64_t> shape,
                   const std::array<Walk, N> &walks, F visit) {
  if (llvm::is_contained(shape, 0))
    return;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  std::array<int64_t, N> at;
  for (size_t n = 0; n < N; ++n)
    at[n] = walks[n].offset;
  while (true) {
    visit(at);
    size_t d = shape.size();
    for (; d > 0; --d) {
      for (size_t n = 0; n < N; ++n)
        at[n] += walks[n].strides[d - 1];
      if (++index[d - 1] < shape[d - 1])
        break;
      for (size_t n = 0; n < N; ++n)
        at[n] -= walks[n].strides[d - 1] * shape[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0)
      return;
  }
}

/// Copies the elements that two walks over `shape` visit. Both tensors have
/// the same element type.
void copyElements(llvm::ArrayRef<int64_t> shape, const HostTensor &from,
                  const Walk &fromWalk, HostTensor &to, const Walk &toWalk);

/// The part of `from` that starts at `starts`.
HostTensor copyPart(const HostTensor &from, llvm::ArrayRef<int64_t> starts,
                    const Shape &shape);
/// Writes `part` into `to`, starting at `starts`.
void writePart(const HostTensor &part, HostTensor &to,
               llvm::ArrayRef<int64_t> starts);
/// `from` with its dimensions permuted.
HostTensor transpose(const HostTensor &from,
                     llvm::ArrayRef<int64_t> permutation);

} // namespace partita::core::eval

#endif // PARTITA_IR_CORE_WALK_H
