//===- ReshardSimulator.h - Executes reshard plans --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Virtual devices with one array each, and the steps of a plan executed on
// them as ReshardPlanner.h describes them. Padding holds garbage.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TESTS_UNIT_SHARDING_RESHARDSIMULATOR_H
#define PARTITA_TESTS_UNIT_SHARDING_RESHARDSIMULATOR_H

#include "sharding/reshard/ReshardPlanner.h"

namespace partita {

/// A dense row-major array.
struct Array {
  std::vector<int64_t> shape;
  std::vector<int64_t> data;
};

class ReshardSimulator {
public:
  ReshardSimulator(const Mesh &theMesh, const ReshardRequest &theRequest);

  /// Executes the plan; the first thing found wrong, or an empty string.
  std::string run(const ReshardPlan &plan);

private:
  std::string exchangeBoxes(const ReshardStep &step);
  std::string execute(const ReshardStep &step);
  std::string check() const;
  int64_t combine(int64_t a, int64_t b) const;
  /// Replaces the arrays of a group by all-reduce, all-gather, ….
  void exchangeGroup(const ReshardStep &step,
                     const std::vector<int64_t> &group);

  const Mesh &mesh;
  const ReshardRequest &request;
  TensorSharding sharding;
  std::vector<Array> arrays;
  int64_t joinedBytes = 0;
};

} // namespace partita

#endif // PARTITA_TESTS_UNIT_SHARDING_RESHARDSIMULATOR_H
