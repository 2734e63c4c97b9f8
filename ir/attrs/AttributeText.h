//===- AttributeText.h - The text of meshes and shardings -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of meshes and shardings is Shardy's. These functions read and write
// its parts, for the core dialect and for the sdy dialect alike, without
// saying which attribute classes hold them.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_ATTRS_ATTRIBUTETEXT_H
#define PARTITA_IR_ATTRS_ATTRIBUTETEXT_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <string>

namespace partita {

/// "x", or "x":(2)4. `size` is 0 for a whole axis.
struct AxisText {
  std::string name;
  int64_t pre = 1;
  int64_t size = 0;
};

/// {"x", "y":(1)2, ?}p1
struct DimText {
  llvm::SmallVector<AxisText> axes;
  bool isOpen = false;
  int64_t priority = 0;
};

/// <@mesh, [{"x"}, {?}], replicated={"y"}, unreduced=max{"z"}>
struct ShardingText {
  std::string mesh;
  llvm::SmallVector<DimText> dims;
  llvm::SmallVector<AxisText> replicated;
  llvm::SmallVector<AxisText> unreduced;
  std::string unreducedKind; ///< "" for the default, sum.
};

/// Each parses what its struct shows, including the brackets.
mlir::ParseResult parseAxis(mlir::AsmParser &parser, AxisText &axis);
mlir::ParseResult parseAxes(mlir::AsmParser &parser,
                            llvm::SmallVectorImpl<AxisText> &axes);
mlir::ParseResult parseDim(mlir::AsmParser &parser, DimText &dim);
mlir::ParseResult parseSharding(mlir::AsmParser &parser, ShardingText &text);

void printAxis(mlir::AsmPrinter &printer, const AxisText &axis);
void printAxes(mlir::AsmPrinter &printer, llvm::ArrayRef<AxisText> axes);
void printDim(mlir::AsmPrinter &printer, const DimText &dim);
void printSharding(mlir::AsmPrinter &printer, const ShardingText &text);

/// Between the text and an attribute class of an axis, of which there are two:
/// the core dialect's and sdy's.
template <typename AxisAttr>
AxisAttr fromText(mlir::MLIRContext *context, const AxisText &text) {
  return AxisAttr::get(context, text.name, text.pre, text.size);
}

template <typename AxisAttr>
llvm::SmallVector<AxisAttr> fromText(mlir::MLIRContext *context,
                                     llvm::ArrayRef<AxisText> texts) {
  return llvm::map_to_vector(texts, [&](const AxisText &text) {
    return fromText<AxisAttr>(context, text);
  });
}

template <typename AxisAttr> AxisText toText(AxisAttr axis) {
  return {axis.getName().str(), axis.getPre(), axis.getSize()};
}

template <typename AxisAttr>
llvm::SmallVector<AxisText> toText(llvm::ArrayRef<AxisAttr> axes) {
  return llvm::map_to_vector(axes, [](AxisAttr axis) { return toText(axis); });
}

} // namespace partita

#endif // PARTITA_IR_ATTRS_ATTRIBUTETEXT_H
