//===- Assembly.h - StableHLO's own assembly directives ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_ASSEMBLY_H
#define PARTITA_IR_IO_STABLEHLO_ASSEMBLY_H

#include "ir/io/Assembly.h"
#include "ir/io/stablehlo/Dialect.h"

namespace partita::stablehlo {
using namespace ::partita::io::assembly;

/// `, precision = [DEFAULT, HIGH]`, or nothing.
mlir::ParseResult parsePrecisionConfig(mlir::OpAsmParser &parser,
                                       mlir::ArrayAttr &precision);
void printPrecisionConfig(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::ArrayAttr precision);

/// `, precision = […], algorithm = <…>`; each may be missing.
mlir::ParseResult parsePrecisionAndAlgorithm(mlir::OpAsmParser &parser,
                                             mlir::ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm);
void printPrecisionAndAlgorithm(mlir::OpAsmPrinter &printer,
                                mlir::Operation *op, mlir::ArrayAttr precision,
                                DotAlgorithmAttr algorithm);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
mlir::ParseResult parseDotDims(mlir::OpAsmParser &parser,
                               DotDimensionNumbersAttr &dims);
void printDotDims(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  DotDimensionNumbersAttr dims);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
mlir::ParseResult parseConvDims(mlir::AsmParser &parser,
                                ConvDimensionNumbersAttr &dims);
void printConvDims(mlir::AsmPrinter &printer, mlir::Operation *op,
                   ConvDimensionNumbersAttr dims);

/// `stride = […], pad = [[…]], lhs_dilate = […], rhs_dilate = […], reverse =
/// […]`; each may be missing.
mlir::ParseResult parseWindow(mlir::OpAsmParser &parser,
                              mlir::DenseI64ArrayAttr &strides,
                              mlir::DenseIntElementsAttr &padding,
                              mlir::DenseI64ArrayAttr &lhsDilation,
                              mlir::DenseI64ArrayAttr &rhsDilation,
                              mlir::DenseBoolArrayAttr &reversal);
void printWindow(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 mlir::DenseI64ArrayAttr strides,
                 mlir::DenseIntElementsAttr padding,
                 mlir::DenseI64ArrayAttr lhsDilation,
                 mlir::DenseI64ArrayAttr rhsDilation,
                 mlir::DenseBoolArrayAttr reversal);

} // namespace partita::stablehlo

#endif // PARTITA_IR_IO_STABLEHLO_ASSEMBLY_H
