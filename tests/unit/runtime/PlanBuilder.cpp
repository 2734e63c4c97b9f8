//===- PlanBuilder.cpp - Plans by hand for tests ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/runtime/PlanBuilder.h"

#include <cstring>

namespace partita::testing {

static uint64_t align(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

PlanBuilder::PlanBuilder(std::vector<MeshAxis> axes) : mesh(std::move(axes)) {
  plan.set_program("test");
  plan.mutable_target()->set_kind("cpu");
  toPlan(mesh, *plan.mutable_mesh());
  arena = addStorage(plan::Allocation::TEMPORARY, 0);
  plan.add_entry_blocks(addBlock());
}

uint32_t PlanBuilder::addStorage(plan::Allocation::Kind kind, uint64_t bytes) {
  plan::Allocation *allocation = plan.add_allocations();
  allocation->set_kind(kind);
  allocation->set_bytes(bytes);
  return static_cast<uint32_t>(plan.allocations_size() - 1);
}

uint32_t PlanBuilder::addBuffer(uint32_t allocation, uint64_t offset,
                                DType type, const Shape &shape) {
  plan::Buffer *buffer = plan.add_buffers();
  buffer->set_allocation(allocation);
  buffer->set_offset(offset);
  buffer->set_dtype(static_cast<uint32_t>(type));
  for (int64_t size : shape)
    buffer->add_shape(size);
  return static_cast<uint32_t>(plan.buffers_size() - 1);
}

uint32_t PlanBuilder::addTemporary(DType type, Shape localShape) {
  plan::Allocation &allocation =
      *plan.mutable_allocations(static_cast<int>(arena));
  uint64_t offset = align(allocation.bytes());
  uint32_t buffer = addBuffer(arena, offset, type, localShape);
  allocation.set_bytes(offset + static_cast<uint64_t>(getNumBytes(
                                    plan.buffers(static_cast<int>(buffer)))));
  return buffer;
}

uint32_t PlanBuilder::addConstant(const std::vector<float> &values) {
  std::string &constants = *plan.mutable_constants();
  constants.resize(align(constants.size()));
  size_t bytes = values.size() * sizeof(float), offset = constants.size();
  constants.resize(offset + bytes);
  std::memcpy(constants.data() + offset, values.data(), bytes);
  uint32_t id = addStorage(plan::Allocation::CONSTANT, bytes);
  plan.mutable_allocations(static_cast<int>(id))->set_offset(offset);
  return addBuffer(id, 0, DType::F32, {static_cast<int64_t>(values.size())});
}

std::vector<AxisRef> PlanBuilder::getAxes(const Axes &names) const {
  std::vector<AxisRef> refs;
  refs.reserve(names.size());
  for (const std::string &name : names)
    refs.push_back(mesh.getWholeAxis(*mesh.findAxis(name)));
  return refs;
}

template <typename Value>
uint32_t PlanBuilder::fill(Value &value, DType type, const Shape &globalShape,
                           const std::vector<Axes> &dims) {
  TensorSharding sharding =
      getReplicated(static_cast<int64_t>(globalShape.size()));
  for (size_t i = 0; i < dims.size(); ++i)
    sharding.dims[i].axes = getAxes(dims[i]);
  toPlan(sharding, *value.mutable_sharding());
  for (int64_t size : globalShape)
    value.add_global_shape(size);
  Shape local = getLocalShape(globalShape, sharding);
  auto bytes =
      static_cast<uint64_t>(getNumElements(local) * getByteWidth(type));
  uint32_t buffer = addBuffer(addStorage(plan::Allocation::INPUT_OUTPUT, bytes),
                              0, type, local);
  value.set_buffer(buffer);
  return buffer;
}

uint32_t PlanBuilder::addArgument(const std::string &name, DType type,
                                  Shape globalShape, std::vector<Axes> dims) {
  plan::Argument *argument = plan.add_arguments();
  argument->set_name(name);
  return fill(*argument, type, globalShape, dims);
}

uint32_t PlanBuilder::addResult(DType type, Shape globalShape,
                                std::vector<Axes> dims) {
  plan::Result *result = plan.add_results();
  result->set_name("result" + std::to_string(plan.results_size() - 1));
  return fill(*result, type, globalShape, dims);
}

void PlanBuilder::addResultInPlace(uint32_t argument) {
  const plan::Argument &source = plan.arguments(static_cast<int>(argument));
  plan::Result *result = plan.add_results();
  result->set_buffer(source.buffer());
  *result->mutable_global_shape() = source.global_shape();
  *result->mutable_sharding() = source.sharding();
  result->set_aliased_argument(argument);
}

void PlanBuilder::feed(uint32_t argument) {
  plan.mutable_results(plan.results_size() - 1)->set_aliased_argument(argument);
}

uint32_t PlanBuilder::getKernel(const std::string &symbol, uint32_t numOperands,
                                uint32_t numResults, int64_t numTiles) {
  for (int i = 0; i < plan.kernels_size(); ++i)
    if (plan.kernels(i).symbol() == symbol &&
        plan.kernels(i).num_operands() == numOperands)
      return static_cast<uint32_t>(i);
  plan::Kernel *kernel = plan.add_kernels();
  kernel->set_symbol(symbol);
  kernel->set_num_tiles(numTiles);
  kernel->set_num_operands(numOperands);
  kernel->set_num_results(numResults);
  return static_cast<uint32_t>(plan.kernels_size() - 1);
}

uint32_t PlanBuilder::addBlock() {
  plan.add_blocks();
  return static_cast<uint32_t>(plan.blocks_size() - 1);
}

static plan::Step &addStep(plan::Plan &plan, uint32_t block) {
  return *plan.mutable_blocks(static_cast<int>(block))->add_steps();
}

void PlanBuilder::launch(const std::string &symbol,
                         std::vector<uint32_t> operands,
                         std::vector<uint32_t> results, int64_t numTiles) {
  uint32_t kernel = getKernel(symbol, static_cast<uint32_t>(operands.size()),
                              static_cast<uint32_t>(results.size()), numTiles);
  plan::Launch *launch = addStep(plan, current).mutable_launch();
  launch->set_kernel(kernel);
  for (uint32_t id : operands)
    launch->add_buffers(id);
  for (uint32_t id : results)
    launch->add_buffers(id);
}

void PlanBuilder::copy(uint32_t source, uint32_t target) {
  plan::Copy *copy = addStep(plan, current).mutable_copy();
  copy->set_source(source);
  copy->set_target(target);
}

void PlanBuilder::axisIndex(const Axes &axes, uint32_t buffer) {
  plan::AxisIndex *index = addStep(plan, current).mutable_axis_index();
  toPlan(getAxes(axes), *index->mutable_axes());
  index->set_buffer(buffer);
}

void PlanBuilder::whileLoop(uint32_t condition, uint32_t body,
                            uint32_t predicate) {
  plan::While *loop = addStep(plan, current).mutable_while_loop();
  loop->set_condition(condition);
  loop->set_body(body);
  loop->set_predicate(predicate);
}

void PlanBuilder::ifElse(uint32_t predicate, uint32_t thenBlock,
                         uint32_t elseBlock) {
  plan::If *branch = addStep(plan, current).mutable_if_else();
  branch->set_predicate(predicate);
  branch->set_then_block(thenBlock);
  branch->set_else_block(elseBlock);
}

plan::Collective &PlanBuilder::collective(plan::Collective::Kind kind,
                                          const Axes &axes,
                                          const Pieces &pieces, uint32_t dim,
                                          uint32_t concatDim,
                                          ReductionKind reduction) {
  plan::Collective &collective = *addStep(plan, current).mutable_collective();
  collective.set_kind(kind);
  toPlan(getAxes(axes), *collective.mutable_axes());
  for (auto [operand, result] : pieces) {
    plan::Collective::Piece *piece = collective.add_pieces();
    piece->set_operand(operand);
    piece->set_result(result);
    piece->set_dim(dim);
    piece->set_concat_dim(concatDim);
  }
  collective.set_reduction(static_cast<uint32_t>(reduction));
  collective.set_sequence(sequence++);
  collective.set_location("model.py:" + std::to_string(sequence));
  return collective;
}

} // namespace partita::testing
