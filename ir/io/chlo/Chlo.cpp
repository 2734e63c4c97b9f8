//===- Chlo.cpp - CHLO's dialect and ops ----------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/chlo/Chlo.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "ir/io/chlo/ChloDialect.cpp.inc"
#include "ir/io/chlo/ChloEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/io/chlo/ChloAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "ir/io/chlo/ChloOps.cpp.inc"

namespace partita::chlo {

void ChloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/io/chlo/ChloAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/io/chlo/ChloOps.cpp.inc"
      >();
}

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContracting, rhsContracting,
      lhsRagged, rhsGroup;
  if (parser.parseLess() ||
      io::parseFields(parser, {{"lhs_batching_dimensions", &lhsBatch},
                               {"rhs_batching_dimensions", &rhsBatch},
                               {"lhs_contracting_dimensions", &lhsContracting},
                               {"rhs_contracting_dimensions", &rhsContracting},
                               {"lhs_ragged_dimensions", &lhsRagged},
                               {"rhs_group_dimensions", &rhsGroup}}))
    return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContracting,
             rhsContracting, lhsRagged, rhsGroup);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  io::printFields(printer, {{"lhs_batching_dimensions", getLhsBatch()},
                            {"rhs_batching_dimensions", getRhsBatch()},
                            {"lhs_contracting_dimensions", getLhsContracting()},
                            {"rhs_contracting_dimensions", getRhsContracting()},
                            {"lhs_ragged_dimensions", getLhsRagged()},
                            {"rhs_group_dimensions", getRhsGroup()}});
}

LogicalResult TopKOp::verify() {
  RankedTensorType type = getOperand().getType();
  if (type.getRank() == 0)
    return emitOpError() << "has an operand of rank 0";
  int64_t k = getK(), last = type.getRank() - 1;
  if (k < 0 || (!type.isDynamicDim(last) && k > type.getDimSize(last)))
    return emitOpError() << "takes the first " << k << " of "
                         << type.getDimSize(last) << " elements";
  SmallVector<int64_t> shape(type.getShape());
  shape[last] = k;
  return success(succeeded(io::verifyResultShape(*this, shape, 0)) &&
                 succeeded(io::verifyResultShape(*this, shape, 1)));
}

LogicalResult RaggedDotOp::verify() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  SmallVector<int64_t> lhs(dims.getLhsBatch()), rhs(dims.getRhsBatch());
  llvm::append_range(lhs, dims.getLhsContracting());
  llvm::append_range(rhs, dims.getRhsContracting());
  if (dims.getLhsRagged().size() != 1)
    return emitOpError() << "has " << dims.getLhsRagged().size()
                         << " ragged dimensions, expected one";
  return success(succeeded(io::verifyDims(*this, "the left operand", lhs,
                                          getLhs().getType().getRank())) &&
                 succeeded(io::verifyDims(*this, "the right operand", rhs,
                                          getRhs().getType().getRank())));
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

// scan ::= `(` inputs `)` `inits` `(` inits `)` `dimension` `=` number
//          (`attributes` dict)? region `:` function-type
// Results: an output per input that the body makes, then the last carries.
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  int64_t dimension = 0;
  FunctionType type;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) || parser.parseColonType(type))
    return failure();
  int32_t numInits = inits.size();
  int32_t numOutputs = type.getNumResults() - numInits;
  if (numOutputs < 0)
    return parser.emitError(loc)
           << "expected at least " << numInits << " result types, got " << type;
  Builder &builder = parser.getBuilder();
  result.addAttribute(getDimensionAttrName(result.name),
                      builder.getI64IntegerAttr(dimension));
  int32_t numInputs = inputs.size();
  result.addAttribute(getOperandSegmentSizesAttrName(result.name),
                      builder.getDenseI32ArrayAttr({numInputs, numInits}));
  result.addAttribute("resultSegmentSizes",
                      builder.getDenseI32ArrayAttr({numOutputs, numInits}));
  llvm::append_range(inputs, inits);
  result.addTypes(type.getResults());
  return parser.resolveOperands(inputs, type.getInputs(), loc, result.operands);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << '(' << getInputs() << ") inits (" << getInits()
          << ") dimension=" << getDimension();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

} // namespace partita::chlo
