//===- CollectiveReportTest.cpp - Collectives as reported -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collectives/CollectiveReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/collectives/Passes.h"

#include <gmock/gmock.h>

using namespace mlir;

namespace partita {
namespace {

using testing::ElementsAre;

class CollectiveReportTest : public testing::Test {
protected:
  CollectiveReportTest() {
    context
        .loadDialect<func::FuncDialect, core::CoreDialect, comm::CommDialect>();
  }

  /// The collectives of a program, after the passes unless it has some already.
  std::vector<CollectiveEntry> report(const std::string &text,
                                      bool isLowered = false) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!isLowered) {
      PassManager manager(&context);
      addCollectivePasses(manager);
      EXPECT_TRUE(succeeded(manager.run(*module)));
    }
    return getCollectives(*module);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr char kReshards[] = R"(
core.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%a: tensor<8x8xf32> loc("params['w']"), %b: tensor<9xbf16>)
    -> (tensor<8x8xf32>, tensor<9xbf16>) {
  %0 = core.neg %a {core.origins = ["dim 0 \22data\22 from argument 0"],
    core.shardings = [#core.sharding<@mesh, [{}, {}], unreduced={"data", "model"}>]} : tensor<8x8xf32> loc("jit(step)/neg"("gpt.py":31:8))
  %1 = comm.reshard %0 from <@mesh, [{}, {}], unreduced={"data", "model"}> to <@mesh, [{"model"}, {}]> : tensor<8x8xf32> loc("jit(step)/dot"("gpt.py":32:8))
  %2 = comm.reshard %b from <@mesh, [{"model"}]> to <@mesh, [{}]> : tensor<9xbf16> loc("gpt.py":40:1)
  %3 = core.neg %2 : tensor<9xbf16> loc("jit(step)/use")
  return %1, %3 : tensor<8x8xf32>, tensor<9xbf16>
}
)";

TEST_F(CollectiveReportTest, GlobalShapes) {
  std::vector<CollectiveEntry> entries = report(kReshards);
  ASSERT_EQ(entries.size(), 3u);
  const CollectiveEntry &scatter = entries[0], &reduce = entries[1],
                        &gather = entries[2];
  EXPECT_EQ(scatter.kind, CollectiveKind::ReduceScatter);
  EXPECT_THAT(scatter.axes, ElementsAre("model"));
  EXPECT_EQ(scatter.resultBytes, 64);
  EXPECT_EQ(scatter.wireBytes, 192);
  EXPECT_EQ(scatter.reduction, ReductionKind::Sum);
  EXPECT_EQ(scatter.source, "gpt.py:32");
  EXPECT_EQ(scatter.value, "jit(step)/dot");
  EXPECT_GT(scatter.seconds, 0);
  EXPECT_EQ(reduce.kind, CollectiveKind::AllReduce);
  EXPECT_EQ(reduce.wireBytes, 64);
  // Four shards of 3 with their padding.
  EXPECT_EQ(gather.kind, CollectiveKind::AllGather);
  EXPECT_EQ(gather.dtype, DType::BF16);
  EXPECT_EQ(gather.resultBytes, 24);
  EXPECT_EQ(gather.reduction, std::nullopt);
  EXPECT_EQ(gather.count, 1);
}

TEST_F(CollectiveReportTest, Reasons) {
  std::vector<CollectiveEntry> entries = report(kReshards);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].reason,
            "core.neg (jit(step)/neg) leaves partial values, [{}, {}], "
            "unreduced={\"data\", \"model\"}; func.return needs "
            "[{\"model\"}, {}]");
  EXPECT_EQ(entries[2].reason, "argument 1 lies as [{\"model\"}]; core.neg "
                               "(jit(step)/use) needs [{}]");
}

TEST_F(CollectiveReportTest, LocalShapesAndSubAxes) {
  std::vector<CollectiveEntry> entries = report(R"(
core.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<4xf32>, %b: tensor<2x2xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xi32>) {
  %0:2 = comm.all_reduce %a, %a over @mesh {"x":(2)2} max {comm.reasons = ["a", ""]} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = comm.permute %b over @mesh {"x"} sources = [0, 1] targets = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0#0, %0#1, %1 : tensor<4xf32>, tensor<4xf32>, tensor<2x2xi32>
}
)",
                                                /*isLowered=*/true);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_THAT(entries[0].axes, ElementsAre("x:(2)2"));
  EXPECT_EQ(entries[0].groupSize, 2);
  EXPECT_EQ(entries[0].operands, 2);
  EXPECT_EQ(entries[0].resultBytes, 32);
  EXPECT_EQ(entries[0].reduction, ReductionKind::Max);
  EXPECT_EQ(entries[0].reason, "a");
  EXPECT_EQ(entries[1].kind, CollectiveKind::Permute);
  EXPECT_EQ(entries[1].wireBytes, 16);
}

/// A loop of `trips`, inside one of three, that runs a collective.
std::string getLoops(const std::string &trips) {
  return R"(
core.mesh @mesh = <["x"=8]>
func.func @main(%n: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %zero = core.constant dense<0> : tensor<i32>
  %0:2 = core.while (%zero, %a) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) cond {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %three = core.constant dense<3> : tensor<i32>
    %go = core.compare lt %i, %three : tensor<i32>
    core.yield %go : tensor<i1>
  } body {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %1:2 = core.while (%zero, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) cond {
    ^bb0(%j: tensor<i32>, %y: tensor<4xf32>):
      %last = )" +
         trips + R"(
      %go = core.compare ne %j, %last : tensor<i32>
      core.yield %go : tensor<i1>
    } body {
    ^bb0(%j: tensor<i32>, %y: tensor<4xf32>):
      %two = core.constant dense<2> : tensor<i32>
      %j1 = core.add %j, %two : tensor<i32>
      %y1 = comm.all_reduce %y over @mesh {"x"} sum : (tensor<4xf32>) -> tensor<4xf32>
      core.yield %j1, %y1 : tensor<i32>, tensor<4xf32>
    }
    %one = core.constant dense<1> : tensor<i32>
    %i1 = core.add %i, %one : tensor<i32>
    core.yield %i1, %1#1 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
)";
}

TEST_F(CollectiveReportTest, LoopsOfKnownCount) {
  auto entries = report(getLoops("core.constant dense<8> : tensor<i32>"),
                        /*isLowered=*/true);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].count, 12);
}

TEST_F(CollectiveReportTest, ALoopOfUnknownCountCountsOnce) {
  auto entries =
      report(getLoops("core.neg %n : tensor<i32>"), /*isLowered=*/true);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].count, 3);
}

TEST_F(CollectiveReportTest, AnEndlessLoopIsUnknown) {
  auto entries = report(getLoops("core.constant dense<7> : tensor<i32>"),
                        /*isLowered=*/true);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].count, 3);
}

} // namespace
} // namespace partita
