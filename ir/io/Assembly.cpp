//===- Assembly.cpp - Assembly directives of the text dialects ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/Assembly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// Lists and fields of attributes
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> parseDimList(AsmParser &parser) {
  SmallVector<int64_t> dims;
  auto parseDim = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      dims.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(dims.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim))
    return failure();
  return dims;
}

void printDimList(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      printer << '?';
    else
      printer << dim;
  });
  printer << ']';
}

ParseResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  SmallVector<bool> seen(fields.size());
  bool isFirst = true;
  while (failed(parser.parseOptionalGreater())) {
    if (!isFirst && parser.parseComma())
      return failure();
    isFirst = false;
    StringRef name;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    const Field *field =
        llvm::find_if(fields, [&](const Field &f) { return f.name == name; });
    if (field == fields.end())
      return parser.emitError(loc) << "unknown field '" << name << "'";
    if (std::exchange(seen[field - fields.begin()], true))
      return parser.emitError(loc) << "field '" << name << "' is given twice";
    if (parser.parseEqual())
      return failure();
    if (field->number) {
      if (parser.parseInteger(*field->number))
        return failure();
      continue;
    }
    FailureOr<SmallVector<int64_t>> list = parseDimList(parser);
    if (failed(list))
      return failure();
    *field->list = std::move(*list);
  }
  return success();
}

void printFields(AsmPrinter &printer,
                 ArrayRef<std::pair<StringRef, ArrayRef<int64_t>>> lists,
                 StringRef numberName, int64_t number) {
  printer << '<';
  StringRef separator = "";
  for (auto &[name, list] : lists) {
    if (list.empty())
      continue;
    printer << separator << name << " = ";
    printDimList(printer, list);
    separator = ", ";
  }
  if (number != 0)
    printer << separator << numberName << " = " << number;
  printer << '>';
}

namespace assembly {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult parseOneTypeImpl(OpAsmParser &parser, ArrayRef<Type *> operands,
                             Type &result) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    for (Type *operand : operands)
      *operand = type;
    result = type;
    return success();
  }
  if (function.getNumInputs() != operands.size() ||
      function.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected " << operands.size() << " operand types and one result "
           << "type, got " << function;
  for (auto [operand, input] : llvm::zip_equal(operands, function.getInputs()))
    *operand = input;
  result = function.getResult(0);
  return success();
}

void printOneTypeImpl(OpAsmPrinter &printer, Operation *op,
                      ArrayRef<Type> operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    printer << result;
  else
    printer.printFunctionalType(op);
}

ParseResult
parseVariadicOneType(OpAsmParser &parser,
                     ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                     SmallVectorImpl<Type> &types, Type &result) {
  types.resize(operands.size());
  SmallVector<Type *> pointers;
  for (Type &type : types)
    pointers.push_back(&type);
  return parseOneTypeImpl(parser, pointers, result);
}

void printVariadicOneType(OpAsmPrinter &printer, Operation *op, OperandRange,
                          TypeRange types, Type result) {
  printOneTypeImpl(printer, op, llvm::to_vector(types), result);
}

ParseResult parsePairwiseTypes(OpAsmParser &parser,
                               SmallVectorImpl<Type> &operands,
                               SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void printPairwiseTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                        TypeRange) {
  llvm::interleaveComma(operands, printer);
}

ParseResult parseTupleTypes(OpAsmParser &parser,
                            SmallVectorImpl<Type> &operands, Type &result) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc) << "expected a tuple type, got " << result;
  operands.append(tuple.getTypes().begin(), tuple.getTypes().end());
  return success();
}

void printTupleTypes(OpAsmPrinter &printer, Operation *, TypeRange,
                     Type result) {
  printer << result;
}

/// tensor<2xf32> for tensor<2xcomplex<f32>>; null for other types.
static Type getPartType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto complex =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return complex ? tensor.clone(complex.getElementType()) : Type();
}

ParseResult parseComplexType(OpAsmParser &parser, Type &lhs, Type &rhs,
                             Type &result) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  Type *operands[] = {&lhs, &rhs};
  Type type;
  if (parseOneTypeImpl(parser, operands, type))
    return failure();
  result = type;
  if (lhs != type || rhs != type)
    return success();
  lhs = rhs = getPartType(type);
  if (!lhs)
    return parser.emitError(loc)
           << "expected a tensor of complex numbers, got " << type;
  return success();
}

void printComplexType(OpAsmPrinter &printer, Operation *op, Type lhs, Type rhs,
                      Type result) {
  Type part = getPartType(result);
  if (lhs == part && rhs == part)
    printer << result;
  else
    printer.printFunctionalType(op);
}

ParseResult parseSelectType(OpAsmParser &parser, Type &pred, Type &onTrue,
                            Type &onFalse, Type &result) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 2) {
    pred = types[0];
    onTrue = onFalse = result = types[1];
    return success();
  }
  auto function =
      types.size() == 1 ? dyn_cast<FunctionType>(types[0]) : FunctionType();
  if (!function || function.getNumInputs() != 3 ||
      function.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected the types of predicate and result, or a function type";
  pred = function.getInput(0);
  onTrue = function.getInput(1);
  onFalse = function.getInput(2);
  result = function.getResult(0);
  return success();
}

void printSelectType(OpAsmPrinter &printer, Operation *op, Type pred,
                     Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(op);
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

ParseResult parseOperandsThenAttribute(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printOperandsThenAttribute(OpAsmPrinter &printer, Operation *,
                                OperandRange operands) {
  llvm::interleave(
      operands, printer, [&](Value v) { printer << v << ','; }, " ");
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    if (succeeded(parser.parseOptionalColon()))
      return parser.parseInteger(stride.back());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      ArrayRef<int64_t> starts, ArrayRef<int64_t> limits,
                      ArrayRef<int64_t> strides) {
  printer << '[';
  // The op may be invalid when it is printed: the lists may differ in length.
  llvm::interleaveComma(llvm::zip(starts, limits, strides), printer,
                        [&](auto range) {
                          auto [start, limit, stride] = range;
                          printer << start << ':' << limit;
                          if (stride != 1)
                            printer << ':' << stride;
                        });
  printer << ']';
}

ParseResult parseFloatFormat(OpAsmParser &parser, IntegerAttr &exponent,
                             IntegerAttr &mantissa) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  StringRef rest = text;
  int exponentBits, mantissaBits;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.consumeInteger(10, mantissaBits) ||
      !rest.empty())
    return parser.emitError(loc)
           << "expected a format such as e5m10, got " << text;
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void printFloatFormat(OpAsmPrinter &printer, Operation *, IntegerAttr exponent,
                      IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

ParseResult parseCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target) {
  printer.printSymbolName(target);
}

} // namespace assembly
} // namespace partita::io
