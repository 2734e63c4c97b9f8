//===- OpsTest.cpp - Compiled kernels against the ops' definitions --------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/codegen/cpu/KernelRunner.h"

#include "ir/core/Types.h"

#include <cmath>
#include <gtest/gtest.h>

namespace partita::cpu {
namespace {

struct Case {
  const char *name;
  const char *signature; ///< "(%a: tensor<…>) -> tensor<…>"
  const char *body;
  double tolerance = 1e-5;
};

class OpsTest : public testing::TestWithParam<Case> {};

void expectSame(const HostTensor &actual, const HostTensor &expected,
                double tolerance) {
  ASSERT_EQ(actual.getNumElements(), expected.getNumElements());
  for (int64_t i = 0; i < actual.getNumElements(); ++i) {
    double a = getElement(actual, i), b = getElement(expected, i);
    if (std::isnan(b)) {
      ASSERT_TRUE(std::isnan(a)) << "element " << i;
      continue;
    }
    ASSERT_NEAR(a, b, tolerance * std::max(1.0, std::fabs(b)))
        << "element " << i;
  }
}

void runCase(const Case &test, const CpuTarget &target) {
  LoadedKernels kernels(std::string("plan.kernel @k") + test.signature +
                            " {\n" + test.body + "\n}",
                        target);
  ASSERT_TRUE(kernels);
  std::vector<HostTensor> inputs;
  auto kernel = kernels.module->lookupSymbol<plan::KernelOp>("k");
  for (mlir::Type type : kernel.getArgumentTypes()) {
    auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    inputs.push_back(makeRandom(*toDType(tensor.getElementType()),
                                Shape(tensor.getShape()),
                                static_cast<unsigned>(inputs.size()) + 1));
  }
  std::vector<HostTensor> expected = kernels.evaluate("k", inputs);
  ASSERT_FALSE(expected.empty());
  std::vector<HostTensor> actual = kernels.run("k", inputs);
  for (auto [a, b] : llvm::zip(actual, expected))
    expectSame(a, b, test.tolerance);
}

TEST_P(OpsTest, AgreesWithDefinition) {
  runCase(GetParam(), CpuTarget::getHost());
}

TEST_P(OpsTest, AgreesOnNarrowVectors) {
  runCase(GetParam(), CpuTarget::getSse());
}

const Case kCases[] = {
    {"BroadcastInner", "(%a: tensor<5xf32>) -> tensor<3x5x7xf32>",
     "%0 = core.broadcast %a, dims = [1] : (tensor<5xf32>) -> "
     "tensor<3x5x7xf32>\n"
     "plan.return %0 : tensor<3x5x7xf32>"},
    {"ReshapeAcrossDims", "(%a: tensor<6x10xf32>) -> tensor<4x15xf32>",
     "%b = core.broadcast %a, dims = [0, 1] : (tensor<6x10xf32>) -> "
     "tensor<6x10xf32>\n"
     "%0 = core.reshape %b : (tensor<6x10xf32>) -> tensor<4x15xf32>\n"
     "plan.return %0 : tensor<4x15xf32>"},
    {"ReshapeOfTranspose", "(%a: tensor<32x48xf32>) -> tensor<16x96xf32>",
     "%b = core.transpose %a, permutation = [1, 0] : (tensor<32x48xf32>) -> "
     "tensor<48x32xf32>\n"
     "%0 = core.reshape %b : (tensor<48x32xf32>) -> tensor<16x96xf32>\n"
     "plan.return %0 : tensor<16x96xf32>"},
    {"Transpose3", "(%a: tensor<4x24x9xf32>) -> tensor<9x4x24xf32>",
     "%0 = core.transpose %a, permutation = [2, 0, 1] : (tensor<4x24x9xf32>) "
     "-> tensor<9x4x24xf32>\n"
     "plan.return %0 : tensor<9x4x24xf32>"},
    {"SliceStrided", "(%a: tensor<9x40xf32>) -> tensor<4x12xf32>",
     "%0 = core.slice %a [1, 3] to [9, 38] by [2, 3] : (tensor<9x40xf32>) -> "
     "tensor<4x12xf32>\n"
     "plan.return %0 : tensor<4x12xf32>"},
    {"PadInterior",
     "(%a: tensor<3x5xf32>, %v: tensor<f32>) -> tensor<6x20xf32>",
     "%0 = core.pad %a, %v low [1, 2] high [0, 5] interior [1, 2] : "
     "(tensor<3x5xf32>, tensor<f32>) -> tensor<6x20xf32>\n"
     "plan.return %0 : tensor<6x20xf32>"},
    {"PadNegative",
     "(%a: tensor<6x40xf32>, %v: tensor<f32>) -> tensor<5x37xf32>",
     "%0 = core.pad %a, %v low [-1, -2] high [0, -1] interior [0, 0] : "
     "(tensor<6x40xf32>, tensor<f32>) -> tensor<5x37xf32>\n"
     "plan.return %0 : tensor<5x37xf32>"},
    {"ConcatenateLast",
     "(%a: tensor<3x32xf32>, %b: tensor<3x16xf32>, %c: tensor<3x16xf32>) -> "
     "tensor<3x64xf32>",
     "%0 = core.concatenate %a, %b, %c dim 1 : (tensor<3x32xf32>, "
     "tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x64xf32>\n"
     "plan.return %0 : tensor<3x64xf32>"},
    {"ConcatenateOdd",
     "(%a: tensor<3x7xf32>, %b: tensor<3x12xf32>) -> tensor<3x19xf32>",
     "%0 = core.concatenate %a, %b dim 1 : (tensor<3x7xf32>, tensor<3x12xf32>) "
     "-> tensor<3x19xf32>\n"
     "plan.return %0 : tensor<3x19xf32>"},
    {"Reverse", "(%a: tensor<4x40xf32>) -> tensor<4x40xf32>",
     "%0 = core.reverse %a, dims = [0, 1] : tensor<4x40xf32>\n"
     "plan.return %0 : tensor<4x40xf32>"},
    {"RepackToNarrow", "(%a: tensor<5x37xf32>) -> tensor<5x37x2xi16>",
     "%0 = core.repack %a : (tensor<5x37xf32>) -> tensor<5x37x2xi16>\n"
     "plan.return %0 : tensor<5x37x2xi16>"},
    {"RepackToWide", "(%a: tensor<5x37x4xui8>) -> tensor<5x37xi32>",
     "%0 = core.repack %a : (tensor<5x37x4xui8>) -> tensor<5x37xi32>\n"
     "plan.return %0 : tensor<5x37xi32>"},
    {"RepackToNibbles", "(%a: tensor<37xi8>) -> tensor<37x2xi4>",
     "%0 = core.repack %a : (tensor<37xi8>) -> tensor<37x2xi4>\n"
     "plan.return %0 : tensor<37x2xi4>"},
    {"RepackHalves", "(%a: tensor<37x2xbf16>) -> tensor<37xf32>",
     "%0 = core.repack %a : (tensor<37x2xbf16>) -> tensor<37xf32>\n"
     "plan.return %0 : tensor<37xf32>"},
    {"Iota", "(%a: tensor<4x40xi32>) -> tensor<4x40xi32>",
     "%0 = core.iota dim = 1 : tensor<4x40xi32>\n"
     "%1 = core.add %0, %a : tensor<4x40xi32>\n"
     "plan.return %1 : tensor<4x40xi32>"},
    {"DynamicSlice",
     "(%a: tensor<7x50xf32>, %i: tensor<i32>, %j: tensor<i32>) -> "
     "tensor<3x33xf32>",
     "%0 = core.dynamic_slice %a at (%i, %j) sizes [3, 33] : "
     "(tensor<7x50xf32>, tensor<i32>, tensor<i32>) -> tensor<3x33xf32>\n"
     "plan.return %0 : tensor<3x33xf32>"},
    {"DynamicUpdateSlice",
     "(%a: tensor<7x50xf32>, %u: tensor<3x33xf32>, %i: tensor<i32>, %j: "
     "tensor<i32>) -> tensor<7x50xf32>",
     "%0 = core.dynamic_update_slice %a, %u at (%i, %j) : (tensor<7x50xf32>, "
     "tensor<3x33xf32>, tensor<i32>, tensor<i32>) -> tensor<7x50xf32>\n"
     "plan.return %0 : tensor<7x50xf32>"},
    {"DynamicUpdateOfComputed",
     "(%a: tensor<7x32xf32>, %u: tensor<1x32xf32>, %i: tensor<i32>) -> "
     "tensor<7x32xf32>",
     "%z = core.constant dense<0> : tensor<i32>\n"
     "%n = core.neg %a : tensor<7x32xf32>\n"
     "%0 = core.dynamic_update_slice %n, %u at (%i, %z) : (tensor<7x32xf32>, "
     "tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<7x32xf32>\n"
     "plan.return %0 : tensor<7x32xf32>"},
    {"GatherRows",
     "(%a: tensor<8x24xf32>, %i: tensor<5x1xi32>) -> tensor<5x24xf32>",
     "%0 = core.gather %a at %i {offset_dims = array<i64: 1>, "
     "collapsed_slice_dims = array<i64: 0>, operand_batching_dims = "
     "array<i64>, start_indices_batching_dims = array<i64>, start_index_map = "
     "array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, "
     "24>} : (tensor<8x24xf32>, tensor<5x1xi32>) -> tensor<5x24xf32>\n"
     "plan.return %0 : tensor<5x24xf32>"},
    {"GatherAlongAxis",
     "(%a: tensor<20x12xf32>, %i: tensor<20x1xi32>) -> tensor<20xf32>",
     "%0 = core.gather %a at %i {offset_dims = array<i64>, "
     "collapsed_slice_dims = array<i64: 1>, operand_batching_dims = array<i64: "
     "0>, start_indices_batching_dims = array<i64: 0>, start_index_map = "
     "array<i64: 1>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, "
     "1>} : (tensor<20x12xf32>, tensor<20x1xi32>) -> tensor<20xf32>\n"
     "plan.return %0 : tensor<20xf32>"},
    {"ScatterAddRows",
     "(%a: tensor<8x160xf32>, %i: tensor<30x1xi32>, %u: tensor<30x160xf32>) -> "
     "tensor<8x160xf32>",
     "%0 = core.scatter with sum : %a at %i, %u {update_window_dims = "
     "array<i64: 1>, inserted_window_dims = array<i64: 0>, input_batching_dims "
     "= array<i64>, scatter_indices_batching_dims = array<i64>, "
     "scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : "
     "i64} : (tensor<8x160xf32>, tensor<30x1xi32>, tensor<30x160xf32>) -> "
     "tensor<8x160xf32>\n"
     "plan.return %0 : tensor<8x160xf32>",
     1e-4},
    {"ScatterAlongAxis",
     "(%a: tensor<20x12xf32>, %i: tensor<20x1xi32>, %u: tensor<20xf32>) -> "
     "tensor<20x12xf32>",
     "%0 = core.scatter with sum : %a at %i, %u {update_window_dims = "
     "array<i64>, inserted_window_dims = array<i64: 1>, input_batching_dims = "
     "array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, "
     "scatter_dims_to_operand_dims = array<i64: 1>, index_vector_dim = 1 : "
     "i64} : (tensor<20x12xf32>, tensor<20x1xi32>, tensor<20xf32>) -> "
     "tensor<20x12xf32>\n"
     "plan.return %0 : tensor<20x12xf32>"},
    {"ReduceMiddle", "(%a: tensor<4x9x33xf32>) -> tensor<4x33xf32>",
     "%0 = core.reduce max %a, dims = [1] : (tensor<4x9x33xf32>) -> "
     "tensor<4x33xf32>\n"
     "plan.return %0 : tensor<4x33xf32>"},
    {"ReduceBothEnds", "(%a: tensor<4x9x33xf32>) -> tensor<9xf32>",
     "%0 = core.reduce sum %a, dims = [0, 2] : (tensor<4x9x33xf32>) -> "
     "tensor<9xf32>\n"
     "plan.return %0 : tensor<9xf32>",
     1e-4},
    {"ReduceAnd", "(%a: tensor<4x70xi1>) -> tensor<4xi1>",
     "%0 = core.reduce and %a, dims = [1] : (tensor<4x70xi1>) -> tensor<4xi1>\n"
     "plan.return %0 : tensor<4xi1>"},
    {"ReduceBf16", "(%a: tensor<4x70xbf16>) -> tensor<4xbf16>",
     "%0 = core.reduce sum %a, dims = [1] : (tensor<4x70xbf16>) -> "
     "tensor<4xbf16>\n"
     "plan.return %0 : tensor<4xbf16>",
     1e-2},
    {"Bf16Chain",
     "(%a: tensor<70xbf16>, %b: tensor<70xbf16>) -> tensor<70xbf16>",
     "%0 = core.mul %a, %b : tensor<70xbf16>\n"
     "%1 = core.add %0, %a : tensor<70xbf16>\n"
     "%2 = core.tanh %1 : tensor<70xbf16>\n"
     "plan.return %2 : tensor<70xbf16>",
     1e-2},
    {"Math",
     "(%a: tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>, tensor<70xf32>, "
     "tensor<70xf32>, tensor<70xf32>)",
     "%0 = core.exp %a : tensor<70xf32>\n"
     "%1 = core.log %a : tensor<70xf32>\n"
     "%2 = core.tanh %a : tensor<70xf32>\n"
     "%3 = core.logistic %a : tensor<70xf32>\n"
     "%4 = core.expm1 %a : tensor<70xf32>\n"
     "plan.return %0, %1, %2, %3, %4 : tensor<70xf32>, tensor<70xf32>, "
     "tensor<70xf32>, tensor<70xf32>, tensor<70xf32>"},
    {"MoreMath",
     "(%a: tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>, tensor<70xf32>, "
     "tensor<70xf32>)",
     "%0 = core.log1p %a : tensor<70xf32>\n"
     "%1 = core.rsqrt %a : tensor<70xf32>\n"
     "%2 = core.sin %a : tensor<70xf32>\n"
     "%3 = core.sign %a : tensor<70xf32>\n"
     "plan.return %0, %1, %2, %3 : tensor<70xf32>, tensor<70xf32>, "
     "tensor<70xf32>, tensor<70xf32>"},
    {"Integers",
     "(%a: tensor<70xi32>, %b: tensor<70xi32>) -> (tensor<70xi32>, "
     "tensor<70xi32>, tensor<70xi32>, tensor<70xi32>)",
     "%0 = core.div %a, %b : tensor<70xi32>\n"
     "%1 = core.rem %a, %b : tensor<70xi32>\n"
     "%2 = core.shl %a, %b : tensor<70xi32>\n"
     "%3 = core.pow %a, %b : tensor<70xi32>\n"
     "plan.return %0, %1, %2, %3 : tensor<70xi32>, tensor<70xi32>, "
     "tensor<70xi32>, tensor<70xi32>"},
    {"CompareSelect",
     "(%a: tensor<70xf32>, %b: tensor<70xf32>) -> tensor<70xf32>",
     "%0 = core.compare lt %a, %b : tensor<70xf32>\n"
     "%1 = core.select %0, %a, %b : tensor<70xi1>, tensor<70xf32>\n"
     "plan.return %1 : tensor<70xf32>"},
    {"Convert",
     "(%a: tensor<70xf32>) -> (tensor<70xi32>, tensor<70xi8>, tensor<70xbf16>, "
     "tensor<70xi1>)",
     "%0 = core.convert %a : (tensor<70xf32>) -> tensor<70xi32>\n"
     "%1 = core.convert %a : (tensor<70xf32>) -> tensor<70xi8>\n"
     "%2 = core.convert %a : (tensor<70xf32>) -> tensor<70xbf16>\n"
     "%3 = core.convert %a : (tensor<70xf32>) -> tensor<70xi1>\n"
     "plan.return %0, %1, %2, %3 : tensor<70xi32>, tensor<70xi8>, "
     "tensor<70xbf16>, tensor<70xi1>"},
    {"DotHeads",
     "(%a: tensor<2x10x3x16xf32>, %b: tensor<2x12x3x16xf32>) -> "
     "tensor<2x3x10x12xf32>",
     "%0 = core.dot %a, %b batch [0, 2] x [0, 2] contract [3] x [3] : "
     "(tensor<2x10x3x16xf32>, tensor<2x12x3x16xf32>) -> tensor<2x3x10x12xf32>\n"
     "plan.return %0 : tensor<2x3x10x12xf32>",
     1e-4},
    {"DotGroupedHeads",
     "(%a: tensor<2x10x3x16xf32>, %b: tensor<2x12x3x2x16xf32>) -> "
     "tensor<2x3x10x12x2xf32>",
     "%0 = core.dot %a, %b batch [0, 2] x [0, 2] contract [3] x [4] : "
     "(tensor<2x10x3x16xf32>, tensor<2x12x3x2x16xf32>) -> "
     "tensor<2x3x10x12x2xf32>\n"
     "plan.return %0 : tensor<2x3x10x12x2xf32>",
     1e-4},
    {"DotTwoContractions",
     "(%a: tensor<2x3x10x12x2xf32>, %b: tensor<2x12x3x2x16xf32>) -> "
     "tensor<2x3x10x16xf32>",
     "%0 = core.dot %a, %b batch [0, 1] x [0, 2] contract [3, 4] x [1, 3] : "
     "(tensor<2x3x10x12x2xf32>, tensor<2x12x3x2x16xf32>) -> "
     "tensor<2x3x10x16xf32>\n"
     "plan.return %0 : tensor<2x3x10x16xf32>",
     1e-4},
    {"DotOfTranspose",
     "(%a: tensor<2x3x16x20xf32>, %b: tensor<48x24xf32>) -> "
     "tensor<2x20x24xf32>",
     "%t = core.transpose %a, permutation = [0, 3, 1, 2] : "
     "(tensor<2x3x16x20xf32>) -> tensor<2x20x3x16xf32>\n"
     "%r = core.reshape %t : (tensor<2x20x3x16xf32>) -> tensor<2x20x48xf32>\n"
     "%0 = core.dot %r, %b batch [] x [] contract [2] x [0] : "
     "(tensor<2x20x48xf32>, tensor<48x24xf32>) -> tensor<2x20x24xf32>\n"
     "plan.return %0 : tensor<2x20x24xf32>",
     1e-4},
    {"DotBf16WithEpilogue",
     "(%a: tensor<20x48xbf16>, %b: tensor<48x24xbf16>, %c: tensor<24xbf16>) -> "
     "(tensor<20x24xbf16>, tensor<20x24xbf16>)",
     "%0 = core.dot %a, %b batch [] x [] contract [1] x [0] : "
     "(tensor<20x48xbf16>, tensor<48x24xbf16>) -> tensor<20x24xbf16>\n"
     "%1 = core.broadcast %c, dims = [1] : (tensor<24xbf16>) -> "
     "tensor<20x24xbf16>\n"
     "%2 = core.add %0, %1 : tensor<20x24xbf16>\n"
     "%3 = core.tanh %2 : tensor<20x24xbf16>\n"
     "plan.return %3, %2 : tensor<20x24xbf16>, tensor<20x24xbf16>",
     2e-2},
    {"DotLongContraction",
     "(%a: tensor<10x600xf32>, %b: tensor<600x24xf32>, %c: tensor<10x24xf32>) "
     "-> tensor<10x24xf32>",
     "%0 = core.dot %a, %b batch [] x [] contract [1] x [0] : "
     "(tensor<10x600xf32>, tensor<600x24xf32>) -> tensor<10x24xf32>\n"
     "%1 = core.mul %0, %c : tensor<10x24xf32>\n"
     "plan.return %1 : tensor<10x24xf32>",
     1e-4},
    {"DotF64",
     "(%a: tensor<10x60xf64>, %b: tensor<24x60xf64>) -> tensor<10x24xf64>",
     "%0 = core.dot %a, %b batch [] x [] contract [1] x [1] : "
     "(tensor<10x60xf64>, tensor<24x60xf64>) -> tensor<10x24xf64>\n"
     "plan.return %0 : tensor<10x24xf64>",
     1e-10},
    {"DotI32",
     "(%a: tensor<5x9xi32>, %b: tensor<9x20xi32>) -> tensor<5x20xi32>",
     "%0 = core.dot %a, %b batch [] x [] contract [1] x [0] : "
     "(tensor<5x9xi32>, tensor<9x20xi32>) -> tensor<5x20xi32>\n"
     "plan.return %0 : tensor<5x20xi32>"},
    {"LayerNorm",
     "(%x: tensor<4x6x64xf32>, %g: tensor<64xf32>) -> (tensor<4x6x64xf32>, "
     "tensor<4x6x1xf32>)",
     "%n = core.constant dense<64.0> : tensor<4x6x1xf32>\n"
     "%s = core.reduce sum %x, dims = [2] : (tensor<4x6x64xf32>) -> "
     "tensor<4x6xf32>\n"
     "%s1 = core.broadcast %s, dims = [0, 1] : (tensor<4x6xf32>) -> "
     "tensor<4x6x1xf32>\n"
     "%m = core.div %s1, %n : tensor<4x6x1xf32>\n"
     "%mb = core.broadcast %m, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> "
     "tensor<4x6x64xf32>\n"
     "%d = core.sub %x, %mb : tensor<4x6x64xf32>\n"
     "%q = core.mul %d, %d : tensor<4x6x64xf32>\n"
     "%v = core.reduce sum %q, dims = [2] : (tensor<4x6x64xf32>) -> "
     "tensor<4x6xf32>\n"
     "%v1 = core.broadcast %v, dims = [0, 1] : (tensor<4x6xf32>) -> "
     "tensor<4x6x1xf32>\n"
     "%w = core.div %v1, %n : tensor<4x6x1xf32>\n"
     "%r = core.rsqrt %w : tensor<4x6x1xf32>\n"
     "%rb = core.broadcast %r, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> "
     "tensor<4x6x64xf32>\n"
     "%y = core.mul %d, %rb : tensor<4x6x64xf32>\n"
     "%gb = core.broadcast %g, dims = [2] : (tensor<64xf32>) -> "
     "tensor<4x6x64xf32>\n"
     "%z = core.mul %y, %gb : tensor<4x6x64xf32>\n"
     "plan.return %z, %r : tensor<4x6x64xf32>, tensor<4x6x1xf32>",
     1e-4},
};

INSTANTIATE_TEST_SUITE_P(Ops, OpsTest, testing::ValuesIn(kCases),
                         [](const auto &info) { return info.param.name; });

/// Functions of complex numbers, made of parts and taken apart again.
class ComplexOpsTest : public testing::TestWithParam<std::string> {};

TEST_P(ComplexOpsTest, AgreesWithDefinition) {
  const std::string &name = GetParam();
  bool isBinary = llvm::is_contained(
      {"add", "sub", "mul", "div", "pow", "atan2", "max", "min"}, name);
  for (std::string part : {"f32", "f64"}) {
    std::string real = "tensor<37x" + part + ">";
    std::string complex = "tensor<37xcomplex<" + part + ">>";
    std::string convert = " : " + complex + "\n";
    std::string make = " : " + real + "\n";
    std::string signature = "(%a: " + real + ", %b: " + real + ", %c: " + real +
                            ") -> (" + real + ", " + real + ")";
    std::string body = "%x = core.complex %a, %b" + make +
                       "%y = core.complex %b, %c" + make + "%0 = core." + name +
                       (isBinary ? " %x, %y : " : " %x : ") + complex + "\n" +
                       "%r = core.real %0" + convert + "%i = core.imag %0" +
                       convert + "plan.return %r, %i : " + real + ", " + real;
    SCOPED_TRACE(part);
    runCase({name.c_str(), signature.c_str(), body.c_str(), 2e-5},
            CpuTarget::getHost());
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, ComplexOpsTest,
                         testing::Values("add", "sub", "mul", "neg", "div",
                                         "pow", "atan2", "max", "min", "exp",
                                         "log", "sqrt", "rsqrt", "sin", "cos",
                                         "tan", "tanh", "expm1", "log1p",
                                         "logistic", "sign"),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace partita::cpu
