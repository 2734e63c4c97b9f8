//===- EvaluateContraction.cpp - Interpreter steps that sum ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats are summed in f64 and rounded once: the interpreter is the yardstick
// for back-ends that sum in other orders.
//
//===----------------------------------------------------------------------===//

#include "ir/core/Evaluate.h"
#include "ir/core/Indexing.h"
#include "ir/core/Walk.h"

using namespace mlir;
using namespace partita;
using namespace partita::core;
using namespace partita::core::eval;

/// The widest type of a kind, in which sums are formed.
static DType getWideType(DType type) {
  if (isFloat(type))
    return DType::F64;
  if (isComplex(type))
    return DType::C128;
  return DType::S64;
}

/// a · b with a: [batch, m, k] and b: [batch, k, n]. T wraps or is exact
/// enough.
template <typename T>
static void multiply(const T *a, const T *b, T *c,
                     std::array<int64_t, 4> size) {
  auto [batch, m, n, k] = size;
  for (int64_t p = 0; p < batch * m; ++p) {
    T *row = c + p * n;
    const T *rhs = b + p / m * k * n;
    for (int64_t l = 0; l < k; ++l) {
      T factor = a[p * k + l];
      for (int64_t j = 0; j < n; ++j)
        row[j] += factor * rhs[l * n + j];
    }
  }
}

/// The product of the sizes of `dims`.
static int64_t getSize(const HostTensor &tensor, ArrayRef<int64_t> dims) {
  int64_t size = 1;
  for (int64_t dim : dims)
    size *= tensor.getShape()[dim];
  return size;
}

LogicalResult DotOp::evaluate(ArrayRef<HostTensor> operands,
                              SmallVectorImpl<HostTensor> &results) {
  const HostTensor &lhs = operands[0], &rhs = operands[1];
  SmallVector<int64_t> lhsFree =
      getOtherDims(lhs.getRank(), getLhsBatch(), getLhsContract());
  SmallVector<int64_t> rhsFree =
      getOtherDims(rhs.getRank(), getRhsBatch(), getRhsContract());
  SmallVector<int64_t> lhsOrder(getLhsBatch()), rhsOrder(getRhsBatch());
  llvm::append_range(lhsOrder, lhsFree);
  llvm::append_range(lhsOrder, getLhsContract());
  llvm::append_range(rhsOrder, getRhsContract());
  llvm::append_range(rhsOrder, rhsFree);
  std::array<int64_t, 4> size = {getSize(lhs, getLhsBatch()),
                                 getSize(lhs, lhsFree), getSize(rhs, rhsFree),
                                 getSize(lhs, getLhsContract())};
  DType type = getDTypeOf(getResult()), wide = getWideType(type);
  HostTensor a = convert(transpose(lhs, lhsOrder), wide);
  HostTensor b = convert(transpose(rhs, rhsOrder), wide);
  HostTensor c(wide, getShapeOf(getResult()));
  if (wide == DType::F64)
    multiply(a.dataAs<double>(), b.dataAs<double>(), c.dataAs<double>(), size);
  else if (wide == DType::S64)
    multiply(a.dataAs<uint64_t>(), b.dataAs<uint64_t>(), c.dataAs<uint64_t>(),
             size);
  else
    multiply(a.dataAs<std::complex<double>>(), b.dataAs<std::complex<double>>(),
             c.dataAs<std::complex<double>>(), size);
  results.push_back(convert(c, type));
  return success();
}

/// The type in which a reduction of elements of `type` is formed.
static DType getAccumulatorType(ReductionKind kind, DType type) {
  bool sums = kind == ReductionKind::Sum || kind == ReductionKind::Mul;
  return sums && (isFloat(type) || isComplex(type)) ? getWideType(type) : type;
}

HostTensor eval::combineTensors(ReductionKind kind,
                                ArrayRef<HostTensor> tensors) {
  DType type = tensors[0].getDType(), wide = getAccumulatorType(kind, type);
  HostTensor result;
  visitDomain(All(), wide, [&](auto tag) {
    using T = decltype(tag);
    Output<T> output(wide, tensors[0].getShape());
    for (const HostTensor &tensor : tensors) {
      Elements<T> elements(convert(tensor, wide));
      bool isFirst = &tensor == tensors.begin();
      for (int64_t i = 0; i < output.size(); ++i)
        output[i] =
            isFirst ? elements[i] : combine(kind, output[i], elements[i]);
    }
    result = convert(output.take(), type);
  });
  return result;
}

LogicalResult ReduceOp::evaluate(ArrayRef<HostTensor> operands,
                                 SmallVectorImpl<HostTensor> &results) {
  ReductionKind kind = getKind().getKind();
  DType type = operands[0].getDType();
  HostTensor from = convert(operands[0], getAccumulatorType(kind, type));
  Shape shape = getShapeOf(getResult());
  Walk target = getRowMajorWalk(shape);
  Walk to{0, SmallVector<int64_t>(from.getRank(), 0)};
  for (auto [i, dim] : llvm::enumerate(getOtherDims(from.getRank(), getDims())))
    to.strides[dim] = target.strides[i];
  visitDomain(All(), from.getDType(), [&](auto tag) {
    using T = decltype(tag);
    Elements<T> elements(from);
    Output<T> output(from.getDType(), shape);
    std::fill_n(output.data(), output.size(), getIdentity<T>(kind, type));
    forEachOffset<2>(from.getShape(), {getRowMajorWalk(from.getShape()), to},
                     [&](const auto &at) {
                       output[at[1]] =
                           combine(kind, output[at[1]], elements[at[0]]);
                     });
    results.push_back(convert(output.take(), type));
  });
  return success();
}
