//===- LowerBound.cpp - The least that a reshard must move ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/reshard/LowerBound.h"

#include <algorithm>

namespace partita {

int64_t getLowerBound(const Mesh &mesh, const ReshardRequest &request) {
  int64_t devices = mesh.getNumDevices();
  // Partial values that are combined, as a number of them per element.
  int64_t combined = getProduct(request.from.unreduced) /
                     std::max<int64_t>(1, getProduct(request.to.unreduced));
  int64_t worst = 0;
  int64_t wanted = 0, elements = 1;
  for (int64_t size : request.shape)
    elements *= size;
  for (int64_t device = 0; device < devices; ++device) {
    Box have = getShardBox(mesh, request.shape, request.from, device);
    Box want = getShardBox(mesh, request.shape, request.to, device);
    int64_t lacking = want.getNumElements();
    wanted += lacking;
    if (combined == 1)
      lacking -= intersect(have, want).getNumElements();
    worst = std::max(worst, lacking);
  }
  if (combined > 1) {
    // With axes that stay unreduced, each of their coordinates is a sum of its
    // own.
    int64_t sums = elements * getProduct(request.to.unreduced);
    int64_t messages = sums * (combined - 1) + wanted - sums;
    worst = std::max(worst, (messages + devices - 1) / devices);
  }
  return worst * request.elementBytes;
}

} // namespace partita
