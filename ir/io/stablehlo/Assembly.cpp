//===- Assembly.cpp - StableHLO's own assembly directives -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace partita::stablehlo {

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Precision> value = symbolizePrecision(keyword);
    if (!value)
      return parser.emitError(loc)
             << "expected DEFAULT, HIGH or HIGHEST, got " << keyword;
    entries.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  precision = parser.getBuilder().getArrayAttr(entries);
  return success();
}

ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") ||
                 parsePrecisions(parser, precision));
}

void printPrecisionConfig(OpAsmPrinter &printer, Operation *,
                          ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precision, printer, [&](Attribute entry) {
    printer << stringifyPrecision(cast<PrecisionAttr>(entry).getValue());
  });
  printer << ']';
}

ParseResult parsePrecisionAndAlgorithm(OpAsmParser &parser,
                                       ArrayAttr &precision,
                                       DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("algorithm"))) {
      if (parser.parseEqual())
        return failure();
      algorithm = llvm::dyn_cast_or_null<DotAlgorithmAttr>(
          DotAlgorithmAttr::parse(parser, {}));
      if (!algorithm)
        return failure();
      continue;
    }
    if (parser.parseKeyword("precision") || parsePrecisions(parser, precision))
      return failure();
  }
  return success();
}

void printPrecisionAndAlgorithm(OpAsmPrinter &printer, Operation *op,
                                ArrayAttr precision,
                                DotAlgorithmAttr algorithm) {
  printPrecisionConfig(printer, op, precision);
  if (!algorithm)
    return;
  printer << ", algorithm = ";
  algorithm.print(printer);
}

ParseResult parseDotDims(OpAsmParser &parser, DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lists[4]; // lhs, rhs batch; lhs, rhs contracting
  auto parsePair = [&](int first) -> ParseResult {
    FailureOr<SmallVector<int64_t>> lhs, rhs;
    if (parser.parseEqual() || failed(lhs = io::parseDimList(parser)) ||
        parser.parseKeyword("x") || failed(rhs = io::parseDimList(parser)))
      return failure();
    lists[first] = *lhs;
    lists[first + 1] = *rhs;
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(0) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair(2))
    return failure();
  dims = DotDimensionNumbersAttr::get(parser.getContext(), lists[0], lists[1],
                                      lists[2], lists[3]);
  return success();
}

void printDotDims(OpAsmPrinter &printer, Operation *,
                  DotDimensionNumbersAttr dims) {
  auto printPair = [&](StringRef name, ArrayRef<int64_t> lhs,
                       ArrayRef<int64_t> rhs) {
    printer << name << " = ";
    io::printDimList(printer, lhs);
    printer << " x ";
    io::printDimList(printer, rhs);
  };
  if (!dims.getLhsBatch().empty() || !dims.getRhsBatch().empty()) {
    printPair("batching_dims", dims.getLhsBatch(), dims.getRhsBatch());
    printer << ", ";
  }
  printPair("contracting_dims", dims.getLhsContracting(),
            dims.getRhsContracting());
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// One bracket of convolution dimensions: two letters (b f, i o) and spatial
/// dimension numbers, at the positions where these dimensions lie.
struct ConvLayout {
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial;
};
} // namespace

static ParseResult parseConvLayout(AsmParser &parser, StringRef first,
                                   StringRef second, ConvLayout &layout) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> spatial; // number, position
  int64_t position = 0;
  auto parseEntry = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return failure();
      spatial.push_back({number, position++});
      return success();
    }
    if (succeeded(parser.parseOptionalQuestion())) {
      ++position;
      return success();
    }
    StringRef letter;
    llvm::SMLoc entryLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&letter))
      return failure();
    int64_t *slot = letter == first    ? &layout.first
                    : letter == second ? &layout.second
                                       : nullptr;
    if (!slot || *slot != -1)
      return parser.emitError(entryLoc)
             << "expected '" << first << "' and '" << second
             << "' once each, got '" << letter << "'";
    *slot = position++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  llvm::sort(spatial);
  for (auto [index, entry] : llvm::enumerate(spatial)) {
    if (entry.first != static_cast<int64_t>(index))
      return parser.emitError(loc)
             << "spatial dimensions must be numbered from 0 without gaps";
    layout.spatial.push_back(entry.second);
  }
  if (layout.first == -1 || layout.second == -1)
    return parser.emitError(loc)
           << "expected '" << first << "' and '" << second << "' once each";
  return success();
}

ParseResult parseConvDims(AsmParser &parser, ConvDimensionNumbersAttr &dims) {
  ConvLayout input, kernel, output;
  if (parseConvLayout(parser, "b", "f", input) || parser.parseKeyword("x") ||
      parseConvLayout(parser, "i", "o", kernel) || parser.parseArrow() ||
      parseConvLayout(parser, "b", "f", output))
    return failure();
  dims = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.first, input.second, input.spatial,
      kernel.first, kernel.second, kernel.spatial, output.first, output.second,
      output.spatial);
  return success();
}

static void printConvLayout(AsmPrinter &printer, char firstLetter,
                            int64_t first, char secondLetter, int64_t second,
                            ArrayRef<int64_t> spatial) {
  int64_t rank = std::max(first, second);
  for (int64_t position : spatial)
    rank = std::max(rank, position);
  SmallVector<std::string> entries(rank + 1, "?");
  auto set = [&](int64_t position, std::string text) {
    if (position >= 0)
      entries[position] = std::move(text);
  };
  set(first, std::string(1, firstLetter));
  set(second, std::string(1, secondLetter));
  for (auto [number, position] : llvm::enumerate(spatial))
    set(position, std::to_string(number));
  printer << '[' << llvm::join(entries, ", ") << ']';
}

void printConvDims(AsmPrinter &printer, Operation *,
                   ConvDimensionNumbersAttr dims) {
  printConvLayout(printer, 'b', dims.getInputBatch(), 'f',
                  dims.getInputFeature(), dims.getInputSpatial());
  printer << 'x';
  printConvLayout(printer, 'i', dims.getKernelInputFeature(), 'o',
                  dims.getKernelOutputFeature(), dims.getKernelSpatial());
  printer << "->";
  printConvLayout(printer, 'b', dims.getOutputBatch(), 'f',
                  dims.getOutputFeature(), dims.getOutputSpatial());
}

static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  int64_t rows = 0;
  auto parseRow = [&]() -> ParseResult {
    ++rows;
    return failure(
        parser.parseLSquare() || parser.parseInteger(values.emplace_back()) ||
        parser.parseComma() || parser.parseInteger(values.emplace_back()) ||
        parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
    return failure();
  auto type =
      RankedTensorType::get({rows, 2}, parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

static ParseResult parseFlags(OpAsmParser &parser, DenseBoolArrayAttr &flags) {
  SmallVector<bool> values;
  auto parseFlag = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("true"))) {
      values.push_back(true);
      return success();
    }
    if (succeeded(parser.parseOptionalKeyword("false"))) {
      values.push_back(false);
      return success();
    }
    int64_t number;
    if (parser.parseInteger(number))
      return failure();
    values.push_back(number != 0);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFlag))
    return failure();
  flags = DenseBoolArrayAttr::get(parser.getContext(), values);
  return success();
}

ParseResult parseWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                        DenseIntElementsAttr &padding,
                        DenseI64ArrayAttr &lhsDilation,
                        DenseI64ArrayAttr &rhsDilation,
                        DenseBoolArrayAttr &reversal) {
  std::pair<StringRef, DenseI64ArrayAttr *> lists[] = {
      {"stride", &strides},
      {"lhs_dilate", &lhsDilation},
      {"rhs_dilate", &rhsDilation}};
  StringRef name;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(
          &name, {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"})))
    return success();
  while (true) {
    if (parser.parseEqual())
      return failure();
    if (name == "pad") {
      if (parsePadding(parser, padding))
        return failure();
    } else if (name == "reverse") {
      if (parseFlags(parser, reversal))
        return failure();
    } else {
      auto *list =
          llvm::find_if(lists, [&](auto &l) { return l.first == name; });
      if (list == std::end(lists))
        return parser.emitError(loc) << "unknown window field '" << name << "'";
      FailureOr<SmallVector<int64_t>> values = io::parseDimList(parser);
      if (failed(values))
        return failure();
      *list->second = parser.getBuilder().getDenseI64ArrayAttr(*values);
    }
    if (failed(parser.parseOptionalComma()))
      return success();
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
  }
}

void printWindow(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                 DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                 DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  StringRef separator = "";
  auto printName = [&](StringRef name) {
    printer << separator << name << " = ";
    separator = ", ";
  };
  auto printList = [&](StringRef name, DenseI64ArrayAttr list) {
    if (!list)
      return;
    printName(name);
    io::printDimList(printer, list);
  };
  printList("stride", strides);
  if (padding) {
    printName("pad");
    auto values = llvm::to_vector(padding.getValues<int64_t>());
    printer << '[';
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      printer << (i ? ", [" : "[") << values[i] << ", " << values[i + 1] << ']';
    printer << ']';
  }
  printList("lhs_dilate", lhsDilation);
  printList("rhs_dilate", rhsDilation);
  if (reversal) {
    printName("reverse");
    printer << '[';
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool flag) {
      printer << (flag ? "true" : "false");
    });
    printer << ']';
  }
}

} // namespace partita::stablehlo
