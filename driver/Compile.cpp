//===- Compile.cpp - From source to package -------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compile.h"

#include "driver/Codegen.h"
#include "driver/Diagnostics.h"
#include "driver/Parse.h"
#include "driver/Pipeline.h"
#include "driver/Registration.h"
#include "driver/Report.h"
#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Core.h"
#include "ir/io/Passes.h"
#include "passes/memory/Places.h"
#include "support/Files.h"
#include "support/StatusMacros.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;

namespace partita {

absl::StatusOr<Source> readSource(const std::string &path) {
  Source source;
  if (path != "-") {
    source.name = path;
    source.program = llvm::sys::path::stem(path).str();
    PARTITA_ASSIGN_OR_RETURN(source.text, readFile(path));
    return source;
  }
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  if (!buffer)
    return absl::UnavailableError("cannot read standard input: " +
                                  buffer.getError().message());
  return Source{(*buffer)->getBuffer().str(), "<stdin>", "stdin"};
}

static constexpr int64_t kMaxVirtualDevices = 65536;

namespace {

/// Takes one module through the phases.
class Compilation {
public:
  Compilation(const Source &theSource, const CompileOptions &theOptions)
      : source(theSource), options(theOptions) {}

  absl::StatusOr<CompileResult> run();

private:
  LogicalResult runPasses(Phase phase);
  LogicalResult finishPhase(Phase phase);
  LogicalResult finishImport();
  LogicalResult checkMesh();
  /// What no phase after import may have to check.
  LogicalResult checkProgram();
  absl::Status dump(Phase phase);

  const Source &source;
  const CompileOptions &options;
  CompileResult result;
  /// The signature with the results that checks compare, where there are any.
  std::optional<Signature> planned;
};

} // namespace

/// Whether a function's arguments and results are what one device holds.
static bool isLocalised(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (func.getArgAttr(i, kGlobalTypeAttrName))
      return true;
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (func.getResultAttr(i, kGlobalTypeAttrName))
      return true;
  return false;
}

LogicalResult Compilation::checkProgram() {
  ModuleOp module = *result.module;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (main && !main.isExternal()) {
    if (options.from <= Phase::Localise && isLocalised(main))
      return main.emitError("@main is one device's part of a program already; "
                            "compile it with --from fuse");
    return success();
  }
  InFlightDiagnostic error =
      module.emitError("the module has no function @main to run");
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal())
      error.attachNote(func.getLoc())
          << "there is @" << func.getSymName() << "; rename the one to run";
  return error;
}

LogicalResult Compilation::runPasses(Phase phase) {
  PassManager passes(result.context.get());
  if (options.useMlirOptions && failed(applyPassManagerCLOptions(passes)))
    return failure();
  addPhase(phase, passes, options);
  return passes.run(*result.module);
}

/// What a phase does beside its passes.
LogicalResult Compilation::finishPhase(Phase phase) {
  switch (phase) {
  case Phase::Import:
    return finishImport();
  case Phase::Simplify: { // calls are inlined
    FailureOr<std::vector<Check>> checks = takeChecks(*result.module);
    if (failed(checks))
      return failure();
    result.checks = *std::move(checks);
    if (!result.checks.empty())
      planned = getSignature(*result.module);
    return success();
  }
  case Phase::Localise: {
    std::vector<CollectiveEntry> collectives = getCollectives(*result.module);
    result.collectives = makeCollectiveList(collectives);
    result.timeline = makeTimeline(*result.module, collectives);
    return success();
  }
  case Phase::Codegen: {
    if (failed(verifyPlaces(result.module->lookupSymbol<func::FuncOp>("main"))))
      return failure();
    FailureOr<plan::Plan> plan = generateCpuPlan(
        *result.module, result.program, planned ? *planned : result.signature,
        options.keepLlvmText ? &result.llvmText : nullptr);
    if (failed(plan))
      return failure();
    result.plan = *std::move(plan);
    return success();
  }
  default:
    return success();
  }
}

/// Refuses meshes before anything is made for each of their devices.
LogicalResult Compilation::checkMesh() {
  for (auto mesh : result.module->getOps<core::MeshOp>()) {
    int64_t devices = mesh.getMesh().toMesh().getNumDevices();
    if (devices > kMaxVirtualDevices)
      return mesh.emitError("mesh @")
             << mesh.getSymName() << " has " << devices
             << " devices; one process holds at most " << kMaxVirtualDevices
             << " virtual devices: give smaller sizes with --mesh";
  }
  return success();
}

/// Makes each use of a constant one of a barrier behind it.
static void hideConstants(ModuleOp module) {
  module.walk([](core::ConstantOp constant) {
    OpBuilder builder(constant->getContext());
    builder.setInsertionPointAfter(constant);
    Value value = constant.getResult();
    auto barrier = core::BarrierOp::create(builder, constant.getLoc(),
                                           value.getType(), value);
    value.replaceAllUsesExcept(barrier->getResult(0), barrier);
  });
}

LogicalResult Compilation::finishImport() {
  if (failed(checkProgram()))
    return failure();
  if (options.mesh && failed(applyMeshOption(*result.module, *options.mesh)))
    return failure();
  if (failed(checkMesh()))
    return failure();
  if (options.hideConstants)
    hideConstants(*result.module);
  matchDonations(*result.module);
  result.signature = getSignature(*result.module);
  return verifyAliases(*result.module, result.signature);
}

absl::Status Compilation::dump(Phase phase) {
  if (options.dumpDir.empty())
    return absl::OkStatus();
  if (std::error_code error =
          llvm::sys::fs::create_directories(options.dumpDir))
    return absl::UnavailableError("cannot create " + options.dumpDir + ": " +
                                  error.message());
  std::string name =
      llvm::formatv("{0}/{1:D2}-{2}.mlir", options.dumpDir,
                    static_cast<int>(phase), getName(phase).data());
  std::string text;
  llvm::raw_string_ostream stream(text);
  result.module->print(stream, OpPrintingFlags().enableDebugInfo());
  return writeFile(name, {text});
}

absl::StatusOr<CompileResult> Compilation::run() {
  DialectRegistry registry;
  registerAllDialects(registry);
  result.context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  result.context->printOpOnDiagnostic(false);
  result.program = source.program;
  DiagnosticCollector diagnostics(result.context.get(), source.name,
                                  options.diagnostics ? *options.diagnostics
                                                      : llvm::errs());
  for (const PhaseInfo &info : getPhases()) {
    // Import always runs: it checks what no later phase has to, and leaves
    // core as it is.
    if ((info.phase < options.from && info.phase != Phase::Import) ||
        info.phase > options.to)
      continue;
    if (options.onPhase)
      options.onPhase(info.phase);
    auto start = std::chrono::steady_clock::now();
    if (!result.module)
      result.module =
          parseModule(source.text, source.name, result.context.get());
    bool isGood = result.module && succeeded(runPasses(info.phase)) &&
                  succeeded(finishPhase(info.phase));
    PARTITA_RETURN_IF_ERROR(diagnostics.getStatus(/*isFailure=*/!isGood));
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    result.phases.push_back({info.phase, taken.count()});
    PARTITA_RETURN_IF_ERROR(dump(info.phase));
  }
  return std::move(result);
}

absl::Status exportStableHlo(CompileResult &result) {
  DiagnosticCollector diagnostics(result.context.get(), result.program,
                                  llvm::errs());
  PassManager passes(result.context.get());
  passes.addPass(createExportStablehloPass());
  return diagnostics.getStatus(failed(passes.run(*result.module)));
}

absl::StatusOr<CompileResult> compile(const Source &source,
                                      const CompileOptions &options) {
  return Compilation(source, options).run();
}

} // namespace partita
