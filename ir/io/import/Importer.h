//===- Importer.h - From the text dialects to core --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Import walks the ops of a function in order and replaces each. What to do
// with an op is looked up by its name in a table; files of this folder each add
// the entries of one group of ops.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_IMPORT_IMPORTER_H
#define PARTITA_IR_IO_IMPORT_IMPORTER_H

#include "ir/core/Core.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace partita::io {

/// Makes core ops at one op's place and location.
class ImportBuilder : public mlir::ImplicitLocOpBuilder {
public:
  explicit ImportBuilder(mlir::Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op) {}

  /// `core.<name>` with one result.
  mlir::Value make(llvm::StringRef name, mlir::Type type,
                   mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// An op whose result has the type of its first operand.
  mlir::Value make(llvm::StringRef name, mlir::ValueRange operands) {
    return make(name, operands[0].getType(), operands);
  }

  mlir::Value compare(Comparison direction, mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value pred, mlir::Value onTrue,
                     mlir::Value onFalse) {
    return make("select", onTrue.getType(), {pred, onTrue, onFalse});
  }
  mlir::Value convert(mlir::Value value, mlir::Type elementType);
  /// A constant of that type, every element of which is `value`. Complex
  /// constants have an imaginary part of 0.
  mlir::Value splat(mlir::Type type, double value);
  /// `dims[i]` is the result dimension of dimension i; the value itself when
  /// it has that type already.
  mlir::Value broadcast(mlir::Value value, mlir::Type type,
                        llvm::ArrayRef<int64_t> dims);
  /// A scalar repeated to the shape of `type`; others as they are.
  mlir::Value broadcastScalar(mlir::Value value, mlir::Type type);

  mlir::Value constant(mlir::DenseElementsAttr value);
  mlir::Value iota(mlir::Type type, int64_t dim);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  /// Elements start, start + stride, … below limit along one dimension.
  mlir::Value slice(mlir::Value value, int64_t dim, int64_t start,
                    int64_t limit, int64_t stride = 1);
  mlir::Value pad(mlir::Value value, mlir::Value padding,
                  llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                  llvm::ArrayRef<int64_t> interior);
  mlir::Value concatenate(mlir::ValueRange values, int64_t dim);
  /// Rows of dimension 0 at the places in `rows`, [n] of integers.
  mlir::Value take(mlir::Value value, mlir::Value rows);
  /// `size` elements along `dim` from the scalar `start` on.
  mlir::Value sliceAt(mlir::Value value, int64_t dim, mlir::Value start,
                      int64_t size);
  /// The same values, each computed before what uses it.
  llvm::SmallVector<mlir::Value> barrier(mlir::ValueRange values);
  mlir::Value reduce(ReductionKind kind, mlir::Value value,
                     llvm::ArrayRef<int64_t> dims);
  /// The batch dimensions, then the free ones of either side.
  mlir::Value dot(mlir::Value lhs, mlir::Value rhs,
                  llvm::ArrayRef<int64_t> lhsBatch,
                  llvm::ArrayRef<int64_t> rhsBatch,
                  llvm::ArrayRef<int64_t> lhsContract,
                  llvm::ArrayRef<int64_t> rhsContract);

  mlir::NamedAttribute dims(llvm::StringRef name,
                            llvm::ArrayRef<int64_t> values) {
    return getNamedAttr(name, getDenseI64ArrayAttr(values));
  }
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value) {
    return getNamedAttr(name, getI64IntegerAttr(value));
  }
};

/// The values that take the place of an op's results; failure when a
/// diagnostic has been emitted.
using Imported = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;

class Importer;
using ImportFunction = Imported (*)(Importer &importer, mlir::Operation *op,
                                    ImportBuilder &builder);

/// What becomes of each op, by its full name.
struct ImportTable {
  llvm::StringMap<ImportFunction> functions;
  /// Ops that only change their name: "stablehlo.add" to "core.add".
  llvm::StringMap<llvm::StringRef> renamed;
};

void addPointwiseImports(ImportTable &table);
void addShapeImports(ImportTable &table);
void addIndexingImports(ImportTable &table);
void addReductionImports(ImportTable &table);
void addControlImports(ImportTable &table);
void addCollectiveImports(ImportTable &table);
void addWindowImports(ImportTable &table);
void addOrderImports(ImportTable &table);
void addTransformImports(ImportTable &table);
void addChloImports(ImportTable &table);
void addGammaImports(ImportTable &table);
void addRandomImports(ImportTable &table);
void addShardyImports(ImportTable &table);
void addTokenImports(ImportTable &table);

/// The devices of `interpreter.run_parallel`: partition p of replica r is
/// device r * partitions + p.
struct ProcessGrid {
  int64_t replicas = 1;
  int64_t partitions = 1;
  friend bool operator==(const ProcessGrid &, const ProcessGrid &) = default;
};

class Importer {
public:
  explicit Importer(mlir::ModuleOp module);

  /// Imports the module. Failure after all ops that have no core form were
  /// reported.
  llvm::LogicalResult run();
  /// Imports one op that an import function has made.
  void importOp(mlir::Operation *op);
  /// Imports the ops of a region that an import function has moved into a core
  /// op. Diagnostics are counted; the region is consistent either way.
  void importRegion(mlir::Region &region);

  mlir::ModuleOp getModule() { return module; }
  /// How the mesh's devices are numbered where they run programs of a test.
  std::optional<ProcessGrid> getGrid() const { return grid; }
  void setGrid(ProcessGrid theGrid) { grid = theGrid; }
  /// Emits that an op has no core form. `what` says which, where the op's name
  /// does not. Returns failure.
  llvm::LogicalResult reportUnsupported(mlir::Operation *op,
                                        const llvm::Twine &what = "");

private:
  llvm::LogicalResult checkTypes(mlir::Operation *op);
  void importSignature(mlir::Operation *func);
  void importModuleAttributes();
  void checkRest();
  void reportRest();

  mlir::ModuleOp module;
  ImportTable table;
  std::optional<ProcessGrid> grid;
  bool failed = false;
  /// What has no core form, where it was met first, and how often after that.
  llvm::MapVector<mlir::StringAttr, std::pair<mlir::Location, int64_t>>
      unsupported;
};

/// The values that a region of scalar ops computes of `args`, tensors of one
/// shape, element by element; made in front of `op`, which has the region.
Imported applyRegion(Importer &importer, mlir::Operation *op,
                     ImportBuilder &builder, mlir::Region &region,
                     mlir::ValueRange args);

/// Gives every value of a token type, and @main's tokens, another type.
void replaceTokens(mlir::ModuleOp module);
/// Puts each `interpreter.run_parallel` into the form of one manual computation
/// over a mesh of its devices. Failure after diagnostics.
llvm::LogicalResult expandParallel(Importer &importer);

/// Combines two lists of tensors element by element, the first the earlier one.
using Combiner = llvm::function_ref<Imported(mlir::ValueRange first,
                                             mlir::ValueRange second)>;

/// Whether a scalar is known to leave a reduction as it is.
bool isIdentity(mlir::Value init, ReductionKind kind);
/// The elementwise op that combines two values as a reduction of that kind.
llvm::StringRef getCombiner(ReductionKind kind);

/// The reduction kind of a region `(a, b) -> a op b`; none when the region does
/// something else. Integers count bits: `add` of i1 is Or.
std::optional<ReductionKind> matchReduction(mlir::Region &region);

} // namespace partita::io

#endif // PARTITA_IR_IO_IMPORT_IMPORTER_H
