//===- KernelTest.cpp - Elementwise and row-wise kernels ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/codegen/cpu/KernelRunner.h"

#include <cmath>
#include <gtest/gtest.h>

namespace partita::cpu {
namespace {

TEST(KernelTest, AddsElements) {
  for (int64_t size : {1, 7, 16, 100, 100000}) {
    std::string type = "tensor<" + std::to_string(size) + "xf32>";
    LoadedKernels kernels("plan.kernel @k(%a: " + type + ", %b: " + type +
                          ") -> " + type + " { %0 = core.add %a, %b : " + type +
                          "\n plan.return %0 : " + type + " }");
    ASSERT_TRUE(kernels);
    HostTensor a = makeRandom(DType::F32, {size}, 1);
    HostTensor b = makeRandom(DType::F32, {size}, 2);
    HostTensor sum = kernels.run("k", {a, b})[0];
    for (int64_t i = 0; i < size; ++i)
      ASSERT_EQ(getElement(sum, i),
                static_cast<float>(getElement(a, i) + getElement(b, i)));
  }
}

TEST(KernelTest, NormalizesRowsBySoftmax) {
  LoadedKernels kernels(R"(
    plan.kernel @softmax(%x: tensor<6x5x40xf32>) -> (tensor<6x5x40xf32>, tensor<6x5xf32>) {
      %m = core.reduce max %x, dims = [2] : (tensor<6x5x40xf32>) -> tensor<6x5xf32>
      %mb = core.broadcast %m, dims = [0, 1] : (tensor<6x5xf32>) -> tensor<6x5x40xf32>
      %d = core.sub %x, %mb : tensor<6x5x40xf32>
      %e = core.exp %d : tensor<6x5x40xf32>
      %s = core.reduce sum %e, dims = [2] : (tensor<6x5x40xf32>) -> tensor<6x5xf32>
      %sb = core.broadcast %s, dims = [0, 1] : (tensor<6x5xf32>) -> tensor<6x5x40xf32>
      %r = core.div %e, %sb : tensor<6x5x40xf32>
      %l = core.log %s : tensor<6x5xf32>
      plan.return %r, %l : tensor<6x5x40xf32>, tensor<6x5xf32>
    })");
  ASSERT_TRUE(kernels);
  HostTensor x = makeRandom(DType::F32, {6, 5, 40}, 3);
  std::vector<HostTensor> results = kernels.run("softmax", {x});
  for (int64_t row = 0; row < 30; ++row) {
    double most = -1e9, sum = 0;
    for (int64_t i = 0; i < 40; ++i)
      most = std::max(most, getElement(x, row * 40 + i));
    for (int64_t i = 0; i < 40; ++i)
      sum += std::exp(getElement(x, row * 40 + i) - most);
    for (int64_t i = 0; i < 40; ++i)
      ASSERT_NEAR(getElement(results[0], row * 40 + i),
                  std::exp(getElement(x, row * 40 + i) - most) / sum, 1e-6);
    ASSERT_NEAR(getElement(results[1], row), std::log(sum), 1e-6);
  }
}

TEST(KernelTest, ReducesEitherWay) {
  LoadedKernels kernels(R"(
    plan.kernel @rows(%x: tensor<33x70xf32>) -> tensor<33xf32> {
      %0 = core.reduce sum %x, dims = [1] : (tensor<33x70xf32>) -> tensor<33xf32>
      plan.return %0 : tensor<33xf32>
    }
    plan.kernel @columns(%x: tensor<33x70xf32>) -> tensor<70xf32> {
      %0 = core.reduce sum %x, dims = [0] : (tensor<33x70xf32>) -> tensor<70xf32>
      plan.return %0 : tensor<70xf32>
    }
    plan.kernel @all(%x: tensor<33x70xf32>) -> tensor<f32> {
      %0 = core.reduce sum %x, dims = [0, 1] : (tensor<33x70xf32>) -> tensor<f32>
      plan.return %0 : tensor<f32>
    })");
  ASSERT_TRUE(kernels);
  HostTensor x = makeRandom(DType::F32, {33, 70}, 4);
  HostTensor rows = kernels.run("rows", {x})[0];
  HostTensor columns = kernels.run("columns", {x})[0];
  HostTensor all = kernels.run("all", {x})[0];
  double total = 0;
  std::vector<double> columnSums(70);
  for (int64_t r = 0; r < 33; ++r) {
    double sum = 0;
    for (int64_t c = 0; c < 70; ++c) {
      sum += getElement(x, r * 70 + c);
      columnSums[c] += getElement(x, r * 70 + c);
    }
    ASSERT_NEAR(getElement(rows, r), sum, 1e-4);
    total += sum;
  }
  for (int64_t c = 0; c < 70; ++c)
    ASSERT_NEAR(getElement(columns, c), columnSums[c], 1e-4);
  ASSERT_NEAR(getElement(all, 0), total, 1e-3);
}

} // namespace
} // namespace partita::cpu
