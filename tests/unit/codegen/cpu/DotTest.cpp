//===- DotTest.cpp - Matrix products --------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/codegen/cpu/KernelRunner.h"

#include <functional>
#include <gtest/gtest.h>

namespace partita::cpu {
namespace {

/// The plain definition of a product with one batch dimension in front.
void expectProduct(const HostTensor &result, int64_t b, int64_t m, int64_t n,
                   int64_t k,
                   std::function<double(int64_t, int64_t, int64_t)> a,
                   std::function<double(int64_t, int64_t, int64_t)> c) {
  for (int64_t p = 0; p < b; ++p)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += a(p, i, l) * c(p, j, l);
        ASSERT_NEAR(getElement(result, (p * m + i) * n + j), sum, 1e-3)
            << p << " " << i << " " << j;
      }
}

struct Sizes {
  int64_t b, m, n, k;
};

class DotTest : public testing::TestWithParam<Sizes> {};

std::string makeType(std::initializer_list<int64_t> sizes) {
  std::string type = "tensor<";
  for (int64_t size : sizes)
    type += std::to_string(size) + "x";
  return type + "f32>";
}

/// Both operands in both layouts.
TEST_P(DotTest, TakesAnyTransposition) {
  auto [b, m, n, k] = GetParam();
  for (int layout = 0; layout < 4; ++layout) {
    bool leftMajor = layout & 1, rightMajor = layout & 2;
    std::string left = leftMajor ? makeType({b, m, k}) : makeType({b, k, m});
    std::string right = rightMajor ? makeType({b, n, k}) : makeType({b, k, n});
    std::string result = makeType({b, m, n});
    LoadedKernels kernels(
        "plan.kernel @k(%a: " + left + ", %b: " + right + ") -> " + result +
        " { %0 = core.dot %a, %b batch [0] x [0] contract [" +
        (leftMajor ? "2" : "1") + "] x [" + (rightMajor ? "2" : "1") + "] : (" +
        left + ", " + right + ") -> " + result +
        "\n plan.return %0 : " + result + " }");
    ASSERT_TRUE(kernels);
    HostTensor x = makeRandom(DType::F32, {b * m * k}, 1);
    HostTensor y = makeRandom(DType::F32, {b * n * k}, 2);
    HostTensor z = kernels.run("k", {x, y})[0];
    expectProduct(
        z, b, m, n, k,
        [&](int64_t p, int64_t i, int64_t l) {
          return getElement(x, leftMajor ? (p * m + i) * k + l
                                         : (p * k + l) * m + i);
        },
        [&](int64_t p, int64_t j, int64_t l) {
          return getElement(y, rightMajor ? (p * n + j) * k + l
                                          : (p * k + l) * n + j);
        });
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, DotTest,
    testing::Values(Sizes{1, 1, 1, 1}, Sizes{2, 7, 5, 3}, Sizes{1, 64, 64, 64},
                    Sizes{2, 50, 70, 300}, Sizes{1, 200, 40, 33},
                    Sizes{1, 3, 600, 17}, Sizes{1, 100, 530, 40}));

/// Results of which only some depend on the product are computed in the same
/// sweep, and by blocks.
TEST(DotKernelTest, ComputesOtherResultsAlongside) {
  LoadedKernels kernels(R"(
    plan.kernel @k(%a: tensor<40x24xf32>, %b: tensor<24x32xf32>, %c: tensor<40x32xf32>)
        -> (tensor<40x32xf32>, tensor<40x32xf32>) {
      %0 = core.mul %c, %c : tensor<40x32xf32>
      %1 = core.dot %a, %b batch [] x [] contract [1] x [0] : (tensor<40x24xf32>, tensor<24x32xf32>) -> tensor<40x32xf32>
      %2 = core.mul %1, %c : tensor<40x32xf32>
      plan.return %0, %2 : tensor<40x32xf32>, tensor<40x32xf32>
    })");
  ASSERT_TRUE(kernels);
  EXPECT_NE(kernels.compiled.llvmText[0].find("@product_f32"),
            std::string::npos);
  std::vector<HostTensor> inputs = {makeRandom(DType::F32, {40, 24}, 1),
                                    makeRandom(DType::F32, {24, 32}, 2),
                                    makeRandom(DType::F32, {40, 32}, 3)};
  std::vector<HostTensor> results = kernels.run("k", inputs);
  std::vector<HostTensor> expected = kernels.evaluate("k", inputs);
  ASSERT_EQ(expected.size(), 2);
  for (int result : {0, 1})
    for (int64_t i = 0; i < 40 * 32; ++i)
      ASSERT_NEAR(getElement(results[result], i),
                  getElement(expected[result], i), 1e-4)
          << result << " " << i;
}

/// Kernels in different modules call the same code.
TEST(DotKernelTest, ShareTheirMicroKernel) {
  std::string text;
  for (int rows = 32; rows < 48; ++rows) {
    std::string left = makeType({rows, 24}), result = makeType({rows, 32});
    text += "plan.kernel @k" + std::to_string(rows) + "(%a: " + left +
            ", %b: tensor<24x32xf32>) -> " + result +
            " { %0 = core.dot %a, %b batch [] x [] contract [1] x [0] : (" +
            left + ", tensor<24x32xf32>) -> " + result +
            "\n plan.return %0 : " + result + " }\n";
  }
  LoadedKernels kernels(text);
  ASSERT_TRUE(kernels);
  ASSERT_GT(kernels.compiled.llvmText.size(), 2);
  int definitions = 0;
  for (const std::string &module : kernels.compiled.llvmText)
    for (size_t at = 0;
         (at = module.find("define hidden", at)) != std::string::npos; ++at)
      ++definitions;
  EXPECT_EQ(definitions, 1);
}

} // namespace
} // namespace partita::cpu
