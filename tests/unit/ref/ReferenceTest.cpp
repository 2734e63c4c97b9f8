//===- ReferenceTest.cpp - Control flow and devices -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/ref/RunText.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using ::testing::HasSubstr;

namespace partita {
namespace {

TEST(ReferenceTest, LoopsBranchesAndCalls) {
  TextRunner runner;
  auto run = runner.run(R"(
    func.func private @double(%x: tensor<i32>) -> tensor<i32> {
      %0 = core.add %x, %x : tensor<i32>
      return %0 : tensor<i32>
    }
    func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      %limit = core.constant dense<100> : tensor<i32>
      %0 = core.while (%x) : (tensor<i32>) -> tensor<i32> cond {
      ^bb0(%v: tensor<i32>):
        %p = core.compare lt %v, %limit : tensor<i32>
        core.yield %p : tensor<i1>
      } body {
      ^bb0(%v: tensor<i32>):
        %d = func.call @double(%v) : (tensor<i32>) -> tensor<i32>
        core.yield %d : tensor<i32>
      }
      %p = core.compare gt %0, %limit : tensor<i32>
      %1 = core.if %p : (tensor<i1>) -> tensor<i32> then {
        core.yield %x : tensor<i32>
      } else {
        core.yield %0 : tensor<i32>
      }
      return %0, %1 : tensor<i32>, tensor<i32>
    })",
                        {runner.parse("dense<3> : tensor<i32>")});
  ASSERT_TRUE(run) << runner.message;
  EXPECT_EQ(runner.print(run->results[0]), "dense<192> : tensor<i32>");
  EXPECT_EQ(runner.print(run->results[1]), "dense<3> : tensor<i32>");
}

/// A localised module on 2 x 2 devices around the body.
std::string makeLocal(std::string_view argument, std::string_view result,
                      std::string_view body) {
  return "core.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
         "func.func @main(%a: " +
         std::string(argument) + ") -> (" + std::string(result) + ") {\n" +
         std::string(body) + "\n}";
}

constexpr std::string_view kSplit =
    "tensor<2x4xi32> {core.global = tensor<3x4xi32>, "
    "core.sharding = #core.sharding<@mesh, [{\"x\"}, {}]>}";
const std::string kThreeByFour =
    "dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>";

TEST(ReferenceTest, ShardsAreCutPaddedAndJoined) {
  TextRunner runner;
  auto run =
      runner.run(makeLocal(kSplit, kSplit,
                           "%0 = core.neg %a : tensor<2x4xi32>\nreturn %0 : "
                           "tensor<2x4xi32>"),
                 {runner.parse(kThreeByFour)});
  ASSERT_TRUE(run) << runner.message;
  EXPECT_EQ(runner.print(run->results[0]),
            "dense<[[0, -1, -2, -3], [-4, -5, -6, -7], [-8, -9, -10, -11]]> : "
            "tensor<3x4xi32>");
}

TEST(ReferenceTest, CollectivesAreRunAndCounted) {
  TextRunner runner;
  auto run = runner.run(
      makeLocal("tensor<4xi32> {core.global = tensor<8xi32>, core.sharding = "
                "#core.sharding<@mesh, [{\"x\"}]>}",
                "tensor<4xi32> {core.global = tensor<4xi32>}, "
                "tensor<8xi32> {core.global = tensor<8xi32>}, "
                "tensor<1xi32> {core.global = tensor<4xi32>, core.sharding = "
                "#core.sharding<@mesh, [{\"x\", \"y\"}]>}, "
                "tensor<i32> {core.global = tensor<i32>}",
                R"(
        %0 = comm.all_reduce %a over @mesh {"x"} sum : (tensor<4xi32>) -> tensor<4xi32>
        %1 = comm.all_gather %a over @mesh {"x"} dims = [0] : (tensor<4xi32>) -> tensor<8xi32>
        %2 = comm.reduce_scatter %a over @mesh {"x"} sum dims = [0] : (tensor<4xi32>) -> tensor<2xi32>
        %3 = comm.slice %2 over @mesh {"y"} dim = 0 : (tensor<2xi32>) -> tensor<1xi32>
        %4 = comm.axis_index over @mesh {"y", "x"} : tensor<i32>
        %5 = comm.all_reduce %4 over @mesh {"x", "y"} max : (tensor<i32>) -> tensor<i32>
        return %0, %1, %3, %5 : tensor<4xi32>, tensor<8xi32>, tensor<1xi32>, tensor<i32>)"),
      {runner.parse("dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>")});
  ASSERT_TRUE(run) << runner.message;
  EXPECT_EQ(runner.print(run->results[0]),
            "dense<[4, 6, 8, 10]> : tensor<4xi32>");
  EXPECT_EQ(runner.print(run->results[1]),
            "dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>");
  EXPECT_EQ(runner.print(run->results[2]),
            "dense<[4, 6, 8, 10]> : tensor<4xi32>");
  EXPECT_EQ(runner.print(run->results[3]), "dense<3> : tensor<i32>");
  EXPECT_EQ(run->collectives["all-reduce"].count, 2);
  EXPECT_EQ(run->collectives["all-reduce"].resultBytes, 20);
  EXPECT_EQ(run->collectives["all-gather"].resultBytes, 32);
  EXPECT_EQ(run->collectives["reduce-scatter"].resultBytes, 8);
  EXPECT_EQ(run->collectives.size(), 3u);
}

TEST(ReferenceTest, PartsMoveBetweenDevices) {
  TextRunner runner;
  constexpr std::string_view kRows =
      "tensor<2x4xi32> {core.global = tensor<4x4xi32>, "
      "core.sharding = #core.sharding<@mesh, [{\"x\"}, {}]>}";
  auto run = runner.run(
      makeLocal(kRows,
                "tensor<4x2xi32> {core.global = tensor<4x4xi32>, core.sharding "
                "= #core.sharding<@mesh, [{}, {\"x\"}]>}, " +
                    std::string(kRows),
                R"(
        %0 = comm.all_to_all %a over @mesh {"x"} split = [1] concat = [0] : (tensor<2x4xi32>) -> tensor<4x2xi32>
        %1 = comm.permute %a over @mesh {"x"} sources = [0, 1] targets = [2, 3] : (tensor<2x4xi32>) -> tensor<2x4xi32>
        return %0, %1 : tensor<4x2xi32>, tensor<2x4xi32>)"),
      {runner.parse("dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, "
                    "13, 14, 15]]> : tensor<4x4xi32>")});
  ASSERT_TRUE(run) << runner.message;
  EXPECT_EQ(runner.print(run->results[0]),
            "dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, "
            "15]]> : tensor<4x4xi32>");
  EXPECT_EQ(runner.print(run->results[1]),
            "dense<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 2, 3], [4, 5, 6, 7]]> : "
            "tensor<4x4xi32>");
}

TEST(ReferenceTest, CopiesThatDifferAreReported) {
  TextRunner runner;
  EXPECT_FALSE(runner.run(
      makeLocal(kSplit, "tensor<2x4xi32> {core.global = tensor<2x4xi32>}",
                "return %a : tensor<2x4xi32>"),
      {runner.parse(kThreeByFour)}));
  EXPECT_EQ(runner.message, "result 0 differs between devices 0 and 2, which "
                            "should hold copies");
}

TEST(ReferenceTest, PredicatesThatDifferAreReported) {
  TextRunner runner;
  EXPECT_FALSE(runner.run(makeLocal(kSplit, kSplit, R"(
        %i = comm.axis_index over @mesh {"y"} : tensor<i32>
        %zero = core.constant dense<0> : tensor<i32>
        %p = core.compare eq %i, %zero : tensor<i32>
        %0 = core.if %p : (tensor<i1>) -> tensor<2x4xi32> then {
          %s = comm.all_reduce %a over @mesh {"x"} sum : (tensor<2x4xi32>) -> tensor<2x4xi32>
          core.yield %s : tensor<2x4xi32>
        } else {
          core.yield %a : tensor<2x4xi32>
        }
        return %0 : tensor<2x4xi32>)"),
                          {runner.parse(kThreeByFour)}));
  EXPECT_THAT(runner.message,
              HasSubstr("devices 0 and 1 disagree on the predicate; it must be "
                        "computed from values that all devices share"));
}

TEST(ReferenceTest, WrongArgumentsAreReported) {
  TextRunner runner;
  EXPECT_FALSE(
      runner.run(makeLocal(kSplit, kSplit, "return %a : tensor<2x4xi32>")));
  EXPECT_EQ(runner.message, "@main takes 1 arguments, not 0");
  TextRunner second;
  EXPECT_FALSE(
      second.run(makeLocal(kSplit, kSplit, "return %a : tensor<2x4xi32>"),
                 {second.parse("dense<0> : tensor<2x4xi32>")}));
  EXPECT_EQ(second.message, "argument 0 should be 'tensor<3x4xi32>'");
  TextRunner third;
  EXPECT_FALSE(third.run("func.func @other() { return }"));
  EXPECT_EQ(third.message, "the module has no function @main to run");
}

TEST(ReferenceTest, OpsWithoutMeaningHereAreReported) {
  TextRunner runner;
  EXPECT_FALSE(runner.run("func.func private @f() -> tensor<i32>\n"
                          "func.func @main() -> tensor<i32> {\n"
                          "%0 = call @f() : () -> tensor<i32>\n"
                          "return %0 : tensor<i32>\n}"));
  EXPECT_THAT(runner.message, HasSubstr("calls @f, which has no body"));
}

} // namespace
} // namespace partita
