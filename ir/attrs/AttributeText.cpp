//===- AttributeText.cpp - The text of meshes and shardings -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/AttributeText.h"

using namespace mlir;

namespace partita {

ParseResult parseAxis(AsmParser &parser, AxisText &axis) {
  if (parser.parseString(&axis.name))
    return failure();
  if (failed(parser.parseOptionalColon()))
    return success();
  return failure(parser.parseLParen() || parser.parseInteger(axis.pre) ||
                 parser.parseRParen() || parser.parseInteger(axis.size));
}

ParseResult parseAxes(AsmParser &parser, SmallVectorImpl<AxisText> &axes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
    return parseAxis(parser, axes.emplace_back());
  });
}

/// Reads the p1 behind a dimension's closing brace, if there is one.
static ParseResult parsePriority(AsmParser &parser, int64_t &priority) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return success();
  if (!keyword.consume_front("p") || keyword.getAsInteger(10, priority))
    return parser.emitError(loc)
           << "expected a priority such as 'p0' behind the axes of a dimension";
  return success();
}

ParseResult parseDim(AsmParser &parser, DimText &dim) {
  auto parseItem = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      dim.isOpen = true;
      return success();
    }
    if (dim.isOpen)
      return parser.emitError(parser.getCurrentLocation())
             << "'?' must be the last item of a dimension";
    return parseAxis(parser, dim.axes.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseItem))
    return failure();
  return parsePriority(parser, dim.priority);
}

/// Reads `replicated={…}` or `unreduced=max{…}` behind a comma.
static ParseResult parseClause(AsmParser &parser, ShardingText &text) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword) || parser.parseEqual())
    return failure();
  if (keyword == "replicated")
    return parseAxes(parser, text.replicated);
  if (keyword != "unreduced")
    return parser.emitError(loc) << "expected 'replicated' or 'unreduced'";
  StringRef kind;
  if (succeeded(parser.parseOptionalKeyword(&kind)))
    text.unreducedKind = kind.str();
  return parseAxes(parser, text.unreduced);
}

ParseResult parseSharding(AsmParser &parser, ShardingText &text) {
  StringAttr mesh;
  if (parser.parseLess() || parser.parseSymbolName(mesh) || parser.parseComma())
    return failure();
  text.mesh = mesh.str();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseDim(parser, text.dims.emplace_back());
      }))
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parseClause(parser, text))
      return failure();
  return parser.parseGreater();
}

void printAxis(AsmPrinter &printer, const AxisText &axis) {
  printer.printString(axis.name);
  if (axis.size)
    printer << ":(" << axis.pre << ")" << axis.size;
}

void printAxes(AsmPrinter &printer, ArrayRef<AxisText> axes) {
  printer << "{";
  llvm::interleaveComma(
      axes, printer, [&](const AxisText &axis) { printAxis(printer, axis); });
  printer << "}";
}

void printDim(AsmPrinter &printer, const DimText &dim) {
  printer << "{";
  llvm::interleaveComma(dim.axes, printer, [&](const AxisText &axis) {
    printAxis(printer, axis);
  });
  if (dim.isOpen)
    printer << (dim.axes.empty() ? "?" : ", ?");
  printer << "}";
  if (dim.priority)
    printer << "p" << dim.priority;
}

void printSharding(AsmPrinter &printer, const ShardingText &text) {
  printer << "<";
  printer.printSymbolName(text.mesh);
  printer << ", [";
  llvm::interleaveComma(text.dims, printer,
                        [&](const DimText &dim) { printDim(printer, dim); });
  printer << "]";
  if (!text.replicated.empty()) {
    printer << ", replicated=";
    printAxes(printer, text.replicated);
  }
  if (!text.unreduced.empty()) {
    printer << ", unreduced=" << text.unreducedKind;
    printAxes(printer, text.unreduced);
  }
  printer << ">";
}

} // namespace partita
