//===- ImportBuilder.cpp - Makes core ops in the place of others ----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"

using namespace mlir;

namespace partita::io {

Value ImportBuilder::make(StringRef name, Type type, ValueRange operands,
                          ArrayRef<NamedAttribute> attributes) {
  OperationState state(getLoc(), ("core." + name).str());
  state.addTypes(type);
  state.addOperands(operands);
  state.addAttributes(attributes);
  return OpBuilder::create(state)->getResult(0);
}

Value ImportBuilder::compare(Comparison direction, Value lhs, Value rhs) {
  Type type = cast<RankedTensorType>(lhs.getType()).clone(getI1Type());
  return make("compare", type, {lhs, rhs},
              getNamedAttr("direction",
                           core::ComparisonAttr::get(getContext(), direction)));
}

Value ImportBuilder::convert(Value value, Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == elementType)
    return value;
  return make("convert", type.clone(elementType), value);
}

Value ImportBuilder::splat(Type type, double value) {
  auto tensor = cast<RankedTensorType>(type);
  auto getNumber = [&](Type element) -> TypedAttr {
    if (auto floatType = dyn_cast<FloatType>(element)) {
      APFloat number(value);
      bool losesInfo;
      number.convert(floatType.getFloatSemantics(),
                     APFloat::rmNearestTiesToEven, &losesInfo);
      return FloatAttr::get(floatType, number);
    }
    return IntegerAttr::get(element, static_cast<int64_t>(value));
  };
  DenseElementsAttr elements;
  if (auto complex = dyn_cast<ComplexType>(tensor.getElementType())) {
    auto real = cast<FloatAttr>(getNumber(complex.getElementType()));
    APFloat zero = APFloat::getZero(real.getValue().getSemantics());
    std::complex<APFloat> number(real.getValue(), zero);
    elements = DenseElementsAttr::get(tensor, number);
  } else {
    elements =
        DenseElementsAttr::get(tensor, getNumber(tensor.getElementType()));
  }
  return make("constant", tensor, {}, getNamedAttr("value", elements));
}

Value ImportBuilder::broadcast(Value value, Type type,
                               ArrayRef<int64_t> dimensions) {
  if (value.getType() == type)
    return value;
  return make("broadcast", type, value, dims("dims", dimensions));
}

Value ImportBuilder::broadcastScalar(Value value, Type type) {
  auto from = cast<RankedTensorType>(value.getType());
  auto to = cast<RankedTensorType>(type);
  if (from.getRank() != 0 || to.getRank() == 0)
    return value;
  return broadcast(value, to.clone(from.getElementType()), {});
}

Value ImportBuilder::constant(DenseElementsAttr value) {
  return make("constant", value.getType(), {}, getNamedAttr("value", value));
}

Value ImportBuilder::iota(Type type, int64_t dim) {
  return make("iota", type, {}, number("dim", dim));
}

static RankedTensorType getWithShape(Value value, ArrayRef<int64_t> shape) {
  return cast<RankedTensorType>(value.getType()).clone(shape);
}

Value ImportBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = getWithShape(value, shape);
  return value.getType() == type ? value : make("reshape", type, value);
}

Value ImportBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, type.getRank())))
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return make("transpose", type.clone(shape), value,
              dims("permutation", permutation));
}

Value ImportBuilder::slice(Value value, int64_t dim, int64_t start,
                           int64_t limit, int64_t stride) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(type.getShape()), shape(type.getShape());
  starts[dim] = start;
  limits[dim] = limit;
  strides[dim] = stride;
  shape[dim] = llvm::divideCeil(std::max<int64_t>(limit - start, 0), stride);
  if (shape == type.getShape() && stride == 1)
    return value;
  return make("slice", type.clone(shape), value,
              {dims("starts", starts), dims("limits", limits),
               dims("strides", strides)});
}

Value ImportBuilder::take(Value value, Value rows) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape()), sizes(type.getShape());
  shape[0] = cast<RankedTensorType>(rows.getType()).getDimSize(0);
  sizes[0] = 1;
  auto inner = llvm::to_vector(llvm::seq<int64_t>(1, type.getRank()));
  return make("gather", type.clone(shape), {value, rows},
              {dims("offset_dims", inner), dims("collapsed_slice_dims", 0),
               dims("operand_batching_dims", {}),
               dims("start_indices_batching_dims", {}),
               dims("start_index_map", 0), number("index_vector_dim", 1),
               dims("slice_sizes", sizes)});
}

Value ImportBuilder::sliceAt(Value value, int64_t dim, Value start,
                             int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> sizes(type.getShape());
  SmallVector<Value> operands(type.getRank() + 1, splat(start.getType(), 0));
  operands[0] = value;
  operands[dim + 1] = start;
  sizes[dim] = size;
  return make("dynamic_slice", type.clone(sizes), operands,
              dims("sizes", sizes));
}

Value ImportBuilder::pad(Value value, Value padding, ArrayRef<int64_t> low,
                         ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, size] : llvm::enumerate(shape))
    size += low[d] + high[d] + std::max<int64_t>(size - 1, 0) * interior[d];
  auto isZero = [](int64_t n) { return n == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero) &&
      llvm::all_of(interior, isZero))
    return value;
  return make(
      "pad", type.clone(shape), {value, padding},
      {dims("low", low), dims("high", high), dims("interior", interior)});
}

Value ImportBuilder::concatenate(ValueRange values, int64_t dim) {
  if (values.size() == 1)
    return values[0];
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(values[0].getType()).getShape());
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += cast<RankedTensorType>(value.getType()).getDimSize(dim);
  return make("concatenate", getWithShape(values[0], shape), values,
              number("dim", dim));
}

SmallVector<Value> ImportBuilder::barrier(ValueRange values) {
  return SmallVector<Value>(
      core::BarrierOp::create(*this, values.getTypes(), values).getResults());
}

Value ImportBuilder::reduce(ReductionKind kind, Value value,
                            ArrayRef<int64_t> reduced) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(reduced, static_cast<int64_t>(d)))
      shape.push_back(size);
  return make(
      "reduce", type.clone(shape), value,
      {dims("dims", reduced),
       getNamedAttr("kind", core::ReductionAttr::get(getContext(), kind))});
}

Value ImportBuilder::dot(Value lhs, Value rhs, ArrayRef<int64_t> lhsBatch,
                         ArrayRef<int64_t> rhsBatch,
                         ArrayRef<int64_t> lhsContract,
                         ArrayRef<int64_t> rhsContract) {
  SmallVector<int64_t> shape;
  for (int64_t dim : lhsBatch)
    shape.push_back(cast<RankedTensorType>(lhs.getType()).getDimSize(dim));
  auto addFree = [&](Value value, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contract) {
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d))
        shape.push_back(type.getDimSize(d));
  };
  addFree(lhs, lhsBatch, lhsContract);
  addFree(rhs, rhsBatch, rhsContract);
  return make("dot", getWithShape(lhs, shape), {lhs, rhs},
              {dims("lhs_batch", lhsBatch), dims("rhs_batch", rhsBatch),
               dims("lhs_contract", lhsContract),
               dims("rhs_contract", rhsContract)});
}

} // namespace partita::io
