//===- Exporter.h - From core to StableHLO ----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Export walks the ops of a function in order and replaces each, as import
// does. A program on global shapes keeps its mesh and shardings as Shardy's. A
// localised one becomes, inside of @main, an sdy.manual_computation over all
// axes of the mesh, whose body is the program of one device with explicit
// collectives: arguments and results of @main are whole arrays in both.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_EXPORT_EXPORTER_H
#define PARTITA_IR_IO_EXPORT_EXPORTER_H

#include "ir/core/Core.h"
#include "ir/io/sdy/Sdy.h"
#include "ir/io/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace partita::io {

/// Makes ops of the text dialects at one op's place and location.
class ExportBuilder : public mlir::ImplicitLocOpBuilder {
public:
  explicit ExportBuilder(mlir::Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op) {}

  /// An op by its full name, with empty regions.
  mlir::Operation *makeOp(llvm::StringRef name, mlir::TypeRange types,
                          mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                          unsigned numRegions = 0);
  /// The result of an op that has one.
  mlir::Value make(llvm::StringRef name, mlir::Type type,
                   mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return makeOp(name, type, operands, attributes)->getResult(0);
  }
  mlir::Value constant(mlir::ElementsAttr value);
  /// The scalar that a reduction of that kind starts from.
  mlir::Value identity(mlir::Type elementType, ReductionKind kind);
  /// Fills a region with `(a, b) -> a op b` on scalars.
  void makeReducer(mlir::Region &region, mlir::Type elementType,
                   ReductionKind kind);
  /// Fills a region with `(a, b) -> b`.
  void makeReplacer(mlir::Region &region, mlir::Type elementType);

  mlir::NamedAttribute dims(llvm::StringRef name,
                            llvm::ArrayRef<int64_t> values) {
    return getNamedAttr(name, getDenseI64ArrayAttr(values));
  }
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value) {
    return getNamedAttr(name, getI64IntegerAttr(value));
  }

private:
  mlir::Block *makeScalarBlock(mlir::Region &region, mlir::Type elementType);
};

using Exported = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;
class Exporter;
using ExportFunction = Exported (*)(Exporter &exporter, mlir::Operation *op,
                                    ExportBuilder &builder);

struct ExportTable {
  llvm::StringMap<ExportFunction> functions;
  llvm::StringMap<llvm::StringRef> renamed;
};

void addOpExports(ExportTable &table);
void addControlExports(ExportTable &table);
void addCollectiveExports(ExportTable &table);

sdy::MeshAttr exportMesh(core::MeshAttr mesh);
sdy::ShardingAttr exportSharding(ShardingAttr sharding);

class Exporter {
public:
  explicit Exporter(mlir::ModuleOp module);

  /// Exports the module; failure after diagnostics.
  llvm::LogicalResult run();
  void exportRegion(mlir::Region &region);
  /// Collectives that run at once have channels of their own.
  int64_t getNextChannel() { return ++lastChannel; }

private:
  void exportOp(mlir::Operation *op);
  void exportModule();
  void exportFunction(mlir::func::FuncOp func);
  bool isLocal();
  llvm::LogicalResult checkParts();
  llvm::LogicalResult wrapMain();

  mlir::ModuleOp module;
  ExportTable table;
  int64_t lastChannel = 0;
  bool failed = false;
};

} // namespace partita::io

#endif // PARTITA_IR_IO_EXPORT_EXPORTER_H
