//===- Import.cpp - From the text dialects to core ------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"

#include "ir/attrs/Places.h"
#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Types.h"
#include "ir/io/Passes.h"
#include "ir/io/check/Check.h"
#include "ir/io/import/ImportSharding.h"
#include "ir/io/sdy/Sdy.h"
#include "ir/io/stablehlo/Ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// Importer
//===----------------------------------------------------------------------===//

Importer::Importer(ModuleOp theModule) : module(theModule) {
  addPointwiseImports(table);
  addShapeImports(table);
  addIndexingImports(table);
  addReductionImports(table);
  addControlImports(table);
  addCollectiveImports(table);
  addWindowImports(table);
  addOrderImports(table);
  addTransformImports(table);
  addChloImports(table);
  addGammaImports(table);
  addRandomImports(table);
  addShardyImports(table);
  addTokenImports(table);
}

LogicalResult Importer::reportUnsupported(Operation *op, const Twine &what) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << op->getName() << "'" << what;
  auto key = StringAttr::get(op->getContext(), text);
  failed = true;
  auto [found, isNew] = unsupported.insert({key, {op->getLoc(), 0}});
  if (isNew)
    op->emitError() << text << " has no core form yet";
  else
    ++found->second.second;
  return failure();
}

/// Says how often an op was met that was reported once.
void Importer::reportRest() {
  for (auto &[text, where] : unsupported)
    if (where.second > 0)
      emitRemark(where.first)
          << text.getValue() << " occurs " << where.second << " more times";
}

/// More elements than memory holds; sizes in bytes stay within 64 bits.
static constexpr int64_t kMaxElements = int64_t(1) << 48;

/// Whether core has values of that type; `why` says why not.
static bool isSupported(Type type, StringRef &why) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    why = "which core has no values of: only tensors can be compiled yet";
    return false;
  }
  if (!tensor.hasStaticShape()) {
    why = "whose shape is dynamic: export the program with fixed sizes";
    return false;
  }
  if (isa<quant::QuantizedType>(tensor.getElementType())) {
    why = "which is quantized: quantized types cannot be compiled yet";
    return false;
  }
  int64_t elements = 1;
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(elements, size, elements) ||
        elements > kMaxElements) {
      why = "which no machine can hold: use smaller sizes";
      return false;
    }
  if (!toDType(tensor.getElementType())) {
    why = "whose elements core cannot compute with: use integers of up to 64 "
          "bits, floats of up to 64 bits, or complex numbers of such floats";
    return false;
  }
  return true;
}

LogicalResult Importer::checkTypes(Operation *op) {
  StringRef why;
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    // Tuples go away with the ops that make and take them.
    if (isa<TupleType>(type) || isSupported(type, why))
      continue;
    failed = true;
    return op->emitError() << "'" << op->getName() << "' has a value of type "
                           << type << ", " << why;
  }
  return success();
}

/// Whether an op suits the types that it was made with; says nothing.
static bool isValid(Operation *op) {
  ScopedDiagnosticHandler silence(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  return succeeded(verify(op));
}

/// " of complex<f32>", as the first operand's elements are.
static std::string getTypesText(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text)
      << " of " << getElementTypeOrSelf(op->getOperand(0).getType());
  return text;
}

void Importer::importOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  bool isText =
      llvm::is_contained({"stablehlo", "chlo", "sdy", "check"}, dialect);
  // Returns of sdy go with their op, and tuples when nothing uses them.
  if ((!isText && dialect != "func") ||
      isa<sdy::ReturnOp, stablehlo::TupleOp>(op)) {
    for (Region &region : op->getRegions())
      importRegion(region);
    return;
  }
  ImportBuilder builder(op);
  SmallVector<ShardingAttr> shardings = importShardings(module, op);
  if (dialect == "func") {
    removeForeignAttributes(op);
    builder.setInsertionPointAfter(op);
    for (auto [result, constrained] :
         llvm::zip_equal(op->getResults(),
                         constrainValues(builder, op->getResults(), shardings)))
      if (result != constrained)
        result.replaceAllUsesExcept(constrained, constrained.getDefiningOp());
    return;
  }
  if (mlir::failed(checkTypes(op)))
    return;

  Imported values = mlir::failure();
  StringRef name = op->getName().getStringRef();
  if (auto renamed = table.renamed.find(name); renamed != table.renamed.end()) {
    StringRef target = renamed->second;
    if (!RegisteredOperationName::lookup(target, op->getContext())) {
      (void)reportUnsupported(op);
      return;
    }
    target.consume_front("core.");
    Value made =
        builder.make(target, op->getResult(0).getType(), op->getOperands());
    if (!isValid(made.getDefiningOp())) {
      made.getDefiningOp()->erase();
      (void)reportUnsupported(op, getTypesText(op));
      return;
    }
    values = SmallVector<Value>{made};
  } else if (auto function = table.functions.lookup(name)) {
    values = function(*this, op, builder);
  } else {
    (void)reportUnsupported(op);
  }
  if (mlir::failed(values)) {
    failed = true;
    return;
  }
  op->replaceAllUsesWith(constrainValues(builder, *values, shardings));
  op->erase();
}

void Importer::importRegion(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      importOp(&op);
}

/// Reports ops that the import did not come to, in functions and beside them,
/// and types of core's own ops.
void Importer::checkRest() {
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (op == module)
      return;
    if (!llvm::is_contained({"core", "comm", "plan", "func", "check"},
                            dialect) &&
        !isa<interpreter::PrintOp>(op))
      (void)reportUnsupported(op);
    else
      (void)checkTypes(op);
  });
}

void Importer::importSignature(Operation *op) {
  auto func = cast<func::FuncOp>(op);
  importFunctionAttributes(func);
  if (!func.isExternal() && !func.getBody().hasOneBlock()) {
    failed = true;
    func.emitError() << "@" << func.getName()
                     << " has several blocks: use stablehlo.while and "
                        "stablehlo.if for control flow";
  }
  StringRef why;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (!isSupported(type, why)) {
      failed = true;
      Location argument =
          func.isExternal() ? func.getLoc() : func.getArgument(i).getLoc();
      emitError(getPlace(argument).file.empty() ? func.getLoc() : argument)
          << "argument " << i << " of @" << func.getName() << " has type "
          << type << ", " << why;
    }
}

void Importer::importModuleAttributes() {
  Builder builder(module.getContext());
  if (auto count = getNumber(module->getAttr("mhlo.num_partitions")))
    module->setAttr("core.num_partitions", builder.getI64IntegerAttr(*count));
  if (auto replicas = getNumber(module->getAttr("mhlo.num_replicas"));
      replicas.value_or(0) > 1) {
    failed = true;
    module->emitError() << "the module has mhlo.num_replicas = " << *replicas
                        << "; shard it over a mesh instead of replicas";
  }
  removeForeignAttributes(module);
}

LogicalResult Importer::run() {
  importModuleAttributes();
  importMeshes(module);
  replaceTokens(module);
  if (mlir::failed(expandParallel(*this)))
    return failure();
  for (auto func : module.getOps<func::FuncOp>())
    importSignature(func);
  for (auto func : module.getOps<func::FuncOp>())
    importRegion(func.getBody());
  module.walk([&](stablehlo::TupleOp tuple) {
    if (tuple.use_empty())
      tuple.erase();
    else
      (void)reportUnsupported(tuple, " that is not taken apart");
  });
  if (!failed)
    checkRest();
  if (failed) {
    reportRest();
    return failure();
  }
  return success();
}

} // namespace partita::io

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace partita {

#define GEN_PASS_DEF_IMPORTPASS
#include "ir/io/Passes.h.inc"

namespace {
class Import : public impl::ImportPassBase<Import> {
public:
  using ImportPassBase::ImportPassBase;
  void runOnOperation() override {
    if (failed(io::Importer(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace partita
