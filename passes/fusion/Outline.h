//===- Outline.h - Clusters to kernels and launches -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_FUSION_OUTLINE_H
#define PARTITA_PASSES_FUSION_OUTLINE_H

#include "ir/plan/Plan.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/fusion/Clusters.h"
#include "llvm/ADT/StringMap.h"

namespace partita {

/// Makes kernels, one for each structure, in front of the functions of a
/// module.
class Outliner {
public:
  explicit Outliner(mlir::ModuleOp module);

  /// Replaces the clusters of `block` by launches, in an order in which each
  /// comes after what it reads.
  void outline(mlir::Block &block);

private:
  void launch(const Clustering &clustering, Cluster &cluster,
              mlir::OpBuilder &builder);
  plan::KernelOp makeKernel(llvm::ArrayRef<mlir::Operation *> ops,
                            llvm::ArrayRef<mlir::Value> inputs,
                            llvm::ArrayRef<mlir::Value> outputs);
  std::string makeName(llvm::ArrayRef<mlir::Operation *> ops);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  /// Kernels by the text of their types and bodies.
  llvm::StringMap<plan::KernelOp> known;
  plan::KernelOp last;
  /// What launches compute of the values of the present block.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> replacements;
};

/// Which arguments of a kernel may share their memory with which results.
llvm::SmallVector<std::pair<int64_t, int64_t>>
findInplacePairs(plan::KernelOp kernel);

} // namespace partita

#endif // PARTITA_PASSES_FUSION_OUTLINE_H
