//===- ImportWindow.cpp - Import of ops on sliding windows ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows are taken apart into slices of the padded operand, which are sharded
// and exchange their edges as slices do.
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

using Sizes = SmallVector<int64_t>;

/// An optional list of sizes, each `value` where it is left out.
static Sizes getSizes(std::optional<ArrayRef<int64_t>> sizes, int64_t rank,
                      int64_t value = 1) {
  return sizes ? Sizes(*sizes) : Sizes(rank, value);
}

/// The low and the high padding of `rank` dimensions.
static std::pair<Sizes, Sizes> getPadding(DenseIntElementsAttr padding,
                                          int64_t rank) {
  Sizes low(rank, 0), high(rank, 0);
  if (padding)
    for (auto [i, value] : llvm::enumerate(padding.getValues<APInt>()))
      (i % 2 ? high : low)[i / 2] = value.getSExtValue();
  return {low, high};
}

static int64_t getProduct(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

/// Combines windows of `size` elements, `dilation` apart, along one dimension:
/// windows of a power of two from two of half the size, others from those.
static Imported combineWindows(ImportBuilder &builder, ValueRange inputs,
                               int64_t dim, int64_t size, int64_t dilation,
                               Combiner combine) {
  // The first list has windows of `behind` elements, the second follow them.
  auto join = [&](ArrayRef<Value> first, int64_t behind,
                  ArrayRef<Value> second) -> Imported {
    int64_t shift = behind * dilation;
    int64_t count = std::min(getType(first[0]).getDimSize(dim),
                             getType(second[0]).getDimSize(dim) - shift);
    SmallVector<Value> a, b;
    for (auto [x, y] : llvm::zip(first, second)) {
      a.push_back(builder.slice(x, dim, 0, count));
      b.push_back(builder.slice(y, dim, shift, shift + count));
    }
    Imported joined = combine(a, b);
    if (failed(joined))
      return failure();
    return builder.barrier(*joined);
  };
  SmallVector<Value> power(inputs), whole;
  int64_t done = 0;
  for (int64_t step = 1; step <= size; step *= 2) {
    if (size & step) {
      Imported joined =
          done ? join(whole, done, power) : Imported(SmallVector<Value>(power));
      if (failed(joined))
        return failure();
      whole = *joined;
      done += step;
    }
    if (2 * step > size)
      break;
    Imported doubled = join(power, step, power);
    if (failed(doubled))
      return failure();
    power = *doubled;
  }
  return whole;
}

namespace {
/// The attributes of a reduce_window.
struct Window {
  explicit Window(stablehlo::ReduceWindowOp op)
      : sizes(op.getWindowDimensions()),
        strides(getSizes(op.getWindowStrides(), sizes.size())),
        baseDilations(getSizes(op.getBaseDilations(), sizes.size())),
        dilations(getSizes(op.getWindowDilations(), sizes.size())) {
    std::tie(low, high) = getPadding(op.getPaddingAttr(), sizes.size());
  }
  explicit Window(stablehlo::SelectAndScatterOp op)
      : sizes(getSizes(op.getWindowDimensions(),
                       getType(op.getOperand()).getRank())),
        strides(getSizes(op.getWindowStrides(), sizes.size())),
        baseDilations(sizes.size(), 1), dilations(sizes.size(), 1) {
    std::tie(low, high) = getPadding(op.getPaddingAttr(), sizes.size());
  }
  /// Whether windows along a dimension are more than its elements.
  bool isTouched(int64_t dim) const {
    return sizes[dim] != 1 || strides[dim] != 1 || baseDilations[dim] != 1 ||
           low[dim] != 0 || high[dim] != 0;
  }
  Window permute(ArrayRef<int64_t> order) const;

  Sizes sizes, strides, baseDilations, dilations, low, high;
};
} // namespace

Window Window::permute(ArrayRef<int64_t> order) const {
  Window result(*this);
  for (Sizes Window::*member :
       {&Window::sizes, &Window::strides, &Window::baseDilations,
        &Window::dilations, &Window::low, &Window::high})
    for (auto [i, dim] : llvm::enumerate(order))
      (result.*member)[i] = (this->*member)[dim];
  return result;
}

/// The windows of padded operands, combined.
static Imported reduceWindows(ImportBuilder &builder, const Window &window,
                              ValueRange inputs, ValueRange inits,
                              Combiner combine) {
  Sizes interior;
  for (int64_t dilation : window.baseDilations)
    interior.push_back(dilation - 1);
  SmallVector<Value> values;
  for (auto [input, init] : llvm::zip(inputs, inits))
    values.push_back(
        builder.pad(input, init, window.low, window.high, interior));
  // The last dimension first: elements meet in row-major order.
  for (auto dim = static_cast<int64_t>(window.sizes.size()); dim-- > 0;) {
    Imported combined = combineWindows(builder, values, dim, window.sizes[dim],
                                       window.dilations[dim], combine);
    if (failed(combined))
      return failure();
    values = *combined;
    for (Value &value : values)
      value = builder.slice(value, dim, 0, getType(value).getDimSize(dim),
                            window.strides[dim]);
  }
  return values;
}

/// The values with the element types of `types`.
static SmallVector<Value> convertAll(ImportBuilder &builder, ValueRange values,
                                     TypeRange types) {
  SmallVector<Value> converted;
  for (auto [value, type] : llvm::zip(values, types))
    converted.push_back(builder.convert(value, getElementTypeOrSelf(type)));
  return converted;
}

static Imported importReduceWindow(Importer &importer, Operation *op,
                                   ImportBuilder &builder) {
  auto reduce = cast<stablehlo::ReduceWindowOp>(op);
  SmallVector<Value> inputs, inits, filled;
  std::optional<ReductionKind> kind = matchReduction(reduce.getBody());
  for (auto [input, init, result] : llvm::zip(
           reduce.getInputs(), reduce.getInitValues(), op->getResultTypes())) {
    Type element = cast<RankedTensorType>(result).getElementType();
    if (kind && isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
      element = builder.getF32Type(); // as other sums
    inputs.push_back(builder.convert(input, element));
    inits.push_back(builder.convert(init, element));
    filled.push_back(builder.broadcastScalar(
        inits.back(), cast<RankedTensorType>(result).clone(element)));
  }
  if (llvm::any_of(op->getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).getNumElements() == 0;
      }))
    return convertAll(builder, filled, op->getResultTypes());
  auto combine = [&](ValueRange first, ValueRange second) -> Imported {
    if (kind)
      return SmallVector<Value>{
          builder.make(getCombiner(*kind), {first[0], second[0]})};
    SmallVector<Value> args(first);
    llvm::append_range(args, second);
    return applyRegion(importer, op, builder, reduce.getBody(), args);
  };
  Imported values =
      reduceWindows(builder, Window(reduce), inputs, inits, combine);
  if (succeeded(values) &&
      !(kind && isIdentity(reduce.getInitValues()[0], *kind)))
    values = combine(filled, *values);
  if (failed(values))
    return failure();
  return convertAll(builder, *values, op->getResultTypes());
}

//===----------------------------------------------------------------------===//
// select_and_scatter
//===----------------------------------------------------------------------===//

/// Finds in each window the place of the selected element, and scatters the
/// source there. Dimensions without windows come first and stay apart.
static Imported importSelectAndScatter(Importer &importer, Operation *op,
                                       ImportBuilder &builder) {
  auto scatter = cast<stablehlo::SelectAndScatterOp>(op);
  std::optional<ReductionKind> kind = matchReduction(scatter.getScatter());
  if (!kind)
    return importer.reportUnsupported(op, " with a scatter region other than "
                                          "a single op");
  RankedTensorType type = getType(scatter.getOperand());
  Window window(scatter);
  Sizes order, windowed;
  for (int64_t d = 0; d < type.getRank(); ++d)
    (window.isTouched(d) ? windowed : order).push_back(d);
  auto numBatch = static_cast<int64_t>(order.size());
  llvm::append_range(order, windowed);
  window = window.permute(order);
  Value operand = builder.transpose(scatter.getOperand(), order);
  Value source = builder.transpose(scatter.getSource(), order);
  Sizes shape(getType(operand).getShape());
  // Each element's index among those of the windowed dimensions; -1 outside.
  Sizes flat(ArrayRef(shape).take_front(numBatch));
  flat.push_back(getProduct(ArrayRef(shape).drop_front(numBatch)));
  auto indexType = RankedTensorType::get(flat, builder.getI32Type());
  Value indices = builder.reshape(builder.iota(indexType, numBatch), shape);
  Value outside =
      builder.splat(RankedTensorType::get({}, builder.getI32Type()), -1);
  Value anything = builder.splat(type.clone(ArrayRef<int64_t>()), 0);
  auto choose = [&](ValueRange a, ValueRange b) -> Imported {
    Imported isFirst =
        applyRegion(importer, op, builder, scatter.getSelect(), {a[0], b[0]});
    if (failed(isFirst))
      return failure();
    Value zero = builder.splat(a[1].getType(), 0);
    Value isInside = builder.compare(Comparison::Ge, a[1], zero);
    Value isLast = builder.compare(Comparison::Lt, b[1], zero);
    Value pick = builder.make(
        "and", {isInside, builder.make("or", {isLast, (*isFirst)[0]})});
    return SmallVector<Value>{builder.select(pick, a[0], b[0]),
                              builder.select(pick, a[1], b[1])};
  };
  Imported selected = reduceWindows(builder, window, {operand, indices},
                                    {anything, outside}, choose);
  if (failed(selected))
    return failure();
  Sizes updates(flat);
  updates.back() = getType(source).getNumElements() /
                   std::max<int64_t>(1, getProduct(ArrayRef(flat).drop_back()));
  Sizes places(updates), none;
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, numBatch));
  places.push_back(1);
  Value init = builder.convert(scatter.getInitValue(), type.getElementType());
  Value result = builder.make(
      "scatter", type.clone(flat),
      {builder.broadcastScalar(init, type.clone(flat)),
       builder.reshape((*selected)[1], places),
       builder.reshape(source, updates)},
      {builder.dims("update_window_dims", none),
       builder.dims("inserted_window_dims", numBatch),
       builder.dims("input_batching_dims", batch),
       builder.dims("scatter_indices_batching_dims", batch),
       builder.dims("scatter_dims_to_operand_dims", numBatch),
       builder.number("index_vector_dim", numBatch + 1),
       builder.getNamedAttr(
           "kind", core::ReductionAttr::get(builder.getContext(), *kind))});
  Sizes inverse(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    inverse[dim] = static_cast<int64_t>(i);
  return SmallVector<Value>{
      builder.transpose(builder.reshape(result, shape), inverse)};
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

/// More parts than this are not worth one slice each.
static constexpr int64_t kMaxParts = 512;

namespace {

/// A convolution as one product: of patches of the image, one for each element
/// of the result, with the kernel. Images are [groups, batch, features,
/// spatial…], kernels [groups, out features, features, spatial…].
class Convolution {
public:
  Convolution(stablehlo::ConvolutionOp theOp, ImportBuilder &theBuilder);

  int64_t getNumParts() const {
    return std::min(getProduct(kernel), getProduct(result));
  }
  Value build();

private:
  void makeImage();
  void makeKernel();
  /// The image under all kernel elements, or all of the results' elements,
  /// whichever is less: [groups, batch, features, result…, kernel…] with one
  /// of the two lists flat.
  Value makePatches();
  Value slice(ArrayRef<int64_t> starts, ArrayRef<int64_t> counts,
              ArrayRef<int64_t> steps);

  stablehlo::ConvolutionOp op;
  ImportBuilder &builder;
  Value lhs, rhs;
  int64_t rank, groups;
  Sizes strides, dilations; ///< Of windows, and within them.
  Sizes kernel, result;     ///< Spatial sizes.
};

} // namespace

Convolution::Convolution(stablehlo::ConvolutionOp theOp,
                         ImportBuilder &theBuilder)
    : op(theOp), builder(theBuilder) {
  auto dims = op.getDimensionNumbers();
  rank = static_cast<int64_t>(dims.getInputSpatial().size());
  groups = static_cast<int64_t>(op.getFeatureGroupCount()) *
           static_cast<int64_t>(op.getBatchGroupCount());
  strides = getSizes(op.getWindowStrides(), rank);
  dilations = getSizes(op.getRhsDilation(), rank);
  for (int64_t dim : dims.getKernelSpatial())
    kernel.push_back(getType(op.getRhs()).getDimSize(dim));
  for (int64_t dim : dims.getOutputSpatial())
    result.push_back(getType(op.getResult()).getDimSize(dim));
}

void Convolution::makeImage() {
  auto dims = op.getDimensionNumbers();
  Sizes order{dims.getInputBatch(), dims.getInputFeature()};
  llvm::append_range(order, dims.getInputSpatial());
  lhs = builder.transpose(lhs, order);
  Sizes shape(getType(lhs).getShape());
  // [groups, batch, ...], whichever dimension the groups come from.
  bool isOfBatch = op.getBatchGroupCount() > 1;
  int64_t &grouped = isOfBatch ? shape[0] : shape[1];
  grouped /= groups;
  Sizes split(shape);
  split.insert(split.begin() + (isOfBatch ? 0 : 1), groups);
  lhs = builder.reshape(lhs, split);
  if (!isOfBatch) {
    Sizes swap{1, 0};
    llvm::append_range(swap, llvm::seq<int64_t>(2, rank + 3));
    lhs = builder.transpose(lhs, swap);
  }
  auto [low, high] = getPadding(op.getPaddingAttr(), rank);
  Sizes interior(getSizes(op.getLhsDilation(), rank));
  for (int64_t &dilation : interior)
    --dilation;
  for (Sizes *sizes : {&low, &high, &interior})
    sizes->insert(sizes->begin(), 3, 0);
  Type scalar = getType(lhs).clone(ArrayRef<int64_t>());
  lhs = builder.pad(lhs, builder.splat(scalar, 0), low, high, interior);
}

void Convolution::makeKernel() {
  auto dims = op.getDimensionNumbers();
  Sizes order{dims.getKernelOutputFeature(), dims.getKernelInputFeature()};
  llvm::append_range(order, dims.getKernelSpatial());
  rhs = builder.transpose(rhs, order);
  Sizes reversed;
  if (auto reversal = op.getWindowReversal())
    for (auto [d, isReversed] : llvm::enumerate(*reversal))
      if (isReversed)
        reversed.push_back(static_cast<int64_t>(d) + 2);
  if (!reversed.empty())
    rhs = builder.make("reverse", rhs.getType(), rhs,
                       builder.dims("dims", reversed));
  Sizes shape(getType(rhs).getShape());
  shape[0] /= groups;
  shape.insert(shape.begin(), groups);
  rhs = builder.reshape(rhs, shape);
}

Value Convolution::slice(ArrayRef<int64_t> starts, ArrayRef<int64_t> counts,
                         ArrayRef<int64_t> steps) {
  Value part = lhs;
  for (int64_t d = 0; d < rank; ++d)
    part = builder.slice(part, d + 3, starts[d],
                         starts[d] + (counts[d] - 1) * steps[d] + 1, steps[d]);
  return part;
}

Value Convolution::makePatches() {
  bool byKernel = getProduct(kernel) <= getProduct(result);
  ArrayRef<int64_t> parts = byKernel ? kernel : result;
  ArrayRef<int64_t> steps = byKernel ? dilations : strides;
  SmallVector<Value> slices;
  for (int64_t i = 0; i < getProduct(parts); ++i) {
    Sizes starts(rank);
    int64_t rest = i;
    for (int64_t d = rank; d-- > 0; rest /= parts[d])
      starts[d] = rest % parts[d] * steps[d];
    Value part = byKernel ? slice(starts, result, strides)
                          : slice(starts, kernel, dilations);
    Sizes shape(getType(part).getShape());
    shape.insert(byKernel ? shape.end() : shape.begin() + 3, 1);
    slices.push_back(builder.reshape(part, shape));
  }
  return builder.concatenate(slices, byKernel ? rank + 3 : 3);
}

Value Convolution::build() {
  Type element = getType(op.getResult()).getElementType();
  lhs = builder.convert(op.getLhs(), element);
  rhs = builder.convert(op.getRhs(), element);
  makeImage();
  makeKernel();
  Value patches = makePatches();
  bool byKernel = getProduct(kernel) <= getProduct(result);
  if (byKernel) {
    Sizes flat(getType(rhs).getShape().take_front(3));
    flat.push_back(getProduct(kernel));
    rhs = builder.reshape(rhs, flat);
  }
  // Contracts the features and the kernel: what follows the results.
  Sizes left{2}, right{2};
  int64_t first = byKernel ? rank + 3 : 4;
  for (int64_t d = 0; d < (byKernel ? 1 : rank); ++d) {
    left.push_back(first + d);
    right.push_back(3 + d);
  }
  Value product = builder.dot(patches, rhs, {0}, {0}, left, right);
  // [groups, batch, result…, out features], and where the result has each.
  Sizes shape(getType(product).getShape().take_front(2));
  llvm::append_range(shape, result);
  shape.push_back(getType(rhs).getDimSize(1));
  product = builder.reshape(product, shape);
  Sizes order{1};
  llvm::append_range(order, llvm::seq<int64_t>(2, rank + 2));
  order.append({0, rank + 2});
  product = builder.transpose(product, order);
  shape.assign(getType(product).getShape().begin(),
               getType(product).getShape().end());
  shape.pop_back();
  shape.back() = groups * getType(rhs).getDimSize(1);
  product = builder.reshape(product, shape);
  auto dims = op.getDimensionNumbers();
  Sizes inverse(rank + 2);
  inverse[dims.getOutputBatch()] = 0;
  inverse[dims.getOutputFeature()] = rank + 1;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatial()))
    inverse[dim] = static_cast<int64_t>(i) + 1;
  return builder.transpose(product, inverse);
}

static Imported importConvolution(Importer &importer, Operation *op,
                                  ImportBuilder &builder) {
  auto convolution = cast<stablehlo::ConvolutionOp>(op);
  auto isEmpty = [](Type type) {
    return cast<RankedTensorType>(type).getNumElements() == 0;
  };
  if (llvm::any_of(op->getOperandTypes(), isEmpty) ||
      isEmpty(convolution.getType()))
    return SmallVector<Value>{builder.splat(convolution.getType(), 0)};
  Convolution parts(convolution, builder);
  if (parts.getNumParts() > kMaxParts)
    return importer.reportUnsupported(
        op, " of more than 512 elements of kernel and result");
  return SmallVector<Value>{parts.build()};
}

void addWindowImports(ImportTable &table) {
  table.functions["stablehlo.reduce_window"] = importReduceWindow;
  table.functions["stablehlo.select_and_scatter"] = importSelectAndScatter;
  table.functions["stablehlo.convolution"] = importConvolution;
}

} // namespace partita::io
