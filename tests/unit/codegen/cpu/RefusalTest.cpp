//===- RefusalTest.cpp - What there is no code for ------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/KernelCompiler.h"
#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "ir/plan/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>

namespace partita::cpu {
namespace {

using testing::HasSubstr;

/// What is said about one kernel; nothing when it compiles.
std::string compile(std::string_view text, const CpuTarget &target,
                    const CpuOptions &options = {}, bool isVerified = true) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context
      .loadDialect<comm::CommDialect, core::CoreDialect, plan::PlanDialect>();
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context, isVerified));
  if (!module)
    return "not parsed: " + message;
  bool isCompiled = mlir::succeeded(compileKernels(*module, target, options));
  EXPECT_EQ(isCompiled, message.empty());
  return message;
}

constexpr std::string_view kNegate = R"(
  plan.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = core.neg %x : tensor<4xf32>
    plan.return %0 : tensor<4xf32>
  })";

TEST(RefusalTest, UnknownTargets) {
  CpuTarget target = CpuTarget::getHost();
  target.triple = "vax-dec-ultrix";
  EXPECT_THAT(compile(kNegate, target),
              HasSubstr("no code generator for 'vax-dec-ultrix' in this LLVM; "
                        "choose another target"));
}

TEST(RefusalTest, OpsThatAreNoPartOfKernels) {
  EXPECT_THAT(
      compile(R"(
        core.mesh @mesh = <["x"=2]>
        plan.kernel @k() -> tensor<i32> {
          %0 = comm.axis_index over @mesh {"x"} : tensor<i32>
          plan.return %0 : tensor<i32>
        })",
              CpuTarget::getHost()),
      HasSubstr("has no code for the CPU with these element types; use the "
                "ref back-end"));
}

TEST(RefusalTest, InvalidCode) {
  // The verifier refuses such a program before it comes here.
  EXPECT_THAT(compile(R"(
        plan.kernel @k(%x: tensor<4xf32>, %y: tensor<4xi32>) -> tensor<4xi32> {
          %0 = "core.add"(%x, %y) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
          plan.return %0 : tensor<4xi32>
        })",
                      CpuTarget::getHost(), {}, /*isVerified=*/false),
              HasSubstr("the cpu back-end made invalid code: "));
}

TEST(RefusalTest, MissingAndFailingLinkers) {
  CpuOptions options;
  options.linker = "no-such-linker";
  EXPECT_THAT(compile(kNegate, CpuTarget::getHost(), options),
              HasSubstr("cannot link kernels: no program 'no-such-linker'; "
                        "install lld-22 or name another"));
  options.linker = "false";
  EXPECT_THAT(compile(kNegate, CpuTarget::getHost(), options),
              HasSubstr("cannot link kernels: the linker failed with status"));
}

} // namespace
} // namespace partita::cpu
