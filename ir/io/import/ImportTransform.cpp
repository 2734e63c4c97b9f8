//===- ImportTransform.cpp - Import of Fourier transforms and others ------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// fft
//===----------------------------------------------------------------------===//

/// The matrix of a longer transform takes too much memory.
static constexpr int64_t kMaxLength = 2048;

namespace {

/// Transforms along one dimension as products with matrices of roots of unity.
class Fourier {
public:
  Fourier(ImportBuilder &theBuilder, FloatType thePart)
      : builder(theBuilder), part(thePart) {}

  /// From complex to complex of the same length.
  Value transform(Value x, int64_t dim, bool isInverse);
  /// From real numbers to the first half of the frequencies, and back.
  Value toHalf(Value x);
  Value fromHalf(Value x, int64_t length);

private:
  /// [rows, columns], each element `weight(row)` · cos or sin of 2π · row ·
  /// column / length.
  Value makeMatrix(int64_t rows, int64_t columns, int64_t length, bool isSine,
                   llvm::function_ref<double(int64_t)> weight);
  /// The product along dimension `dim`, which stays where it is.
  Value multiply(Value x, int64_t dim, Value matrix);
  Value makeComplex(Value real, Value imaginary) {
    auto type = cast<RankedTensorType>(real.getType());
    return builder.make("complex", type.clone(ComplexType::get(part)),
                        {real, imaginary});
  }
  Value getPart(StringRef name, Value x) {
    return builder.make(name, cast<RankedTensorType>(x.getType()).clone(part),
                        x);
  }

  ImportBuilder &builder;
  FloatType part;
};

} // namespace

Value Fourier::makeMatrix(int64_t rows, int64_t columns, int64_t length,
                          bool isSine,
                          llvm::function_ref<double(int64_t)> weight) {
  SmallVector<Attribute> elements;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      double turn = static_cast<double>(row * column % length) /
                    static_cast<double>(length);
      double angle = 2 * std::numbers::pi * turn;
      double value = isSine ? std::sin(angle) : std::cos(angle);
      elements.push_back(builder.getFloatAttr(part, weight(row) * value));
    }
  return builder.constant(DenseElementsAttr::get(
      RankedTensorType::get({rows, columns}, part), elements));
}

Value Fourier::multiply(Value x, int64_t dim, Value matrix) {
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  Value product = builder.dot(x, matrix, {}, {}, dim, 0);
  SmallVector<int64_t> back;
  for (int64_t d = 0; d < rank; ++d)
    back.push_back(d < dim ? d : d == dim ? rank - 1 : d - 1);
  return builder.transpose(product, back);
}

Value Fourier::transform(Value x, int64_t dim, bool isInverse) {
  int64_t length = cast<RankedTensorType>(x.getType()).getDimSize(dim);
  auto weight = [&](int64_t) {
    return isInverse ? 1.0 / static_cast<double>(length) : 1.0;
  };
  Value cosine = makeMatrix(length, length, length, false, weight);
  Value sine = makeMatrix(length, length, length, true, weight);
  Value re = getPart("real", x), im = getPart("imag", x);
  // (a + ib)(c ± is), minus for the forward transform.
  Value a = multiply(re, dim, cosine), b = multiply(im, dim, sine);
  Value c = multiply(im, dim, cosine), d = multiply(re, dim, sine);
  return makeComplex(builder.make(isInverse ? "sub" : "add", {a, b}),
                     builder.make(isInverse ? "add" : "sub", {c, d}));
}

Value Fourier::toHalf(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t dim = type.getRank() - 1, length = type.getDimSize(dim);
  auto weight = [](int64_t) { return 1.0; };
  int64_t half = length / 2 + 1;
  Value cosine = makeMatrix(length, half, length, false, weight);
  Value sine = makeMatrix(length, half, length, true, weight);
  return makeComplex(multiply(x, dim, cosine),
                     builder.make("neg", multiply(x, dim, sine)));
}

/// Frequencies but the first and the middle one occur twice.
Value Fourier::fromHalf(Value x, int64_t length) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t dim = type.getRank() - 1, half = type.getDimSize(dim);
  auto weight = [&](int64_t k) {
    return (k == 0 || 2 * k == length ? 1.0 : 2.0) /
           static_cast<double>(length);
  };
  Value cosine = makeMatrix(half, length, length, false, weight);
  Value sine = makeMatrix(half, length, length, true, weight);
  return builder.make("sub", {multiply(getPart("real", x), dim, cosine),
                              multiply(getPart("imag", x), dim, sine)});
}

static Imported importFft(Importer &importer, Operation *op,
                          ImportBuilder &builder) {
  auto fft = cast<stablehlo::FftOp>(op);
  Value x = fft.getOperand();
  Type element = getElementTypeOrSelf(fft.getType());
  auto complex = dyn_cast<ComplexType>(element);
  Fourier fourier(
      builder, cast<FloatType>(complex ? complex.getElementType() : element));
  ArrayRef<int64_t> lengths = fft.getFftLength();
  if (llvm::any_of(lengths, [](int64_t n) { return n > kMaxLength; }))
    return importer.reportUnsupported(op, " of more than 2048 elements");
  if (fft.getType().getNumElements() == 0)
    return SmallVector<Value>{builder.splat(fft.getType(), 0)};
  int64_t rank = fft.getType().getRank();
  auto count = static_cast<int64_t>(lengths.size());
  stablehlo::FftType type = fft.getFftType();
  bool isInverse =
      type == stablehlo::FftType::IFFT || type == stablehlo::FftType::IRFFT;
  bool isOfReal =
      type == stablehlo::FftType::RFFT || type == stablehlo::FftType::IRFFT;
  if (isOfReal && !isInverse)
    x = fourier.toHalf(x);
  for (int64_t dim = rank - count; dim < rank - (isOfReal ? 1 : 0); ++dim)
    x = fourier.transform(x, dim, isInverse);
  if (isOfReal && isInverse)
    x = fourier.fromHalf(x, lengths.back());
  return SmallVector<Value>{x};
}

//===----------------------------------------------------------------------===//
// next_after
//===----------------------------------------------------------------------===//

/// Floats ascend with their bits, as sign and magnitude.
static Imported importNextAfter(Importer &, Operation *op,
                                ImportBuilder &builder) {
  Value x = op->getOperand(0), y = op->getOperand(1);
  auto type = cast<RankedTensorType>(x.getType());
  int64_t width = type.getElementTypeBitWidth();
  auto bitsType = type.clone(
      IntegerType::get(builder.getContext(), width, IntegerType::Unsigned));
  auto getBits = [&](Value value) {
    return builder.make("bitcast", bitsType, value);
  };
  auto makeNumber = [&](const APInt &value) {
    Type scalar = bitsType.clone(ArrayRef<int64_t>());
    return builder.broadcastScalar(builder.constant(DenseElementsAttr::get(
                                       cast<ShapedType>(scalar), value)),
                                   bitsType);
  };
  Value signs = makeNumber(APInt::getSignMask(width));
  Value magnitudes = makeNumber(APInt::getSignedMaxValue(width));
  Value one = makeNumber(APInt(width, 1));
  Value xBits = getBits(x), yBits = getBits(y);
  auto both = [&](StringRef name, Value a, Value b) {
    return builder.make(name, {a, b});
  };
  Value xSize = both("and", xBits, magnitudes);
  Value ySize = both("and", yBits, magnitudes);
  Value ySign = both("and", yBits, signs);
  Value isOther =
      builder.compare(Comparison::Ne, both("and", xBits, signs), ySign);
  Value isInward =
      both("or", isOther, builder.compare(Comparison::Gt, xSize, ySize));
  Value next = builder.select(isInward, both("sub", xBits, one),
                              both("add", xBits, one));
  Value zero = builder.splat(bitsType, 0);
  Value isZero = builder.compare(Comparison::Eq, xSize, zero);
  next = builder.select(isZero, both("or", ySign, one), next);
  Value result = builder.make("bitcast", type, next);
  Value isEqual = builder.compare(Comparison::Eq, x, y);
  result = builder.select(isEqual, y, result);
  Value isNan = both("or", builder.compare(Comparison::Ne, x, x),
                     builder.compare(Comparison::Ne, y, y));
  return SmallVector<Value>{builder.select(isNan, both("add", x, y), result)};
}

void addTransformImports(ImportTable &table) {
  table.functions["stablehlo.fft"] = importFft;
  table.functions["chlo.next_after"] = importNextAfter;
}

} // namespace partita::io
