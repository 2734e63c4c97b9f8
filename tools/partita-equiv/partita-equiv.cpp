//===- partita-equiv.cpp - Checks that passes keep what a program means ---===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs @main of a module on random arguments, before and after passes, on the
// reference back-end, and compares the results. With the default passes that
// is one device against all devices of the mesh.
//
//===----------------------------------------------------------------------===//

#include "codegen/ref/Compare.h"
#include "codegen/ref/Reference.h"
#include "driver/Inputs.h"
#include "driver/Registration.h"
#include "tools/partita-equiv/EveryRule.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace partita;

namespace {
struct Options {
  llvm::cl::OptionCategory category{"Options of partita-equiv"};
  llvm::cl::opt<std::string> input{
      llvm::cl::Positional, llvm::cl::desc("<module.mlir>"),
      llvm::cl::init("-"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> passes{
      "passes", llvm::cl::desc("the pipeline whose effect is checked"),
      llvm::cl::init("partita-propagate,partita-partition,partita-collectives,"
                     "partita-localise"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> everyRule{
      "every-rule",
      llvm::cl::desc("check the sharding rule of every op on its example"),
      llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{"seed",
                               llvm::cl::desc("of the random arguments"),
                               llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<double> tolerance{
      "tolerance",
      llvm::cl::desc("largest difference of floats, relative to the largest "
                     "magnitude in the tensor"),
      llvm::cl::init(1e-5), llvm::cl::cat(category)};
};
} // namespace

static void printCollectives(const ReferenceRun &run) {
  for (const auto &[kind, count] : run.collectives)
    llvm::outs() << "  " << kind << ": " << count.count << ", "
                 << count.resultBytes << " bytes\n";
}

static LogicalResult check(ModuleOp module, const Options &options) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return module.emitError("the module has no function @main to run");
  std::vector<HostTensor> arguments =
      makeRandomInputs(getSignature(module), options.seed);
  FailureOr<ReferenceRun> before = runReference(module, arguments);
  if (failed(before))
    return failure();
  PassManager passes(module.getContext());
  if (failed(parsePassPipeline(options.passes, passes)) ||
      failed(passes.run(module)))
    return failure();
  FailureOr<ReferenceRun> after = runReference(module, arguments);
  if (failed(after))
    return failure();
  for (size_t i = 0; i < before->results.size(); ++i) {
    ref::Difference difference =
        ref::compare(before->results[i], after->results[i]);
    if (difference.isWithin(options.tolerance))
      continue;
    return module.emitError()
           << "result " << i << " changes: " << difference.toString();
  }
  if (options.everyRule)
    return success();
  llvm::outs() << "equal: " << before->results.size() << " results\n";
  printCollectives(*after);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  llvm::cl::HideUnrelatedOptions(options.category);
  registerAllPasses();
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "Checks that passes keep what a program means\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (options.everyRule) {
    context.loadAllAvailableDialects();
    // What must be gathered is of no interest here.
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
    });
    return checkEveryRule(context, [&](ModuleOp example) {
             return check(example, options);
           }) > 0;
  }
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.input, sources, &context);
  return module && succeeded(check(*module, options)) ? 0 : 1;
}
