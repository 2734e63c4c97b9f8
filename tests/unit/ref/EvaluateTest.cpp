//===- EvaluateTest.cpp - What each op computes ---------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/ref/RunText.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

namespace partita {
namespace {

/// Runs one op, whose text has $0, $1 … for operands given as dense attributes,
/// and compares its result with a dense attribute.
void expectOp(llvm::StringRef op, std::vector<std::string> operands,
              const std::string &expected) {
  TextRunner runner;
  std::string body;
  llvm::raw_string_ostream os(body);
  auto getType = [](llvm::StringRef dense) {
    return dense.rsplit(" : ").second;
  };
  std::string line = op.str();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    os << "%in" << i << " = core.constant " << operand << "\n";
    std::string name = "$" + std::to_string(i);
    for (size_t at; (at = line.find(name)) != std::string::npos;)
      line.replace(at, name.size(), "%in" + std::to_string(i));
  }
  std::string text = "func.func @main() -> " + getType(expected).str() +
                     " {\n" + body + "%out = " + line +
                     "\nreturn %out : " + getType(expected).str() + "\n}";
  std::optional<ReferenceRun> run = runner.run(text);
  ASSERT_TRUE(run) << text << "\n" << runner.message;
  EXPECT_EQ(runner.print(run->results[0]), runner.print(runner.parse(expected)))
      << text;
}

TEST(EvaluateTest, IntegersWrapAndDivideByZero) {
  expectOp("core.add $0, $1 : tensor<2xi8>",
           {"dense<[127, -1]> : tensor<2xi8>", "dense<[1, 3]> : tensor<2xi8>"},
           "dense<[-128, 2]> : tensor<2xi8>");
  expectOp("core.div $0, $1 : tensor<4xi32>",
           {"dense<[7, -7, 5, -2147483648]> : tensor<4xi32>",
            "dense<[2, 2, 0, -1]> : tensor<4xi32>"},
           "dense<[3, -3, -1, -2147483648]> : tensor<4xi32>");
  expectOp("core.rem $0, $1 : tensor<4xi32>",
           {"dense<[7, -7, 5, -2147483648]> : tensor<4xi32>",
            "dense<[2, 2, 0, -1]> : tensor<4xi32>"},
           "dense<[1, -1, 5, 0]> : tensor<4xi32>");
  expectOp("core.div $0, $1 : tensor<2xui8>",
           {"dense<[200, 3]> : tensor<2xui8>", "dense<[7, 0]> : tensor<2xui8>"},
           "dense<[28, 255]> : tensor<2xui8>");
  expectOp("core.pow $0, $1 : tensor<5xi32>",
           {"dense<[3, 2, 1, -1, 5]> : tensor<5xi32>",
            "dense<[4, -1, -3, -3, 0]> : tensor<5xi32>"},
           "dense<[81, 0, 1, -1, 1]> : tensor<5xi32>");
}

TEST(EvaluateTest, BitsOfNarrowIntegers) {
  expectOp(
      "core.shl $0, $1 : tensor<3xi8>",
      {"dense<[1, 1, 3]> : tensor<3xi8>", "dense<[7, 8, -1]> : tensor<3xi8>"},
      "dense<[-128, 0, 0]> : tensor<3xi8>");
  expectOp("core.shr_logical $0, $1 : tensor<3xi8>",
           {"dense<[-128, -1, -1]> : tensor<3xi8>",
            "dense<[7, 4, 8]> : tensor<3xi8>"},
           "dense<[1, 15, 0]> : tensor<3xi8>");
  expectOp("core.shr_arith $0, $1 : tensor<3xi8>",
           {"dense<[-128, 64, -1]> : tensor<3xi8>",
            "dense<[9, 9, 1]> : tensor<3xi8>"},
           "dense<[-1, 0, -1]> : tensor<3xi8>");
  expectOp("core.popcnt $0 : tensor<2xi8>", {"dense<[-1, 5]> : tensor<2xi8>"},
           "dense<[8, 2]> : tensor<2xi8>");
  expectOp("core.clz $0 : tensor<3xi16>", {"dense<[0, 1, -1]> : tensor<3xi16>"},
           "dense<[16, 15, 0]> : tensor<3xi16>");
  expectOp("core.not $0 : tensor<2xi1>",
           {"dense<[true, false]> : tensor<2xi1>"},
           "dense<[false, true]> : tensor<2xi1>");
  expectOp("core.add $0, $1 : tensor<2xi4>",
           {"dense<[7, -8]> : tensor<2xi4>", "dense<[1, -1]> : tensor<2xi4>"},
           "dense<[-8, 7]> : tensor<2xi4>");
}

TEST(EvaluateTest, FloatsKeepNanAndSigns) {
  expectOp("core.max $0, $1 : tensor<3xf32>",
           {"dense<[0x7FC00000, 1.0, -0.0]> : tensor<3xf32>",
            "dense<[2.0, 0x7FC00000, 0.0]> : tensor<3xf32>"},
           "dense<[0x7FC00000, 0x7FC00000, 0.0]> : tensor<3xf32>");
  expectOp("core.sign $0 : tensor<4xf32>",
           {"dense<[-3.0, -0.0, 0x7FC00000, 2.0]> : tensor<4xf32>"},
           "dense<[-1.0, -0.0, 0x7FC00000, 1.0]> : tensor<4xf32>");
  expectOp("core.round $0 : tensor<3xf32>",
           {"dense<[0.5, -1.5, 2.5]> : tensor<3xf32>"},
           "dense<[1.0, -2.0, 3.0]> : tensor<3xf32>");
  expectOp("core.round_even $0 : tensor<3xf32>",
           {"dense<[0.5, -1.5, 2.5]> : tensor<3xf32>"},
           "dense<[0.0, -2.0, 2.0]> : tensor<3xf32>");
  expectOp("core.is_finite $0 : tensor<3xf32>",
           {"dense<[1.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>"},
           "dense<[true, false, false]> : tensor<3xi1>");
  expectOp("core.compare lt total $0, $1 : tensor<3xf32>",
           {"dense<[-0.0, 0x7FC00000, 0xFFC00000]> : tensor<3xf32>",
            "dense<[0.0, 1.0, 1.0]> : tensor<3xf32>"},
           "dense<[true, false, true]> : tensor<3xi1>");
  expectOp("core.compare ne $0, $1 : tensor<2xf32>",
           {"dense<[0x7FC00000, 1.0]> : tensor<2xf32>",
            "dense<[0x7FC00000, 1.0]> : tensor<2xf32>"},
           "dense<[true, false]> : tensor<2xi1>");
}

TEST(EvaluateTest, NarrowFloatsRoundAfterEachOp) {
  expectOp("core.add $0, $1 : tensor<2xbf16>",
           {"dense<[256.0, 1.0]> : tensor<2xbf16>",
            "dense<[1.0, 0.0078125]> : tensor<2xbf16>"},
           "dense<[256.0, 1.0078125]> : tensor<2xbf16>");
  expectOp("core.convert $0 : (tensor<3xf32>) -> tensor<3xf8E4M3FN>",
           {"dense<[1.06, 500.0, -0.3]> : tensor<3xf32>"},
           "dense<[1.0, 0x7F, -0.3125]> : tensor<3xf8E4M3FN>");
  expectOp("core.reduce_precision $0 to e 5 m 10 : tensor<3xf32>",
           {"dense<[1.0001, 70000.0, 1.0e-6]> : tensor<3xf32>"},
           "dense<[1.0, 0x7F800000, 0.0]> : tensor<3xf32>");
}

TEST(EvaluateTest, Conversions) {
  expectOp("core.convert $0 : (tensor<4xf32>) -> tensor<4xi8>",
           {"dense<[3.9, -1000.0, 0x7FC00000, 1.0e9]> : tensor<4xf32>"},
           "dense<[3, -128, 0, 127]> : tensor<4xi8>");
  expectOp("core.convert $0 : (tensor<3xf32>) -> tensor<3xui32>",
           {"dense<[-5.0, 3.0e9, 1.0e20]> : tensor<3xf32>"},
           "dense<[0, 3000000000, 4294967295]> : tensor<3xui32>");
  expectOp("core.convert $0 : (tensor<3xi32>) -> tensor<3xi8>",
           {"dense<[300, -129, 5]> : tensor<3xi32>"},
           "dense<[44, 127, 5]> : tensor<3xi8>");
  expectOp("core.convert $0 : (tensor<2xf32>) -> tensor<2xi1>",
           {"dense<[0.0, 0.5]> : tensor<2xf32>"},
           "dense<[false, true]> : tensor<2xi1>");
  // Once rounded to f32 this would be a tie, and round down.
  expectOp("core.convert $0 : (tensor<1xf64>) -> tensor<1xbf16>",
           {"dense<[1.00390625000001]> : tensor<1xf64>"},
           "dense<[1.0078125]> : tensor<1xbf16>");
  expectOp("core.bitcast $0 : (tensor<1xf32>) -> tensor<1xi32>",
           {"dense<[1.0]> : tensor<1xf32>"},
           "dense<[1065353216]> : tensor<1xi32>");
  expectOp("core.repack $0 : (tensor<1xi32>) -> tensor<1x4xi8>",
           {"dense<[67305985]> : tensor<1xi32>"},
           "dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>");
  expectOp("core.repack $0 : (tensor<1x2xi4>) -> tensor<1xi8>",
           {"dense<[[3, 2]]> : tensor<1x2xi4>"}, "dense<[35]> : tensor<1xi8>");
}

TEST(EvaluateTest, Shapes) {
  expectOp("core.transpose $0, permutation = [1, 0] : (tensor<2x3xi32>) -> "
           "tensor<3x2xi32>",
           {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"},
           "dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>");
  expectOp("core.broadcast $0, dims = [1, 0] : (tensor<2x1xi32>) -> "
           "tensor<3x2xi32>",
           {"dense<[[1], [2]]> : tensor<2x1xi32>"},
           "dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi32>");
  expectOp("core.slice $0 [1] to [6] by [2] : (tensor<6xi32>) -> tensor<3xi32>",
           {"dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>"},
           "dense<[1, 3, 5]> : tensor<3xi32>");
  expectOp("core.pad $0, $1 low [1] high [2] interior [1] : (tensor<3xi32>, "
           "tensor<i32>) -> tensor<8xi32>",
           {"dense<[1, 2, 3]> : tensor<3xi32>", "dense<9> : tensor<i32>"},
           "dense<[9, 1, 9, 2, 9, 3, 9, 9]> : tensor<8xi32>");
  expectOp("core.pad $0, $1 low [-1] high [-2] interior [1] : (tensor<4xi32>, "
           "tensor<i32>) -> tensor<4xi32>",
           {"dense<[1, 2, 3, 4]> : tensor<4xi32>", "dense<9> : tensor<i32>"},
           "dense<[9, 2, 9, 3]> : tensor<4xi32>");
  expectOp("core.concatenate $0, $1 dim 1 : (tensor<2x1xi32>, "
           "tensor<2x2xi32>) -> tensor<2x3xi32>",
           {"dense<[[1], [2]]> : tensor<2x1xi32>",
            "dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>"},
           "dense<[[1, 3, 4], [2, 5, 6]]> : tensor<2x3xi32>");
  expectOp("core.reverse $0, dims = [1] : tensor<2x2xi32>",
           {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>"},
           "dense<[[2, 1], [4, 3]]> : tensor<2x2xi32>");
  expectOp("core.iota dim = 0 : tensor<3x2xbf16>", {},
           "dense<[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]> : tensor<3x2xbf16>");
}

TEST(EvaluateTest, ProductsAndSums) {
  expectOp("core.dot $0, $1 batch [] x [] contract [1] x [0] : "
           "(tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>",
           {"dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>",
            "dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>"},
           "dense<[[4.0, 5.0], [10.0, 11.0]]> : tensor<2x2xf32>");
  expectOp("core.dot $0, $1 batch [1] x [0] contract [0] x [1] : "
           "(tensor<2x2xi8>, tensor<2x2x1xi8>) -> tensor<2x1xi32>",
           {"dense<[[100, 2], [100, 4]]> : tensor<2x2xi8>",
            "dense<[[[100], [100]], [[1], [2]]]> : tensor<2x2x1xi8>"},
           "dense<[[20000], [10]]> : tensor<2x1xi32>");
  expectOp("core.reduce sum $0, dims = [0] : (tensor<2x3xi32>) -> "
           "tensor<3xi32>",
           {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"},
           "dense<[5, 7, 9]> : tensor<3xi32>");
  expectOp("core.reduce max $0, dims = [1] : (tensor<2x2xf32>) -> "
           "tensor<2xf32>",
           {"dense<[[-4.0, -5.0], [1.0, 0x7FC00000]]> : tensor<2x2xf32>"},
           "dense<[-4.0, 0x7FC00000]> : tensor<2xf32>");
  expectOp("core.reduce and $0, dims = [0] : (tensor<3xui8>) -> tensor<ui8>",
           {"dense<[7, 14, 6]> : tensor<3xui8>"}, "dense<6> : tensor<ui8>");
  // Empty reductions give the identity.
  expectOp("core.reduce min $0, dims = [0] : (tensor<0xi32>) -> tensor<i32>",
           {"dense<[]> : tensor<0xi32>"}, "dense<2147483647> : tensor<i32>");
}

TEST(EvaluateTest, Indexing) {
  const std::string rows = "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>";
  expectOp("core.dynamic_slice $0 at ($1, $1) sizes [1, 2] : "
           "(tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>",
           {rows, "dense<9> : tensor<i32>"},
           "dense<[[5, 6]]> : tensor<1x2xi32>");
  expectOp("core.dynamic_update_slice $0, $1 at ($2, $2) : (tensor<3x2xi32>, "
           "tensor<1x1xi32>, tensor<i32>, tensor<i32>) -> tensor<3x2xi32>",
           {rows, "dense<[[9]]> : tensor<1x1xi32>", "dense<1> : tensor<i32>"},
           "dense<[[1, 2], [3, 9], [5, 6]]> : tensor<3x2xi32>");
  expectOp("core.gather $0 at $1 {offset_dims = array<i64: 1>, "
           "collapsed_slice_dims = array<i64: 0>, operand_batching_dims = "
           "array<i64>, start_indices_batching_dims = array<i64>, "
           "start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, "
           "slice_sizes = array<i64: 1, 2>} : (tensor<3x2xi32>, "
           "tensor<3x1xi32>) -> tensor<3x2xi32>",
           {rows, "dense<[[2], [-4], [7]]> : tensor<3x1xi32>"},
           "dense<[[5, 6], [1, 2], [5, 6]]> : tensor<3x2xi32>");
  expectOp("core.gather $0 at $1 {offset_dims = array<i64>, "
           "collapsed_slice_dims = array<i64: 1>, operand_batching_dims = "
           "array<i64: 0>, start_indices_batching_dims = array<i64: 0>, "
           "start_index_map = array<i64: 1>, index_vector_dim = 1 : i64, "
           "slice_sizes = array<i64: 1, 1>} : (tensor<3x2xi32>, "
           "tensor<3xi32>) -> tensor<3xi32>",
           {rows, "dense<[1, 0, 1]> : tensor<3xi32>"},
           "dense<[2, 3, 6]> : tensor<3xi32>");
  const std::string scatter =
      " $0 at $1, $2 {update_window_dims = array<i64: 1>, "
      "inserted_window_dims = array<i64: 0>, input_batching_dims = array<i64>, "
      "scatter_indices_batching_dims = array<i64>, "
      "scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : "
      "i64} : (tensor<3x2xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> "
      "tensor<3x2xi32>";
  std::vector<std::string> operands = {
      rows, "dense<[[1], [1], [3]]> : tensor<3x1xi32>",
      "dense<[[10, 20], [1, 1], [7, 7]]> : tensor<3x2xi32>"};
  expectOp("core.scatter with sum :" + scatter, operands,
           "dense<[[1, 2], [14, 25], [5, 6]]> : tensor<3x2xi32>");
  expectOp("core.scatter" + scatter, operands,
           "dense<[[1, 2], [1, 1], [5, 6]]> : tensor<3x2xi32>");
}

TEST(EvaluateTest, ComplexNumbers) {
  expectOp("core.mul $0, $0 : tensor<1xcomplex<f32>>",
           {"dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>"},
           "dense<[(-3.0, 4.0)]> : tensor<1xcomplex<f32>>");
  expectOp("core.abs $0 : tensor<1xcomplex<f32>>",
           {"dense<[(3.0, -4.0)]> : tensor<1xcomplex<f32>>"},
           "dense<[5.0]> : tensor<1xf32>");
  expectOp("core.complex $0, $0 : tensor<1xf32>",
           {"dense<[3.0]> : tensor<1xf32>"},
           "dense<[(3.0, 3.0)]> : tensor<1xcomplex<f32>>");
}

} // namespace
} // namespace partita
