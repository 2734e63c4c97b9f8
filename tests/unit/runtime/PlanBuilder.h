//===- PlanBuilder.h - Plans by hand for tests ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TESTS_UNIT_RUNTIME_PLANBUILDER_H
#define PARTITA_TESTS_UNIT_RUNTIME_PLANBUILDER_H

#include "runtime/plan/Convert.h"

#include <string>
#include <utility>
#include <vector>

namespace partita::testing {

using Axes = std::vector<std::string>;
using Pieces = std::vector<std::pair<uint32_t, uint32_t>>;

/// Puts a plan together: buffers of an arena laid one after the other, and
/// arguments and results with memory of their own. Ids are returned.
class PlanBuilder {
public:
  explicit PlanBuilder(std::vector<MeshAxis> axes = {});

  /// A buffer in the arena.
  uint32_t addTemporary(DType type, Shape localShape);
  /// A constant of 32-bit floats.
  uint32_t addConstant(const std::vector<float> &values);
  /// Both return the buffer. `dims`: names of the axes that split each
  /// dimension; unsplit when shorter than the shape.
  uint32_t addArgument(const std::string &name, DType type, Shape globalShape,
                       std::vector<Axes> dims = {});
  uint32_t addResult(DType type, Shape globalShape,
                     std::vector<Axes> dims = {});
  /// A result in the memory of the buffer of an argument, which it aliases.
  void addResultInPlace(uint32_t argument);
  /// Makes the last result feed the argument in the next step.
  void feed(uint32_t argument);

  /// The kernel of that name, added when it is new.
  uint32_t getKernel(const std::string &symbol, uint32_t numOperands,
                     uint32_t numResults, int64_t numTiles);

  uint32_t addBlock();
  /// Later steps go to this block. The first one, of number 0, is the entry.
  void setBlock(uint32_t block) { current = block; }

  void launch(const std::string &symbol, std::vector<uint32_t> operands,
              std::vector<uint32_t> results, int64_t numTiles = 1);
  void copy(uint32_t source, uint32_t target);
  void axisIndex(const Axes &axes, uint32_t buffer);
  void whileLoop(uint32_t condition, uint32_t body, uint32_t predicate);
  void ifElse(uint32_t predicate, uint32_t thenBlock, uint32_t elseBlock);
  /// Pieces are pairs of operand and result. Numbers itself.
  plan::Collective &collective(plan::Collective::Kind kind, const Axes &axes,
                               const Pieces &pieces, uint32_t dim = 0,
                               uint32_t concatDim = 0,
                               ReductionKind reduction = ReductionKind::Sum);

  plan::Plan plan;

private:
  uint32_t addBuffer(uint32_t allocation, uint64_t offset, DType type,
                     const Shape &shape);
  uint32_t addStorage(plan::Allocation::Kind kind, uint64_t bytes);
  std::vector<AxisRef> getAxes(const Axes &names) const;
  template <typename Value>
  uint32_t fill(Value &value, DType type, const Shape &globalShape,
                const std::vector<Axes> &dims);

  Mesh mesh;
  uint32_t arena = 0;
  uint32_t current = 0;
  uint32_t sequence = 0;
};

} // namespace partita::testing

#endif // PARTITA_TESTS_UNIT_RUNTIME_PLANBUILDER_H
