//===- Dialect.cpp - StableHLO: dialect, types, attributes ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/Assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "ir/io/stablehlo/Dialect.cpp.inc"
#include "ir/io/stablehlo/Enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/io/stablehlo/Types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/io/stablehlo/Attrs.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::initialize() {
  addAttributes();
  addControlOps();
  addDistributionOps();
  addIndexingOps();
  addLinalgOps();
  addPointwiseOps();
  addReductionOps();
  addShapeOps();
}

void StablehloDialect::addAttributes() {
  Dialect::addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/io/stablehlo/Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/io/stablehlo/Types.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes of the dialect
//===----------------------------------------------------------------------===//

/// `type_extensions<bounds = [3, ?]>`, the long form of `bounds<3, ?>`.
static Attribute parseTypeExtensions(AsmParser &parser) {
  if (parser.parseLess() || parser.parseKeyword("bounds") ||
      parser.parseEqual())
    return {};
  FailureOr<SmallVector<int64_t>> bounds = io::parseDimList(parser);
  if (failed(bounds) || parser.parseGreater())
    return {};
  return BoundsAttr::get(parser.getContext(), *bounds);
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser,
                                           Type type) const {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("type_extensions")))
    return parseTypeExtensions(parser);
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult parsed =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (parsed.has_value())
    return attribute;
  parser.emitError(loc) << "unknown attribute '" << mnemonic
                        << "' in dialect 'stablehlo'";
  return {};
}

void StablehloDialect::printAttribute(Attribute attribute,
                                      DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContracting, rhsContracting;
  if (parser.parseLess() ||
      io::parseFields(parser,
                      {{"lhs_batching_dimensions", &lhsBatch},
                       {"rhs_batching_dimensions", &rhsBatch},
                       {"lhs_contracting_dimensions", &lhsContracting},
                       {"rhs_contracting_dimensions", &rhsContracting}}))
    return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContracting,
             rhsContracting);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  io::printFields(printer,
                  {{"lhs_batching_dimensions", getLhsBatch()},
                   {"rhs_batching_dimensions", getRhsBatch()},
                   {"lhs_contracting_dimensions", getLhsContracting()},
                   {"rhs_contracting_dimensions", getRhsContracting()}});
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, startBatching, map;
  int64_t indexVectorDim = 0;
  if (parser.parseLess() ||
      io::parseFields(parser, {{"offset_dims", &offset},
                               {"collapsed_slice_dims", &collapsed},
                               {"operand_batching_dims", &operandBatching},
                               {"start_indices_batching_dims", &startBatching},
                               {"start_index_map", &map},
                               {"index_vector_dim", nullptr, &indexVectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching,
             startBatching, map, indexVectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  io::printFields(
      printer,
      {{"offset_dims", getOffsetDims()},
       {"collapsed_slice_dims", getCollapsedSliceDims()},
       {"operand_batching_dims", getOperandBatchingDims()},
       {"start_indices_batching_dims", getStartIndicesBatchingDims()},
       {"start_index_map", getStartIndexMap()}},
      "index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, inputBatching, indexBatching, map;
  int64_t indexVectorDim = 0;
  if (parser.parseLess() ||
      io::parseFields(parser,
                      {{"update_window_dims", &window},
                       {"inserted_window_dims", &inserted},
                       {"input_batching_dims", &inputBatching},
                       {"scatter_indices_batching_dims", &indexBatching},
                       {"scatter_dims_to_operand_dims", &map},
                       {"index_vector_dim", nullptr, &indexVectorDim}}))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching,
             indexBatching, map, indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  io::printFields(
      printer,
      {{"update_window_dims", getUpdateWindowDims()},
       {"inserted_window_dims", getInsertedWindowDims()},
       {"input_batching_dims", getInputBatchingDims()},
       {"scatter_indices_batching_dims", getScatterIndicesBatchingDims()},
       {"scatter_dims_to_operand_dims", getScatterDimsToOperandDims()}},
      "index_vector_dim", getIndexVectorDim());
}

/// `raw input_batch_dimension = 0, …`, after the keyword.
static Attribute parseRawConvDims(AsmParser &parser) {
  int64_t inputBatch = 0, inputFeature = 0, kernelInput = 0, kernelOutput = 0,
          outputBatch = 0, outputFeature = 0;
  SmallVector<int64_t> input, kernel, output;
  if (io::parseFields(
          parser, {{"input_batch_dimension", nullptr, &inputBatch},
                   {"input_feature_dimension", nullptr, &inputFeature},
                   {"input_spatial_dimensions", &input},
                   {"kernel_input_feature_dimension", nullptr, &kernelInput},
                   {"kernel_output_feature_dimension", nullptr, &kernelOutput},
                   {"kernel_spatial_dimensions", &kernel},
                   {"output_batch_dimension", nullptr, &outputBatch},
                   {"output_feature_dimension", nullptr, &outputFeature},
                   {"output_spatial_dimensions", &output}}))
    return {};
  return ConvDimensionNumbersAttr::get(
      parser.getContext(), inputBatch, inputFeature, input, kernelInput,
      kernelOutput, kernel, outputBatch, outputFeature, output);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRawConvDims(parser);
  ConvDimensionNumbersAttr dims;
  if (parseConvDims(parser, dims) || parser.parseGreater())
    return {};
  return dims;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printConvDims(printer, nullptr, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Bounds and accuracy
//===----------------------------------------------------------------------===//

Attribute BoundsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  auto parseBound = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(bounds.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseBound))
    return {};
  return get(parser.getContext(), bounds);
}

void BoundsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
  printer << '>';
}

LogicalResult BoundsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "bounds have " << getBounds().size()
                       << " entries for rank " << shape.size();
  for (auto [dim, bound] : llvm::enumerate(getBounds()))
    if (!ShapedType::isDynamic(bound) && !ShapedType::isDynamic(shape[dim]))
      return emitError() << "dimension " << dim << " has bound " << bound
                         << ", but its size " << shape[dim] << " is static";
  return success();
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("atol")) &&
      (parser.parseEqual() || parser.parseFloat(atol) || parser.parseComma()))
    return {};
  if (succeeded(parser.parseOptionalKeyword("rtol")) &&
      (parser.parseEqual() || parser.parseFloat(rtol) || parser.parseComma()))
    return {};
  if (succeeded(parser.parseOptionalKeyword("ulps")) &&
      (parser.parseEqual() || parser.parseInteger(ulps) || parser.parseComma()))
    return {};
  if (parser.parseKeyword("mode") || parser.parseEqual() ||
      parser.parseAttribute(mode) || parser.parseGreater())
    return {};
  Builder &builder = parser.getBuilder();
  return get(parser.getContext(), builder.getF64FloatAttr(atol),
             builder.getF64FloatAttr(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << '<';
  auto printTolerance = [&](StringRef name, FloatAttr value) {
    if (!value.getValue().isZero())
      printer << name << " = " << value.getValue() << ", ";
  };
  printTolerance("atol", getAtol());
  printTolerance("rtol", getRtol());
  if (getUlps() != 0)
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << getMode() << '>';
}

} // namespace partita::stablehlo
