//===- Types.h - Type predicates and traits of the text dialects ----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The predicates and traits that ir/io/Base.td names, and helpers for the
// structural verifiers of the text dialects.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_TYPES_H
#define PARTITA_IR_IO_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace partita::io {

/// Whether `type` can be an element of a StableHLO tensor: i1, signless and
/// unsigned integers of 2 … 64 bits, index, floats, complex, quantized.
bool isElementType(mlir::Type type);

bool isTensor(mlir::Type type);
bool isIntTensor(mlir::Type type);
bool isPredTensor(mlir::Type type);
bool isBitsTensor(mlir::Type type);
bool isFloatTensor(mlir::Type type);
bool isComplexTensor(mlir::Type type);
bool isFloatOrComplexTensor(mlir::Type type);
bool isQuantizedTensor(mlir::Type type);
bool isDimsTensor(mlir::Type type);
bool isScalar(mlir::Type type);
bool isScalarInt(mlir::Type type);
bool isTuple(mlir::Type type);
/// Tensors, tokens and futures (types of the stablehlo dialect), tuples of
/// such, and buffers.
bool isValue(mlir::Type type);

/// The type that stands for a quantized element type; others as they are.
mlir::Type getExpressedType(mlir::Type elementType);
/// Same rank, and the same size wherever both are static.
bool areShapesCompatible(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);
/// Compatible shapes and the same expressed element type; other types equal.
bool areTypesCompatible(mlir::Type a, mlir::Type b);

//===----------------------------------------------------------------------===//
// Helpers of verifiers. Each emits an error at `op` when it fails.
//===----------------------------------------------------------------------===//

/// `dims` are distinct and within [0, rank). `what` names them.
llvm::LogicalResult verifyDims(mlir::Operation *op, llvm::StringRef what,
                               llvm::ArrayRef<int64_t> dims, int64_t rank);
/// `count` numbers for each of `rank` dimensions.
llvm::LogicalResult verifyCount(mlir::Operation *op, llvm::StringRef what,
                                int64_t count, int64_t rank);
/// The result's shape is compatible with `expected`.
llvm::LogicalResult verifyResultShape(mlir::Operation *op,
                                      llvm::ArrayRef<int64_t> expected,
                                      unsigned result = 0);
/// The region has one block with `numArguments` arguments and a terminator
/// with `numResults` operands.
llvm::LogicalResult verifyRegion(mlir::Operation *op, llvm::StringRef what,
                                 mlir::Region &region, unsigned numArguments,
                                 unsigned numResults);

llvm::LogicalResult verifySameType(mlir::Operation *op);
llvm::LogicalResult verifySameShape(mlir::Operation *op);
llvm::LogicalResult verifySameElement(mlir::Operation *op);
llvm::LogicalResult verifyPairwise(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

template <typename OpType>
struct SameType : mlir::OpTrait::TraitBase<OpType, SameType> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifySameType(op);
  }
};
template <typename OpType>
struct SameShape : mlir::OpTrait::TraitBase<OpType, SameShape> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifySameShape(op);
  }
};
template <typename OpType>
struct SameElement : mlir::OpTrait::TraitBase<OpType, SameElement> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifySameElement(op);
  }
};
template <typename OpType>
struct Pairwise : mlir::OpTrait::TraitBase<OpType, Pairwise> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyPairwise(op);
  }
};

} // namespace partita::io

#endif // PARTITA_IR_IO_TYPES_H
