//===- Reduction.cpp - StableHLO: reductions and windows ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Reduction.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Reduction.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Reduction.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// The type of the scalars that the body sees for an operand.
static Type getScalarType(Type type) {
  return RankedTensorType::get({}, getElementTypeOrSelf(type));
}

/// The op that `reduce` may name after `applies`: the body is that op on the
/// two arguments, commutative, without attributes, at the reduction's place.
static Operation *getAppliedOp(ReduceOp reduce) {
  if (reduce.getInputs().size() != 1 || !reduce.getBody().hasOneBlock())
    return nullptr;
  Block &block = reduce.getBody().front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &inner = block.front();
  bool isCommutative = llvm::is_contained(
      {"stablehlo.add", "stablehlo.multiply", "stablehlo.maximum",
       "stablehlo.minimum", "stablehlo.and", "stablehlo.or", "stablehlo.xor"},
      inner.getName().getStringRef());
  Type scalar = getScalarType(reduce.getResult(0).getType());
  if (!isCommutative || !inner.getAttrs().empty() ||
      inner.getOperand(0) != block.getArgument(0) ||
      inner.getOperand(1) != block.getArgument(1) ||
      block.back().getNumOperands() != 1 ||
      block.back().getOperand(0) != inner.getResult(0) ||
      block.back().getName().getStringRef() != "stablehlo.return" ||
      !block.back().getAttrs().empty())
    return nullptr;
  for (Type type :
       {block.getArgument(0).getType(), block.getArgument(1).getType(),
        inner.getResult(0).getType()})
    if (type != scalar)
      return nullptr;
  if (inner.getLoc() != reduce.getLoc() ||
      block.back().getLoc() != reduce.getLoc())
    return nullptr;
  return &inner;
}

static void buildAppliedOp(OpAsmParser &parser, OperationState &result,
                           OperationName applied, Type scalar) {
  Block &block = result.regions.front()->emplaceBlock();
  block.addArguments({scalar, scalar}, {result.location, result.location});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState inner(result.location, applied);
  inner.addOperands(block.getArguments());
  inner.addTypes(scalar);
  Value value = builder.create(inner)->getResult(0);
  OperationState terminator(result.location, "stablehlo.return");
  terminator.addOperands(value);
  builder.create(terminator);
}

/// `reducer(%a: type, %b: type) (…) { … }`: one pair for each input. The
/// block's arguments are the first of every pair, then the second.
static ParseResult parseReducer(OpAsmParser &parser, OperationState &result,
                                unsigned numInputs) {
  SmallVector<OpAsmParser::Argument> first, second;
  if (parser.parseKeyword("reducer"))
    return failure();
  for (unsigned i = 0; i < numInputs; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(first.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(second.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(first, second);
  return parser.parseRegion(*result.regions.front(), first);
}

// reduce ::= `(` %x `init:` %z `)`, … (`applies` op)? `across` `dimensions`
//            `=` dims attr-dict `:` function-type reducer?
ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  llvm::SMLoc loc = parser.getCurrentLocation();
  auto parseInput = [&]() -> ParseResult {
    return failure(
        parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen());
  };
  if (parser.parseCommaSeparatedList(parseInput))
    return failure();
  std::optional<OperationName> applied;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    applied = *name;
    if (inputs.size() != 1 || !applied->isRegistered())
      return parser.emitError(loc)
             << "cannot apply " << applied->getStringRef() << " here";
  }
  FailureOr<SmallVector<int64_t>> dims;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || failed(dims = io::parseDimList(parser)) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addAttribute(getDimensionsAttrName(result.name),
                      parser.getBuilder().getDenseI64ArrayAttr(*dims));
  llvm::append_range(inputs, inits);
  if (parser.resolveOperands(inputs, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  result.addRegion();
  if (!applied)
    return parseReducer(parser, result, inits.size());
  // A location behind the op is also that of the ops within.
  std::optional<Location> location;
  if (parser.parseOptionalLocationSpecifier(location))
    return failure();
  result.location = location.value_or(result.location);
  if (type.getNumResults() != 1)
    return parser.emitError(loc) << "expected one result type, got " << type;
  buildAppliedOp(parser, result, *applied, getScalarType(type.getResult(0)));
  return success();
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleave(
      llvm::zip(getInputs(), getInitValues()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " init: " << std::get<1>(pair) << ')';
      },
      ", (");
  Operation *applied = getAppliedOp(*this);
  if (applied)
    printer << " applies " << applied->getName();
  printer << " across dimensions = ";
  io::printDimList(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (applied)
    return;
  printer.printNewline();
  printer << " reducer";
  unsigned count = getInputs().size();
  for (unsigned i = 0; i < count; ++i) {
    printer << '(';
    printer.printRegionArgument(getBody().getArgument(i));
    printer << ", ";
    printer.printRegionArgument(getBody().getArgument(count + i));
    printer << ") ";
  }
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

static LogicalResult verifyReducer(Operation *op, unsigned count,
                                   Region &body) {
  if (count == 0)
    return op->emitOpError() << "has no input";
  if (op->getNumResults() != count)
    return op->emitOpError() << "has " << count << " inputs but "
                             << op->getNumResults() << " results";
  return io::verifyRegion(op, "the reducer", body, 2 * count, count);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyReducer(*this, getInputs().size(), getBody())))
    return failure();
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  if (failed(io::verifyDims(*this, "dimensions", getDimensions(),
                            first.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < first.getRank(); ++dim)
    if (!llvm::is_contained(getDimensions(), dim))
      shape.push_back(first.getDimSize(dim));
  for (unsigned i = 0; i < getInputs().size(); ++i) {
    auto type = cast<RankedTensorType>(getInputs()[i].getType());
    if (!io::areShapesCompatible(type.getShape(), first.getShape()))
      return emitOpError() << "requires the same shape of all inputs, got "
                           << first << " and " << type;
    if (cast<RankedTensorType>(getInitValues()[i].getType()).getRank() != 0)
      return emitOpError() << "has an init value of type "
                           << getInitValues()[i].getType()
                           << ", expected a scalar";
    if (failed(io::verifyResultShape(*this, shape, i)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Windows and map
//===----------------------------------------------------------------------===//

LogicalResult ReduceWindowOp::verify() {
  if (failed(verifyReducer(*this, getInputs().size(), getBody())))
    return failure();
  int64_t rank = cast<RankedTensorType>(getInputs()[0].getType()).getRank();
  if (failed(io::verifyCount(*this, "window_dimensions",
                             getWindowDimensions().size(), rank)))
    return failure();
  std::pair<StringRef, std::optional<ArrayRef<int64_t>>> lists[] = {
      {"window_strides", getWindowStrides()},
      {"base_dilations", getBaseDilations()},
      {"window_dilations", getWindowDilations()}};
  for (auto &[name, list] : lists)
    if (list && failed(io::verifyCount(*this, name, list->size(), rank)))
      return failure();
  if (auto padding = getPadding())
    return io::verifyCount(*this, "padding", padding->getNumElements(),
                           2 * rank);
  return success();
}

LogicalResult SelectAndScatterOp::verify() {
  if (failed(io::verifyRegion(*this, "the selection", getSelect(), 2, 1)) ||
      failed(io::verifyRegion(*this, "the scatter", getScatter(), 2, 1)))
    return failure();
  return io::verifyResultShape(*this, getOperand().getType().getShape());
}

LogicalResult MapOp::verify() {
  return io::verifyRegion(*this, "the computation", getComputation(),
                          getInputs().size(), 1);
}

} // namespace partita::stablehlo
