//===- PlanFuzzTest.cpp - Damaged plans that still verify -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the verifier lets pass must run, or fail with a status: it may wait
// for ever or compute nonsense, but not leave its memory. Of use above all with
// the sanitizers.
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"
#include "runtime/plan/Verify.h"
#include "tests/unit/runtime/PlanBuilder.h"
#include "tests/unit/runtime/TestKernels.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <random>

using namespace partita;
using namespace partita::testing;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using plan::Collective;

namespace {

plan::Plan makePlan() {
  PlanBuilder b({{"a", 2}, {"b", 2}});
  uint32_t x = b.addArgument("x", DType::F32, {8, 6}, {{"a"}});
  uint32_t y = b.addResult(DType::F32, {8, 6}, {{"a"}});
  b.feed(0);
  uint32_t z = b.addResult(DType::F32, {8, 6}, {{"b"}, {"a"}});
  uint32_t whole = b.addTemporary(DType::F32, {8, 6});
  uint32_t part = b.addTemporary(DType::F32, {4, 6});
  uint32_t small = b.addTemporary(DType::F32, {4, 3});
  uint32_t wide = b.addTemporary(DType::F32, {2, 12});
  uint32_t index = b.addTemporary(DType::S32, {});
  uint32_t zero = b.addTemporary(DType::S32, {});
  uint32_t predicate = b.addTemporary(DType::Pred, {});
  uint32_t constant = b.addConstant({1, 2, 3});
  uint32_t condition = b.addBlock(), body = b.addBlock();
  b.launch("nothing", {x, constant}, {part}, 3);
  b.collective(Collective::ALL_REDUCE, {"a"}, {{x, part}, {index, zero}});
  b.collective(Collective::ALL_GATHER, {"b"}, {{part, whole}});
  b.collective(Collective::REDUCE_SCATTER, {"a"}, {{whole, y}});
  b.collective(Collective::REDUCE_SCATTER, {"b"}, {{part, small}}, 1);
  b.collective(Collective::ALL_TO_ALL, {"b"}, {{part, wide}}, 0, 1);
  b.collective(Collective::PERMUTE, {}, {{small, z}}).add_pairs();
  b.axisIndex({"b", "a"}, index);
  b.axisIndex({}, zero);
  b.launch("less", {zero, index}, {predicate});
  b.ifElse(predicate, body, condition);
  b.whileLoop(condition, body, predicate);
  b.setBlock(condition);
  b.launch("less", {index, zero}, {predicate});
  b.setBlock(body);
  b.copy(x, y);
  return b.plan;
}

/// Sets one field of a message, or of one within it, to another small number,
/// or repeats or drops an element of a list.
void mutate(Message &message, std::mt19937 &random) {
  const Reflection &fields = *message.GetReflection();
  std::vector<const FieldDescriptor *> present;
  fields.ListFields(message, &present);
  if (present.empty())
    return;
  const FieldDescriptor *field = present[random() % present.size()];
  bool isMessage = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  bool isUnsigned = field->cpp_type() == FieldDescriptor::CPPTYPE_UINT32;
  if (field->is_repeated()) {
    int size = fields.FieldSize(message, field);
    auto at = static_cast<int>(random() % static_cast<unsigned>(size));
    if (random() % 8 == 0)
      fields.RemoveLast(&message, field);
    else if (isMessage && random() % 8 == 0)
      fields.AddMessage(&message, field)
          ->CopyFrom(fields.GetRepeatedMessage(message, field, at));
    else if (isMessage)
      mutate(*fields.MutableRepeatedMessage(&message, field, at), random);
    else if (isUnsigned)
      fields.SetRepeatedUInt32(&message, field, at, random() % 12);
    else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64)
      fields.SetRepeatedInt64(&message, field, at, random() % 13);
  } else if (isMessage) {
    mutate(*fields.MutableMessage(&message, field), random);
  } else if (isUnsigned) {
    fields.SetUInt32(&message, field, random() % 12);
  } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
    fields.SetInt64(&message, field, random() % 13);
  } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT64) {
    fields.SetUInt64(&message, field, random() % 4 * 64);
  } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    fields.SetEnumValue(&message, field, static_cast<int>(random() % 7));
  }
}

HostTensor makeArgument(const plan::Plan &plan, int index) {
  const plan::Argument &argument = plan.arguments(index);
  const plan::Buffer &buffer =
      plan.buffers(static_cast<int>(argument.buffer()));
  return HostTensor(getDType(buffer), {argument.global_shape().begin(),
                                       argument.global_shape().end()});
}

TEST(PlanFuzzTest, RunsWhateverVerifies) {
  ProgramOptions options;
  options.numWorkers = 2;
  options.timeoutSeconds = 0.02;
  // Damage changes the buffers that kernels get: they must not touch them.
  options.kernels = {{"nothing", testNothing}, {"less", testNothing}};
  plan::Plan good = makePlan();
  ASSERT_TRUE(verifyPlan(good).ok()) << verifyPlan(good);
  std::mt19937 random(7);
  int numRun = 0;
  for (int i = 0; i < 3000; ++i) {
    plan::Plan plan = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      mutate(plan, random);
    auto program = Program::load(plan, options);
    if (!program.ok())
      continue;
    for (int a = 0; a < plan.arguments_size(); ++a)
      ASSERT_TRUE((*program)->setArgument(a, makeArgument(plan, a)).ok());
    if (!(*program)->step().ok() || !(*program)->step().ok())
      continue;
    ASSERT_TRUE((*program)->getResults().ok());
    ++numRun;
  }
  EXPECT_GT(numRun, 300);
}

} // namespace
