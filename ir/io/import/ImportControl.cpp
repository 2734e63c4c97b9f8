//===- ImportControl.cpp - Import of control flow, calls, checks ----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/check/Check.h"
#include "ir/io/import/ImportSharding.h"
#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Ends a region of core.while or core.if.
static Imported importReturn(Importer &, Operation *op,
                             ImportBuilder &builder) {
  core::YieldOp::create(builder, op->getOperands());
  return SmallVector<Value>{};
}

static Imported importWhile(Importer &importer, Operation *op,
                            ImportBuilder &builder) {
  auto loop =
      core::WhileOp::create(builder, op->getResultTypes(), op->getOperands());
  loop.getCond().takeBody(op->getRegion(0));
  loop.getBody().takeBody(op->getRegion(1));
  importer.importRegion(loop.getCond());
  importer.importRegion(loop.getBody());
  return SmallVector<Value>(loop.getResults());
}

static core::IfOp makeIf(ImportBuilder &builder, Operation *op, Value pred) {
  return core::IfOp::create(builder, op->getResultTypes(), pred);
}

static Imported importIf(Importer &importer, Operation *op,
                         ImportBuilder &builder) {
  core::IfOp branch = makeIf(builder, op, op->getOperand(0));
  branch.getThenRegion().takeBody(op->getRegion(0));
  branch.getElseRegion().takeBody(op->getRegion(1));
  importer.importRegion(branch.getThenRegion());
  importer.importRegion(branch.getElseRegion());
  return SmallVector<Value>(branch.getResults());
}

/// A chain of core.if. An index outside of the branches takes the last one.
static Imported importCase(Importer &importer, Operation *op,
                           ImportBuilder &builder) {
  Value index = op->getOperand(0);
  unsigned last = op->getNumRegions() - 1;
  if (last == 0) {
    // One branch: it is always taken.
    Region &only = op->getRegion(0);
    importer.importRegion(only);
    Operation *yield = &only.front().back();
    SmallVector<Value> results(yield->getOperands());
    yield->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           only.front().getOperations());
    return results;
  }
  SmallVector<Value> results;
  for (unsigned i = 0; i < last; ++i) {
    Value number = builder.splat(index.getType(), i);
    Value pred = builder.compare(Comparison::Eq, index, number);
    core::IfOp branch = makeIf(builder, op, pred);
    branch.getThenRegion().takeBody(op->getRegion(i));
    importer.importRegion(branch.getThenRegion());
    if (i == 0)
      results.assign(branch.result_begin(), branch.result_end());
    else
      core::YieldOp::create(builder, branch.getResults());
    if (i + 1 == last) {
      branch.getElseRegion().takeBody(op->getRegion(last));
      importer.importRegion(branch.getElseRegion());
      break;
    }
    builder.setInsertionPointToStart(&branch.getElseRegion().emplaceBlock());
  }
  builder.setInsertionPoint(op);
  return results;
}

static Imported importBarrier(Importer &, Operation *op,
                              ImportBuilder &builder) {
  auto barrier =
      core::BarrierOp::create(builder, op->getResultTypes(), op->getOperands());
  return SmallVector<Value>(barrier.getResults());
}

//===----------------------------------------------------------------------===//
// Calls and tuples
//===----------------------------------------------------------------------===//

/// `composite`: a call of its decomposition.
static Imported importComposite(Importer &importer, Operation *op,
                                ImportBuilder &builder) {
  auto composite = cast<stablehlo::CompositeOp>(op);
  auto callee = importer.getModule().lookupSymbol<func::FuncOp>(
      composite.getDecomposition());
  if (!callee || callee.getArgumentTypes() != op->getOperandTypes() ||
      callee.getResultTypes() != op->getResultTypes())
    return op->emitError() << "'stablehlo.composite' \"" << composite.getName()
                           << "\" has no decomposition @"
                           << composite.getDecomposition() << " of its type";
  auto call = func::CallOp::create(builder, callee, op->getOperands());
  return SmallVector<Value>(call.getResults());
}

/// Forwards the member when the tuple is made in the same function.
static Imported importGetTupleElement(Importer &importer, Operation *op,
                                      ImportBuilder &) {
  auto get = cast<stablehlo::GetTupleElementOp>(op);
  auto tuple = get.getOperand().getDefiningOp<stablehlo::TupleOp>();
  if (!tuple)
    return importer.reportUnsupported(op, " of a tuple from elsewhere");
  return SmallVector<Value>{tuple.getVal()[get.getIndex()]};
}

//===----------------------------------------------------------------------===//
// Checks of test programs
//===----------------------------------------------------------------------===//

template <typename CheckOp>
static void makeCheck(ImportBuilder &builder, Value actual, Value expected,
                      ArrayRef<NamedAttribute> attributes = {}) {
  CheckOp::create(builder, TypeRange(), ValueRange{actual, expected},
                  attributes);
}

/// `custom_call @check.expect_close(%actual, %expected)` and its kin.
static Imported importCheckCall(Importer &importer,
                                stablehlo::CustomCallOp call,
                                ImportBuilder &builder) {
  StringRef name = call.getCallTargetName();
  if (call.getInputs().size() != 2 || call->getNumResults() != 0)
    return importer.reportUnsupported(call, " @" + name + " of that type");
  Value actual = call.getInputs()[0], expected = call.getInputs()[1];
  if (name == "check.expect_close")
    makeCheck<check::ExpectCloseOp>(
        builder, actual, expected,
        builder.getNamedAttr(
            "max_ulp_difference",
            builder.getIntegerAttr(IntegerType::get(builder.getContext(), 64,
                                                    IntegerType::Unsigned),
                                   3)));
  else if (name == "check.expect_almost_eq")
    makeCheck<check::ExpectAlmostEqOp>(
        builder, actual, expected,
        builder.getNamedAttr("tolerance", builder.getF64FloatAttr(1e-3)));
  else
    makeCheck<check::ExpectEqOp>(builder, actual, expected);
  return SmallVector<Value>{};
}

/// `annotate_device_placement`: in which memory a value lies. There is one.
static Imported importPlacement(stablehlo::CustomCallOp call) {
  auto attributes =
      call->getAttrOfType<DictionaryAttr>("mhlo.frontend_attributes");
  auto place = attributes
                   ? attributes.getAs<StringAttr>("_xla_buffer_placement")
                   : StringAttr();
  if (place && place != "device")
    call->emitWarning() << "the value is not moved to '" << place.getValue()
                        << "': devices have one memory each";
  return SmallVector<Value>(call.getInputs());
}

static Imported importCustomCall(Importer &importer, Operation *op,
                                 ImportBuilder &builder) {
  auto call = cast<stablehlo::CustomCallOp>(op);
  StringRef name = call.getCallTargetName();
  if (name == "check.expect_close" || name == "check.expect_eq" ||
      name == "check.expect_almost_eq" || name == "check.eq")
    return importCheckCall(importer, call, builder);
  if (name == "annotate_device_placement" &&
      call.getInputs().getTypes() == op->getResultTypes())
    return importPlacement(call);
  // Its mhlo.sharding becomes a constraint, as on any op.
  if (name == "Sharding" && call.getInputs().getTypes() == op->getResultTypes())
    return SmallVector<Value>(call.getInputs());
  return importer.reportUnsupported(op, " @" + name);
}

/// `expect_eq_const %x, dense<…>`: an expect_eq with a constant.
static Imported importConstCheck(Importer &, Operation *op,
                                 ImportBuilder &builder) {
  Value actual = op->getOperand(0);
  Value expected =
      builder.make("constant", actual.getType(), {},
                   builder.getNamedAttr("value", op->getAttr("value")));
  if (auto check = dyn_cast<check::ExpectAlmostEqConstOp>(op))
    makeCheck<check::ExpectAlmostEqOp>(
        builder, actual, expected,
        builder.getNamedAttr(
            "tolerance",
            builder.getF64FloatAttr(check.getTolerance().convertToDouble())));
  else
    makeCheck<check::ExpectEqOp>(builder, actual, expected);
  return SmallVector<Value>{};
}

/// Checks with operands only stay as they are: their copy takes their place.
static Imported keepCheck(Importer &, Operation *op, ImportBuilder &builder) {
  removeForeignAttributes(builder.clone(*op));
  return SmallVector<Value>{};
}

void addControlImports(ImportTable &table) {
  table.functions["stablehlo.return"] = importReturn;
  table.functions["stablehlo.while"] = importWhile;
  table.functions["stablehlo.if"] = importIf;
  table.functions["stablehlo.case"] = importCase;
  table.functions["stablehlo.optimization_barrier"] = importBarrier;
  table.functions["stablehlo.composite"] = importComposite;
  table.functions["stablehlo.get_tuple_element"] = importGetTupleElement;
  table.functions["stablehlo.custom_call"] = importCustomCall;
  table.functions["check.expect_eq_const"] = importConstCheck;
  table.functions["check.expect_almost_eq_const"] = importConstCheck;
  table.functions["check.expect_eq"] = keepCheck;
  table.functions["check.expect_almost_eq"] = keepCheck;
  table.functions["check.expect_close"] = keepCheck;
}

} // namespace partita::io
