//===- PackageTest.cpp - Package files and their checks ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/plan/Package.h"

#include "runtime/plan/Verify.h"
#include "support/Files.h"
#include "tests/unit/runtime/PlanBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <zlib.h>

using namespace partita;
using namespace partita::testing;
using ::testing::HasSubstr;

namespace {

/// A plan with every kind of step.
plan::Plan makePlan() {
  PlanBuilder b({{"data", 4}, {"model", 2}});
  uint32_t x = b.addArgument("x", DType::F32, {8, 6}, {{"data"}});
  uint32_t w = b.addArgument("params['w']", DType::F32, {8, 6}, {{"data"}});
  uint32_t y = b.addResult(DType::F32, {8, 6}, {{"data"}});
  b.feed(1);
  b.addResultInPlace(0);
  uint32_t constant = b.addConstant({1, 2, 3});
  uint32_t whole = b.addTemporary(DType::F32, {8, 6});
  uint32_t part = b.addTemporary(DType::F32, {2, 6});
  uint32_t index = b.addTemporary(DType::S32, {});
  uint32_t predicate = b.addTemporary(DType::Pred, {});
  uint32_t condition = b.addBlock(), body = b.addBlock();
  b.launch("k0", {x, w, constant}, {part}, 4);
  b.collective(plan::Collective::ALL_REDUCE, {"model"}, {{part, part}});
  b.collective(plan::Collective::ALL_GATHER, {"data"}, {{part, whole}});
  b.collective(plan::Collective::REDUCE_SCATTER, {"data"}, {{whole, part}});
  b.copy(part, y);
  b.copy(part, x);
  b.axisIndex({"data", "model"}, index);
  b.whileLoop(condition, body, predicate);
  b.ifElse(predicate, condition, body);
  plan::Collective &permute =
      b.collective(plan::Collective::PERMUTE, {}, {{part, y}});
  permute.add_pairs()->set_target(1);
  plan::Collective &groups =
      b.collective(plan::Collective::BROADCAST, {}, {{part, y}});
  plan::Collective::Group *group = groups.add_groups();
  group->add_devices(3);
  group->add_devices(1);
  b.setBlock(condition);
  b.launch("k1", {index}, {predicate});
  b.plan.set_report("{}");
  return b.plan;
}

std::string patchChecksum(std::string text) {
  auto sum = static_cast<uint32_t>(crc32_z(
      0, reinterpret_cast<const Bytef *>(text.data()) + 24, text.size() - 24));
  for (int i = 0; i < 4; ++i)
    text[12 + i] = static_cast<char>(sum >> (8 * i) & 0xff);
  return text;
}

void expectError(const absl::Status &status, absl::StatusCode code,
                 const std::string &text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

TEST(PackageTest, RoundTrips) {
  plan::Plan plan = makePlan();
  ASSERT_TRUE(verifyPlan(plan).ok()) << verifyPlan(plan);
  std::string path = ::testing::TempDir() + "/roundtrip.partita";
  ASSERT_TRUE(writePackage(path, plan).ok());
  auto read = readPackage(path);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->format_version(), kPlanFormatVersion);
  EXPECT_EQ(read->fingerprint(), computeFingerprint(*read));
  EXPECT_TRUE(isPackage(*readFile(path)));
  plan.set_format_version(read->format_version());
  plan.set_fingerprint(read->fingerprint());
  EXPECT_EQ(plan.SerializeAsString(), read->SerializeAsString());
  EXPECT_EQ(*serializePackage(plan), *readFile(path));
  std::filesystem::remove(path);
}

TEST(PackageTest, FingerprintTellsPlansApart) {
  plan::Plan plan = makePlan();
  uint64_t before = computeFingerprint(plan);
  plan.mutable_kernels(0)->set_num_tiles(5);
  EXPECT_NE(computeFingerprint(plan), before);
}

TEST(PackageTest, RejectsOtherFiles) {
  auto read = [](const std::string &text) {
    return parsePackage(text, "'x.partita'").status();
  };
  std::string good = *serializePackage(makePlan());
  auto lost = absl::StatusCode::kDataLoss;
  expectError(read("#!/bin/sh"), lost,
              "cannot read 'x.partita' as a package: it does not start");
  expectError(read("PARTITA\n"), lost, "truncated within the header");
  expectError(read(good.substr(0, good.size() - 3)), lost,
              "truncated: 3 of " + std::to_string(good.size()) + " bytes");
  expectError(read(good + "ab"), lost, "2 bytes follow its end");
  std::string bad = good;
  bad[good.size() / 2] ^= 1;
  expectError(read(bad), lost, "its checksum is wrong");
  bad = good;
  bad[8] = 77;
  expectError(
      read(bad), absl::StatusCode::kFailedPrecondition,
      "as a package: it has format version 77, this program reads 1; compile "
      "it again");
  bad = good;
  bad[24] = '\xff';
  expectError(read(patchChecksum(bad)), lost, "malformed protocol buffer");
  expectError(readPackage("/no/such.partita").status(),
              absl::StatusCode::kNotFound, "cannot read '/no/such.partita'");
  plan::Plan plan = makePlan();
  expectError(serializePackage(plan, 100).status(),
              absl::StatusCode::kInvalidArgument,
              "the format ends at 100; pass large constants as arguments");
  plan.clear_entry_blocks();
  expectError(serializePackage(plan).status(),
              absl::StatusCode::kInvalidArgument, "plan: 0 entry blocks");
  expectError(writePackage("/no/such.partita", makePlan()),
              absl::StatusCode::kNotFound, "cannot write '/no/such.partita'");
}

TEST(PackageTest, SurvivesDamage) {
  std::string good = *serializePackage(makePlan());
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    std::string bad = good;
    if (i % 8 == 0) {
      bad.resize(random() % good.size());
      EXPECT_FALSE(parsePackage(bad, "'x'").ok());
      continue;
    }
    for (unsigned n = 1 + random() % 3; n > 0; --n)
      bad[random() % bad.size()] = static_cast<char>(random());
    EXPECT_TRUE(bad == good || !parsePackage(bad, "'x'").ok());
    // With a right checksum only the verifier stands in the way.
    (void)parsePackage(patchChecksum(bad), "'x'").ok();
  }
}

struct Mutation {
  std::function<void(plan::Plan &)> apply;
  std::string message;
};

void expectRejected(const std::vector<Mutation> &mutations) {
  for (const Mutation &mutation : mutations) {
    plan::Plan plan = makePlan();
    mutation.apply(plan);
    expectError(verifyPlan(plan), absl::StatusCode::kInvalidArgument,
                mutation.message);
  }
}

plan::Step &getStep(plan::Plan &plan, int step) {
  return *plan.mutable_blocks(0)->mutable_steps(step);
}
plan::Collective &getCollective(plan::Plan &plan, int step) {
  return *getStep(plan, step).mutable_collective();
}

TEST(VerifyTest, RejectsInconsistentTables) {
  using Plan = plan::Plan;
  expectRejected({
      {[](Plan &p) { p.mutable_target()->set_kind("tpu"); },
       "target: unknown kind 'tpu'"},
      {[](Plan &p) { p.mutable_mesh()->mutable_axes(1)->set_name("data"); },
       "mesh: axis name 'data' is empty or used twice"},
      {[](Plan &p) { p.mutable_mesh()->mutable_axes(1)->set_size(1 << 20); },
       "mesh: axis 'model' has size 1048576"},
      {[](Plan &p) { p.mutable_mesh()->add_device_ids(9); },
       "mesh: device id 9 is out of range"},
      {[](Plan &p) { p.mutable_mesh()->add_device_ids(1); },
       "mesh: 1 device ids for 8 devices"},
      {[](Plan &p) { p.mutable_allocations(0)->set_bytes(uint64_t(1) << 60); },
       "allocation 0: size of"},
      {[](Plan &p) {
         p.mutable_allocations(0)->set_kind(plan::Allocation::Kind(9));
       },
       "allocation 0: unknown kind 9"},
      {[](Plan &p) {
         p.mutable_allocations(1)->set_kind(plan::Allocation::TEMPORARY);
       },
       "allocation 1: a second arena"},
      {[](Plan &p) { p.mutable_allocations(4)->set_bytes(13); },
       "allocation 4: bytes 0 to 13 exceed the 12 bytes of constants"},
      {[](Plan &p) {
         p.mutable_allocations(4)->set_offset(4);
         p.mutable_allocations(4)->set_bytes(8);
       },
       "allocation 4: offset 4 is no multiple of 64"},
      {[](Plan &p) { p.mutable_buffers(0)->set_allocation(99); },
       "buffer 0: no allocation 99"},
      {[](Plan &p) { p.mutable_buffers(0)->set_dtype(99); },
       "buffer 0: no element type 99"},
      {[](Plan &p) { p.mutable_buffers(0)->set_shape(0, -1); },
       "buffer 0: shape [-1, 6] is negative or too large"},
      {[](Plan &p) { p.mutable_buffers(0)->set_shape(0, int64_t(1) << 62); },
       "is negative or too large"},
      {[](Plan &p) { p.mutable_buffers(0)->set_shape(0, 3); },
       "buffer 0: bytes 0 to 72 exceed the 48 bytes of allocation 1"},
      {[](Plan &p) { p.mutable_buffers(6)->set_offset(1); },
       "buffer 6: offset 1 is no multiple of 4"},
      {[](Plan &p) { p.mutable_kernels(0)->set_symbol(""); },
       "kernel 0: symbol '' with 4 tiles"},
      {[](Plan &p) { p.add_entry_blocks(0); },
       "plan: 2 entry blocks for 8 devices"},
      {[](Plan &p) { p.set_entry_blocks(0, 7); }, "plan: no block 7"},
  });
}

TEST(VerifyTest, RejectsInconsistentArgumentsAndResults) {
  using Plan = plan::Plan;
  expectRejected({
      {[](Plan &p) { p.mutable_arguments(0)->set_buffer(99); },
       "argument 0 ('x'): no buffer 99"},
      {[](Plan &p) { p.mutable_arguments(1)->set_buffer(5); },
       "argument 1 ('params['w']'): its buffer does not start"},
      {[](Plan &p) { p.mutable_arguments(1)->set_buffer(0); },
       "allocation 1 holds another argument"},
      {[](Plan &p) { p.mutable_arguments(0)->add_global_shape(1); },
       "argument 0 ('x'): sharding of rank 2 for shape of rank 3"},
      {[](Plan &p) { p.mutable_arguments(0)->set_global_shape(0, -8); },
       "argument 0 ('x'): negative or too large size"},
      {[](Plan &p) { p.mutable_arguments(0)->set_global_shape(0, 16); },
       "argument 0 ('x'): shards of shape [4, 6], but a buffer of shape [2, "
       "6]"},
      {[](Plan &p) {
         auto *dim =
             p.mutable_arguments(0)->mutable_sharding()->mutable_dims(0);
         dim->mutable_axes(0)->set_axis(5);
       },
       "no axis 5 in the mesh"},
      {[](Plan &p) {
         auto *dim =
             p.mutable_arguments(0)->mutable_sharding()->mutable_dims(0);
         dim->mutable_axes(0)->set_size(3);
       },
       "\"data\":(1)3 is no factor of the axis of size 4"},
      {[](Plan &p) {
         auto *sharding = p.mutable_arguments(0)->mutable_sharding();
         *sharding->mutable_dims(1) = sharding->dims(0);
       },
       "axis 'data' is used twice"},
      {[](Plan &p) { p.mutable_results(0)->set_aliased_argument(7); },
       "result 0: aliases argument 7 of 2"},
      {[](Plan &p) { p.mutable_results(0)->set_aliased_argument(0); },
       "result 1: argument 0 is aliased twice"},
      {[](Plan &p) { p.mutable_results(1)->set_aliased_argument(1); },
       "result 1: aliases argument 1 but lies in the memory of argument 0"},
      {[](Plan &p) {
         p.mutable_buffers(2)->set_dtype(static_cast<uint32_t>(DType::S32));
       },
       "result 0: differs in shape or type from argument 1"},
      {[](Plan &p) { p.mutable_allocations(2)->set_bytes(64); },
       "result 0: its allocation differs in size"},
      {[](Plan &p) { p.mutable_results(1)->set_buffer(2); },
       "result 1: allocation 3 holds another aliased result"},
      {[](Plan &p) { p.mutable_results(1)->clear_aliased_argument(); },
       "argument 0 ('x'): its memory is written"},
  });
}

TEST(VerifyTest, RejectsInconsistentSteps) {
  using Plan = plan::Plan;
  expectRejected({
      {[](Plan &p) { getStep(p, 0).Clear(); },
       "block 0, step 0: no kind of step"},
      {[](Plan &p) { getStep(p, 0).mutable_launch()->set_kernel(9); },
       "block 0, step 0: no kernel 9"},
      {[](Plan &p) { getStep(p, 0).mutable_launch()->add_buffers(0); },
       "5 buffers for kernel 'k0', which takes 4"},
      {[](Plan &p) { getStep(p, 0).mutable_launch()->set_buffers(3, 3); },
       "writes buffer 3, which is constant"},
      {[](Plan &p) {
         p.mutable_buffers(5)->set_offset(196);
         p.mutable_allocations(0)->set_bytes(4096);
       },
       "buffer 5 at offset 196 is not aligned to 64 bytes"},
      {[](Plan &p) { getStep(p, 4).mutable_copy()->set_target(99); },
       "block 0, step 4: no buffer 99"},
      {[](Plan &p) { getStep(p, 4).mutable_copy()->set_source(4); },
       "copies 192 bytes to a buffer of 48"},
      {[](Plan &p) {
         plan::Buffer *view = p.add_buffers();
         *view = p.buffers(5);
         view->set_offset(view->offset() + 4);
         p.mutable_allocations(0)->set_bytes(4096);
         getStep(p, 4).mutable_copy()->set_source(5);
         getStep(p, 4).mutable_copy()->set_target(p.buffers_size() - 1);
       },
       "source and target overlap"},
      {[](Plan &p) { getStep(p, 6).mutable_axis_index()->set_buffer(5); },
       "buffer 5 is no scalar of 32 or 64 bit integers"},
      {[](Plan &p) { getStep(p, 7).mutable_while_loop()->set_predicate(6); },
       "predicate buffer 6 is no boolean scalar"},
      {[](Plan &p) { getStep(p, 7).mutable_while_loop()->set_body(12); },
       "block 0, step 7: no block 12"},
      {[](Plan &p) { getStep(p, 8).mutable_if_else()->set_else_block(0); },
       "plan: blocks call one another in a circle"},
  });
}

TEST(VerifyTest, RejectsInconsistentCollectives) {
  using Plan = plan::Plan;
  using Collective = plan::Collective;
  expectRejected({
      {[](Plan &p) { getCollective(p, 1).set_kind(Collective::Kind(17)); },
       "block 0, step 1: unknown kind of collective 17"},
      {[](Plan &p) { getCollective(p, 1).set_reduction(50); },
       "block 0, step 1 (all-reduce): unknown reduction 50"},
      {[](Plan &p) { getCollective(p, 1).add_groups(); },
       "has groups besides axes or pairs"},
      {[](Plan &p) { getCollective(p, 9).add_groups(); },
       "has groups besides axes or pairs"},
      {[](Plan &p) { getCollective(p, 9).set_kind(Collective::ALL_GATHER); },
       "has pairs but is no permute"},
      {[](Plan &p) {
         auto *axes = getCollective(p, 1).mutable_axes();
         *axes->Add() = axes->Get(0);
       },
       "axis 'model' is used twice"},
      {[](Plan &p) { getCollective(p, 10).add_groups(); },
       "groups are empty or of different sizes"},
      {[](Plan &p) {
         getCollective(p, 10).mutable_groups(0)->set_devices(0, 8);
       },
       "device 8 in a group does not exist or occurs twice"},
      {[](Plan &p) { getCollective(p, 10).set_kind(Collective::ALL_REDUCE); },
       "groups hold 2 of 8 devices"},
      {[](Plan &p) { getCollective(p, 9).mutable_pairs(0)->set_source(-1); },
       "pair of devices -1 and 1 of 8"},
      {[](Plan &p) { getCollective(p, 9).add_pairs()->set_target(1); },
       "device 1 is the target twice"},
      {[](Plan &p) { getCollective(p, 1).clear_pieces(); },
       "exchanges nothing"},
      {[](Plan &p) {
         p.mutable_buffers(4)->set_dtype(static_cast<uint32_t>(DType::S32));
       },
       "operand of f32, result of i32"},
      {[](Plan &p) { getCollective(p, 2).mutable_pieces(0)->set_dim(1); },
       "operand [2, 6] and result [8, 6] do not fit a group of 4 along "
       "dimension 1"},
      {[](Plan &p) { getCollective(p, 2).mutable_pieces(0)->set_dim(2); },
       "do not fit a group of 4 along dimension 2"},
      {[](Plan &p) {
         getCollective(p, 1).set_reduction(int(ReductionKind::Xor));
       },
       "reduction xor is not defined for f32"},
      {[](Plan &p) { p.mutable_buffers(5)->set_offset(0); },
       "a result overlaps another buffer of the collective at offset 0 of "
       "allocation 0"},
      {[](Plan &p) { getCollective(p, 3).set_sequence(0); },
       "differs from another collective of sequence number 0"},
  });
}

} // namespace
