//===- SdyAttributes.cpp - The text of Shardy's attributes ----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/AttributeText.h"
#include "ir/io/sdy/Sdy.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "ir/io/sdy/SdyEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/io/sdy/SdyAttrs.cpp.inc"

namespace partita::sdy {

void SdyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/io/sdy/SdyAttrs.cpp.inc"
      >();
}

/// Parses a comma-separated list of attributes of one kind in brackets.
template <typename AttrType>
static ParseResult parseList(AsmParser &parser, AsmParser::Delimiter delimiter,
                             SmallVectorImpl<AttrType> &list) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    auto entry =
        llvm::dyn_cast_or_null<AttrType>(AttrType::parse(parser, Type()));
    if (!entry)
      return failure();
    list.push_back(entry);
    return success();
  });
}

template <typename AttrType>
static void printList(AsmPrinter &printer, ArrayRef<AttrType> list) {
  llvm::interleaveComma(list, printer,
                        [&](AttrType entry) { entry.print(printer); });
}

//===----------------------------------------------------------------------===//
// Meshes and axes
//===----------------------------------------------------------------------===//

Attribute MeshAxisAttr::parse(AsmParser &parser, Type) {
  std::string name;
  int64_t size;
  if (parser.parseString(&name) || parser.parseEqual() ||
      parser.parseInteger(size))
    return {};
  return get(parser.getContext(), name, size);
}

void MeshAxisAttr::print(AsmPrinter &printer) const {
  printer.printString(getName());
  printer << '=' << getSize();
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<MeshAxisAttr> axes;
  SmallVector<int64_t> deviceIds;
  if (parser.parseLess() ||
      parseList(parser, AsmParser::Delimiter::Square, axes))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    auto parseId = [&] {
      return parser.parseInteger(deviceIds.emplace_back());
    };
    if (parser.parseKeyword("device_ids") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseId))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    axes, deviceIds);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  printList(printer, getAxes());
  printer << ']';
  if (!getDeviceIds().empty()) {
    printer << ", device_ids=[";
    llvm::interleaveComma(getDeviceIds(), printer);
    printer << ']';
  }
  printer << '>';
}

LogicalResult
MeshAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<MeshAxisAttr> axes, ArrayRef<int64_t> deviceIds) {
  int64_t numDevices = 1;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (axis.getSize() < 1)
      return emitError() << "axis \"" << axis.getName() << "\" has size "
                         << axis.getSize() << ", expected at least 1";
    for (MeshAxisAttr other : axes.take_front(i))
      if (other.getName() == axis.getName())
        return emitError() << "mesh has axis \"" << axis.getName()
                           << "\" twice";
    if (numDevices > (int64_t(1) << 31) / axis.getSize())
      return emitError() << "the mesh has more than 2147483648 devices";
    numDevices *= axis.getSize();
  }
  if (deviceIds.empty())
    return success();
  // A mesh without axes names the one device that holds everything.
  if (axes.empty() && deviceIds.size() == 1 && deviceIds[0] >= 0)
    return success();
  SmallVector<int64_t> sorted(deviceIds);
  llvm::sort(sorted);
  for (auto [i, id] : llvm::enumerate(sorted))
    if (id != static_cast<int64_t>(i))
      return emitError() << "device_ids must be a permutation of 0 to "
                         << numDevices - 1;
  if (static_cast<int64_t>(deviceIds.size()) != numDevices)
    return emitError() << "mesh has " << numDevices << " devices, but "
                       << deviceIds.size() << " device_ids";
  return success();
}

Attribute AxisRefAttr::parse(AsmParser &parser, Type) {
  AxisText text;
  if (parseAxis(parser, text))
    return {};
  return fromText<AxisRefAttr>(parser.getContext(), text);
}

void AxisRefAttr::print(AsmPrinter &printer) const {
  printAxis(printer, toText(*this));
}

Attribute ManualAxesAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> axes;
  auto parseAxisName = [&]() -> ParseResult {
    std::string name;
    if (parser.parseString(&name))
      return failure();
    axes.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     parseAxisName))
    return {};
  return get(parser.getContext(), axes);
}

void ManualAxesAttr::print(AsmPrinter &printer) const {
  printer << '{';
  llvm::interleaveComma(getAxes(), printer,
                        [&](StringAttr name) { printer << name; });
  printer << '}';
}

Attribute AxisListAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefAttr> axes;
  if (parseList(parser, AsmParser::Delimiter::Braces, axes))
    return {};
  return get(parser.getContext(), axes);
}

void AxisListAttr::print(AsmPrinter &printer) const {
  printAxes(printer, toText(getAxes()));
}

Attribute AxisListsAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisListAttr> lists;
  if (parseList(parser, AsmParser::Delimiter::Square, lists))
    return {};
  return get(parser.getContext(), lists);
}

void AxisListsAttr::print(AsmPrinter &printer) const {
  printer << '[';
  printList(printer, getLists());
  printer << ']';
}

Attribute AllToAllParamAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefAttr> axes;
  int64_t source, target;
  if (parseList(parser, AsmParser::Delimiter::Braces, axes) ||
      parser.parseColon() || parser.parseInteger(source) ||
      parser.parseArrow() || parser.parseInteger(target))
    return {};
  return get(parser.getContext(), axes, source, target);
}

void AllToAllParamAttr::print(AsmPrinter &printer) const {
  printAxes(printer, toText(getAxes()));
  printer << ": " << getSource() << "->" << getTarget();
}

Attribute AllToAllParamsAttr::parse(AsmParser &parser, Type) {
  SmallVector<AllToAllParamAttr> params;
  if (parseList(parser, AsmParser::Delimiter::Square, params))
    return {};
  return get(parser.getContext(), params);
}

void AllToAllParamsAttr::print(AsmPrinter &printer) const {
  printer << '[';
  printList(printer, getParams());
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

Attribute DimShardingAttr::parse(AsmParser &parser, Type) {
  DimText text;
  if (parseDim(parser, text))
    return {};
  return get(parser.getContext(),
             fromText<AxisRefAttr>(parser.getContext(), text.axes), text.isOpen,
             text.priority);
}

void DimShardingAttr::print(AsmPrinter &printer) const {
  printDim(printer, {toText(getAxes()), getIsOpen(), getPriority()});
}

/// `@mesh`, or `mesh<["x"=2]>` in place.
static ParseResult parseMeshOrName(AsmParser &parser, Attribute &mesh) {
  if (succeeded(parser.parseOptionalKeyword("mesh"))) {
    mesh = MeshAttr::parse(parser, Type());
    return failure(!mesh);
  }
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  mesh = FlatSymbolRefAttr::get(name);
  return success();
}

/// `replicated={…}` or `unreduced=max{…}`, behind a comma.
static ParseResult parseClause(AsmParser &parser,
                               SmallVectorImpl<AxisRefAttr> &replicated,
                               SmallVectorImpl<AxisRefAttr> &unreduced,
                               ReductionOp &reduction) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword) || parser.parseEqual())
    return failure();
  if (keyword == "replicated")
    return parseList(parser, AsmParser::Delimiter::Braces, replicated);
  if (keyword != "unreduced")
    return parser.emitError(loc)
           << "expected 'replicated' or 'unreduced', got '" << keyword << "'";
  loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    std::optional<ReductionOp> kind = symbolizeReductionOp(keyword);
    if (!kind)
      return parser.emitError(loc)
             << "expected sum, max or min, got '" << keyword << "'";
    reduction = *kind;
  }
  return parseList(parser, AsmParser::Delimiter::Braces, unreduced);
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  Attribute mesh;
  SmallVector<DimShardingAttr> dims;
  SmallVector<AxisRefAttr> replicated, unreduced;
  ReductionOp reduction = ReductionOp::Sum;
  if (parser.parseLess() || parseMeshOrName(parser, mesh) ||
      parser.parseComma() ||
      parseList(parser, AsmParser::Delimiter::Square, dims))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseClause(parser, replicated, unreduced, reduction))
      return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), mesh, dims, replicated, unreduced, reduction);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (auto mesh = dyn_cast<MeshAttr>(getMesh())) {
    printer << "mesh";
    mesh.print(printer);
  } else {
    printer << getMesh();
  }
  printer << ", [";
  printList(printer, getDims());
  printer << ']';
  if (!getReplicated().empty()) {
    printer << ", replicated=";
    printAxes(printer, toText(getReplicated()));
  }
  if (!getUnreduced().empty()) {
    printer << ", unreduced=";
    if (getReduction() != ReductionOp::Sum)
      printer << stringifyReductionOp(getReduction());
    printAxes(printer, toText(getUnreduced()));
  }
  printer << '>';
}

Attribute ShardingPerValueAttr::parse(AsmParser &parser, Type) {
  SmallVector<ShardingAttr> shardings;
  if (parser.parseLess() ||
      parseList(parser, AsmParser::Delimiter::Square, shardings) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), shardings);
}

void ShardingPerValueAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  printList(printer, getShardings());
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// The rule of one op
//===----------------------------------------------------------------------===//

// Factors are named i, j, …, z, z_1, z_2, …; factor number 17 is z.
static constexpr int64_t kNumLetters = 'z' - 'i' + 1;

static std::string getFactorName(int64_t factor) {
  if (factor < kNumLetters)
    return std::string(1, static_cast<char>('i' + factor));
  return "z_" + std::to_string(factor - kNumLetters + 1);
}

/// Splits "ijz_2" into factor numbers.
static ParseResult parseFactors(AsmParser &parser, llvm::SMLoc loc,
                                StringRef text,
                                SmallVectorImpl<int64_t> &factors) {
  StringRef rest = text;
  while (!rest.empty()) {
    uint64_t number;
    if (rest.starts_with("z_")) {
      rest = rest.drop_front(2);
      if (rest.consumeInteger(10, number) || number == 0 || number > (1u << 20))
        return parser.emitError(loc)
               << "expected a factor such as 'z_1' in '" << text << "'";
      factors.push_back(kNumLetters - 1 + static_cast<int64_t>(number));
      continue;
    }
    if (rest.front() < 'i' || rest.front() > 'z')
      return parser.emitError(loc)
             << "expected factors from 'i' to 'z', got '" << text << "'";
    factors.push_back(rest.front() - 'i');
    rest = rest.drop_front();
  }
  return success();
}

Attribute DimMappingAttr::parse(AsmParser &parser, Type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  SmallVector<int64_t> factors;
  if (parser.parseKeyword(&text) || parseFactors(parser, loc, text, factors))
    return {};
  return get(parser.getContext(), factors);
}

void DimMappingAttr::print(AsmPrinter &printer) const {
  for (int64_t factor : getFactors())
    printer << getFactorName(factor);
}

Attribute TensorMappingAttr::parse(AsmParser &parser, Type) {
  SmallVector<DimMappingAttr> dims;
  if (parseList(parser, AsmParser::Delimiter::Square, dims))
    return {};
  return get(parser.getContext(), dims);
}

void TensorMappingAttr::print(AsmPrinter &printer) const {
  printer << '[';
  printList(printer, getDims());
  printer << ']';
}

/// `{i=8, j=4}`: sizes in the order of the factors.
static ParseResult parseFactorSizes(AsmParser &parser,
                                    SmallVectorImpl<int64_t> &sizes) {
  auto parseSize = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::string expected = getFactorName(sizes.size());
    if (name != expected)
      return parser.emitError(loc) << "expected the size of factor '"
                                   << expected << "', got '" << name << "'";
    return failure(parser.parseEqual() ||
                   parser.parseInteger(sizes.emplace_back()));
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalBraces,
                                        parseSize);
}

/// `reduction={j, k}`.
static ParseResult parseFactorSet(AsmParser &parser, StringRef name,
                                  SmallVectorImpl<int64_t> &factors) {
  if (failed(parser.parseOptionalKeyword(name)))
    return success();
  auto parseFactor = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef text;
    return failure(parser.parseKeyword(&text) ||
                   parseFactors(parser, loc, text, factors));
  };
  return failure(parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                                parseFactor));
}

Attribute OpShardingRuleAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> sizes, reduction, needReplication, permutation, blocked;
  SmallVector<TensorMappingAttr> operands, results;
  if (parser.parseLess() ||
      parseList(parser, AsmParser::Delimiter::Paren, operands) ||
      parser.parseArrow() ||
      parseList(parser, AsmParser::Delimiter::Paren, results) ||
      parseFactorSizes(parser, sizes) ||
      parseFactorSet(parser, "reduction", reduction) ||
      parseFactorSet(parser, "need_replication", needReplication) ||
      parseFactorSet(parser, "permutation", permutation) ||
      parseFactorSet(parser, "blocked_propagation", blocked))
    return {};
  bool isCustom = succeeded(parser.parseOptionalComma());
  if ((isCustom && parser.parseKeyword("custom")) || parser.parseGreater())
    return {};
  return get(parser.getContext(), sizes, operands, results, reduction,
             needReplication, permutation, blocked, isCustom);
}

void OpShardingRuleAttr::print(AsmPrinter &printer) const {
  printer << "<(";
  printList(printer, getOperands());
  printer << ")->(";
  printList(printer, getResults());
  printer << ')';
  if (!getFactorSizes().empty()) {
    printer << " {";
    int64_t factor = 0;
    llvm::interleaveComma(getFactorSizes(), printer, [&](int64_t size) {
      printer << getFactorName(factor++) << '=' << size;
    });
    printer << '}';
  }
  std::pair<StringRef, ArrayRef<int64_t>> sets[] = {
      {"reduction", getReduction()},
      {"need_replication", getNeedReplication()},
      {"permutation", getPermutation()},
      {"blocked_propagation", getBlockedPropagation()}};
  for (auto &[name, factors] : sets) {
    if (factors.empty())
      continue;
    printer << ' ' << name << "={";
    llvm::interleaveComma(factors, printer, [&](int64_t factor) {
      printer << getFactorName(factor);
    });
    printer << '}';
  }
  if (getIsCustom())
    printer << ", custom";
  printer << '>';
}

//===----------------------------------------------------------------------===//
// How a sharding came about
//===----------------------------------------------------------------------===//

Attribute EdgeValueAttr::parse(AsmParser &parser, Type) {
  bool isResult = succeeded(parser.parseOptionalKeyword("result"));
  int64_t index;
  if (!isResult && parser.parseKeyword("operand"))
    return {};
  // The lexer takes "-1" for a negative number.
  if (parser.parseInteger(index))
    return {};
  return get(parser.getContext(), isResult, -index);
}

void EdgeValueAttr::print(AsmPrinter &printer) const {
  printer << (getIsResult() ? "result-" : "operand-") << getIndex();
}

Attribute AxisEdgesAttr::parse(AsmParser &parser, Type) {
  SmallVector<EdgeValueAttr> targets;
  if (parser.parseLBrace())
    return {};
  auto axis =
      llvm::dyn_cast_or_null<AxisRefAttr>(AxisRefAttr::parse(parser, Type()));
  if (!axis || parser.parseEqual())
    return {};
  auto source = llvm::dyn_cast_or_null<EdgeValueAttr>(
      EdgeValueAttr::parse(parser, Type()));
  if (!source || parser.parseArrow() ||
      parseList(parser, AsmParser::Delimiter::Square, targets) ||
      parser.parseRBrace())
    return {};
  return get(parser.getContext(), axis, source, targets);
}

void AxisEdgesAttr::print(AsmPrinter &printer) const {
  printer << '{';
  getAxis().print(printer);
  printer << " = ";
  getSource().print(printer);
  printer << " -> [";
  printList(printer, getTargets());
  printer << "]}";
}

Attribute PropagationStepAttr::parse(AsmParser &parser, Type) {
  int64_t step;
  SmallVector<AxisEdgesAttr> axes;
  if (parser.parseLBrace() || parser.parseKeyword("step") ||
      parser.parseInteger(step) || parser.parseEqual() ||
      parseList(parser, AsmParser::Delimiter::Square, axes) ||
      parser.parseRBrace())
    return {};
  return get(parser.getContext(), -step, axes);
}

void PropagationStepAttr::print(AsmPrinter &printer) const {
  printer << "{step-" << getStep() << " = [";
  printList(printer, getAxes());
  printer << "]}";
}

Attribute PropagationEdgesAttr::parse(AsmParser &parser, Type) {
  SmallVector<PropagationStepAttr> steps;
  if (parser.parseLess() ||
      parseList(parser, AsmParser::Delimiter::Square, steps) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), steps);
}

void PropagationEdgesAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  printList(printer, getSteps());
  printer << "]>";
}

} // namespace partita::sdy
