//===- Assembly.h - Assembly directives of the text dialects ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `custom<…>` in the .td files of the text dialects names. Forms as in
// the StableHLO specification.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_ASSEMBLY_H
#define PARTITA_IR_IO_ASSEMBLY_H

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include <type_traits>

namespace partita::io {

/// `[0, 2, ?]`; `?` is ShapedType::kDynamic.
mlir::FailureOr<llvm::SmallVector<int64_t>>
parseDimList(mlir::AsmParser &parser);
void printDimList(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// A field of an attribute written `name = value`, in any order; lists that
/// are empty and numbers that are zero are left out.
struct Field {
  llvm::StringRef name;
  llvm::SmallVector<int64_t> *list = nullptr;
  int64_t *number = nullptr;
};
/// Parses up to and including the closing `>`.
mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<Field> fields);
void printFields(
    mlir::AsmPrinter &printer,
    llvm::ArrayRef<std::pair<llvm::StringRef, llvm::ArrayRef<int64_t>>> lists,
    llvm::StringRef numberName = {}, int64_t number = 0);

namespace assembly {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

mlir::ParseResult parseOneTypeImpl(mlir::OpAsmParser &parser,
                                   llvm::ArrayRef<mlir::Type *> operands,
                                   mlir::Type &result);
void printOneTypeImpl(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      llvm::ArrayRef<mlir::Type> operands, mlir::Type result);

/// `type` when all operands and the result have it, else a function type. The
/// last of the types is the result's.
template <typename... Types>
mlir::ParseResult parseOneType(mlir::OpAsmParser &parser, Types &...types) {
  mlir::Type *all[] = {&types...};
  llvm::ArrayRef<mlir::Type *> list(all);
  return parseOneTypeImpl(parser, list.drop_back(), *list.back());
}
template <typename... Types>
void printOneType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  Types... types) {
  mlir::Type all[] = {types...};
  llvm::ArrayRef<mlir::Type> list(all);
  printOneTypeImpl(printer, op, list.drop_back(), list.back());
}

mlir::ParseResult parseVariadicOneType(
    mlir::OpAsmParser &parser,
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
    llvm::SmallVectorImpl<mlir::Type> &types, mlir::Type &result);
void printVariadicOneType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::OperandRange operands, mlir::TypeRange types,
                          mlir::Type result);

/// The types of the operands, which are those of the results.
mlir::ParseResult
parsePairwiseTypes(mlir::OpAsmParser &parser,
                   llvm::SmallVectorImpl<mlir::Type> &operands,
                   llvm::SmallVectorImpl<mlir::Type> &results);
void printPairwiseTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::TypeRange operands, mlir::TypeRange results);

/// A tuple type, whose members are the operands' types.
mlir::ParseResult parseTupleTypes(mlir::OpAsmParser &parser,
                                  llvm::SmallVectorImpl<mlir::Type> &operands,
                                  mlir::Type &result);
void printTupleTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::TypeRange operands, mlir::Type result);

/// The result's type, when the operands' follows from it.
mlir::ParseResult parseComplexType(mlir::OpAsmParser &parser, mlir::Type &lhs,
                                   mlir::Type &rhs, mlir::Type &result);
void printComplexType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::Type lhs, mlir::Type rhs, mlir::Type result);

/// The predicate's type and the result's, when both choices have the latter.
mlir::ParseResult parseSelectType(mlir::OpAsmParser &parser, mlir::Type &pred,
                                  mlir::Type &onTrue, mlir::Type &onFalse,
                                  mlir::Type &result);
void printSelectType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::Type pred, mlir::Type onTrue, mlir::Type onFalse,
                     mlir::Type result);

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

/// Operands, each followed by a comma; a keyword comes next.
mlir::ParseResult parseOperandsThenAttribute(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printOperandsThenAttribute(mlir::OpAsmPrinter &printer,
                                mlir::Operation *op,
                                mlir::OperandRange operands);

/// `[1:3, 4:8:2]`: start, limit and, unless 1, stride.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &starts,
                                   mlir::DenseI64ArrayAttr &limits,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      llvm::ArrayRef<int64_t> starts,
                      llvm::ArrayRef<int64_t> limits,
                      llvm::ArrayRef<int64_t> strides);

/// `e5m10`.
mlir::ParseResult parseFloatFormat(mlir::OpAsmParser &parser,
                                   mlir::IntegerAttr &exponent,
                                   mlir::IntegerAttr &mantissa);
void printFloatFormat(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);

/// `@name` or `@"not an identifier"`.
mlir::ParseResult parseCallTarget(mlir::OpAsmParser &parser,
                                  mlir::StringAttr &target);
void printCallTarget(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::StringAttr target);

} // namespace assembly
} // namespace partita::io

#endif // PARTITA_IR_IO_ASSEMBLY_H
