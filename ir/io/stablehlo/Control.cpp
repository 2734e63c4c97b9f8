//===- Control.cpp - StableHLO: control flow, calls, tuples ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/stablehlo/OpsPrelude.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "ir/io/stablehlo/Control.h.inc"
#define GET_OP_CLASSES
#include "ir/io/stablehlo/Control.cpp.inc"

namespace partita::stablehlo {

void StablehloDialect::addControlOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/io/stablehlo/Control.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

// while ::= `while` `(` (%arg `=` %init),* `)` (`:` types)?
//           (`attributes` dict)? `cond` region `do` region
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAssignmentList(arguments, operands))
    return failure();
  if (!operands.empty()) {
    SmallVector<Type> types;
    if (parser.parseColonTypeList(types) ||
        parser.resolveOperands(operands, types, loc, result.operands))
      return failure();
    result.addTypes(types);
    for (auto [argument, type] : llvm::zip_equal(arguments, types))
      argument.type = type;
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("cond") ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseKeyword("do") ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  return success();
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << '(';
  // Both regions use the names of the condition's arguments.
  printer.shadowRegionArgs(getBody(), getCond().getArguments());
  llvm::interleaveComma(llvm::zip(getCond().getArguments(), getOperand()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair);
                        });
  printer << ')';
  if (!getOperand().empty()) {
    printer << " : ";
    llvm::interleaveComma(getOperand().getTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult WhileOp::verify() {
  unsigned count = getOperand().size();
  if (getNumResults() != count)
    return emitOpError() << "has " << count << " operands but "
                         << getNumResults() << " results";
  if (failed(io::verifyRegion(*this, "the condition", getCond(), count, 1)) ||
      failed(io::verifyRegion(*this, "the body", getBody(), count, count)))
    return failure();
  ValueRange returned = getBody().front().back().getOperands();
  for (unsigned i = 0; i < count; ++i) {
    Type init = getOperand()[i].getType();
    if (io::areTypesCompatible(init, getBody().getArgument(i).getType()) &&
        io::areTypesCompatible(init, getCond().getArgument(i).getType()) &&
        io::areTypesCompatible(init, returned[i].getType()) &&
        io::areTypesCompatible(init, getResult(i).getType()))
      continue;
    auto diag = emitOpError()
                << "carries value " << i << " as " << init
                << ", but its body returns " << returned[i].getType();
    diag.attachNote(getBody().front().back().getLoc()) << "returned here";
    return diag;
  }
  Type condition = getCond().front().back().getOperand(0).getType();
  if (!io::isPredTensor(condition) || !io::isScalar(condition))
    return emitOpError() << "has a condition of type " << condition
                         << ", expected tensor<i1>";
  return success();
}

//===----------------------------------------------------------------------===//
// Branches and tuples
//===----------------------------------------------------------------------===//

static LogicalResult verifyBranch(Operation *op, Region &branch) {
  if (failed(io::verifyRegion(op, "a branch", branch, 0, op->getNumResults())))
    return failure();
  Operation &terminator = branch.front().back();
  for (auto [value, result] :
       llvm::zip_equal(terminator.getOperands(), op->getResults()))
    if (!io::areTypesCompatible(value.getType(), result.getType())) {
      auto diag = op->emitOpError()
                  << "has result type " << result.getType()
                  << ", but a branch returns " << value.getType();
      diag.attachNote(terminator.getLoc()) << "returned here";
      return diag;
    }
  return success();
}

LogicalResult IfOp::verify() {
  if (getPred().getType().getRank() != 0)
    return emitOpError() << "has a predicate of type " << getPred().getType()
                         << ", expected tensor<i1>";
  return success(succeeded(verifyBranch(*this, getTrueBranch())) &&
                 succeeded(verifyBranch(*this, getFalseBranch())));
}

LogicalResult CaseOp::verify() {
  if (getBranches().empty())
    return emitOpError() << "has no branch";
  for (Region &branch : getBranches())
    if (failed(verifyBranch(*this, branch)))
      return failure();
  return success();
}

LogicalResult TupleOp::verify() {
  auto tuple = cast<TupleType>(getResult().getType());
  if (TypeRange(tuple.getTypes()) == getVal().getTypes())
    return success();
  return emitOpError() << "has result type " << tuple
                       << ", which does not hold its operands";
}

LogicalResult GetTupleElementOp::verify() {
  auto tuple = cast<TupleType>(getOperand().getType());
  if (getIndex() >= tuple.size())
    return emitOpError() << "takes element " << getIndex() << " of " << tuple;
  if (tuple.getType(getIndex()) == getResult().getType())
    return success();
  return emitOpError() << "has result type " << getResult().getType()
                       << ", but element " << getIndex() << " is "
                       << tuple.getType(getIndex());
}

} // namespace partita::stablehlo
