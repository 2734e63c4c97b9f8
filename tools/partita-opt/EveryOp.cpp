//===- EveryOp.cpp - The table of all ops ---------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita-opt/EveryOp.h"

#include "codegen/ref/Compare.h"
#include "codegen/ref/Reference.h"
#include "driver/Compile.h"
#include "driver/CpuExecution.h"
#include "driver/Inputs.h"
#include "ir/core/Core.h"
#include "ir/core/OpTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace partita {
namespace {

/// One column of the table.
struct Column {
  llvm::StringRef name;
  /// What an op shows there; empty where it has nothing.
  std::string (*show)(const core::OpEntry &, MLIRContext &);
  /// Whether an op without it is a gap.
  bool isRequired;
};

template <typename InterfaceT>
std::string hasInterface(const core::OpEntry &entry, MLIRContext &context) {
  return OperationName(entry.name, &context).hasInterface<InterfaceT>() ? "yes"
                                                                        : "";
}

/// Ops that hold regions, end them or declare things have no value of their own
/// to compute or to shard.
bool isStructural(const core::OpEntry &entry) {
  return llvm::is_contained(
      {"core.while", "core.if", "core.yield", "core.mesh"}, entry.name);
}

template <typename InterfaceT>
std::string showUnlessStructural(const core::OpEntry &entry,
                                 MLIRContext &context) {
  return isStructural(entry) ? "n/a" : hasInterface<InterfaceT>(entry, context);
}

OwningOpRef<ModuleOp> parse(llvm::StringRef text, MLIRContext &context) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (module)
    for (auto func : module->getOps<func::FuncOp>())
      func.setName("main");
  return module;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

std::string showRoundTrip(const core::OpEntry &entry, MLIRContext &context) {
  OwningOpRef<ModuleOp> first = parse(entry.example, context);
  if (!first || !llvm::StringRef(entry.example).contains(entry.name))
    return "";
  std::string text = print(*first);
  OwningOpRef<ModuleOp> second = parse(text, context);
  return second && print(*second) == text ? "yes" : "";
}

std::string showRun(const core::OpEntry &entry, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parse(entry.example, context);
  if (!module)
    return "";
  std::vector<HostTensor> inputs = makeRandomInputs(getSignature(*module), 1);
  return succeeded(runReference(*module, inputs)) ? "yes" : "";
}

/// The results of the example as machine code; none where it cannot be made.
std::optional<std::vector<HostTensor>>
runOnCpu(ModuleOp module, llvm::ArrayRef<HostTensor> inputs) {
  llvm::raw_null_ostream quiet;
  CompileOptions options;
  options.diagnostics = &quiet;
  auto compiled = compile({print(module), "example", "example"}, options);
  if (!compiled.ok())
    return std::nullopt;
  auto execution =
      makeCpuExecution(*std::move(compiled->plan), /*isTraced=*/false);
  if (!execution.ok() || !(*execution)->setArguments(inputs).ok() ||
      !(*execution)->step().ok())
    return std::nullopt;
  std::vector<HostTensor> results;
  for (size_t i = 0; i < compiled->signature.results.size(); ++i) {
    auto result = (*execution)->getResult(static_cast<int64_t>(i));
    if (!result.ok())
      return std::nullopt;
    results.push_back(*std::move(result));
  }
  return results;
}

/// Whether machine code computes what the interpreter does.
std::string showCpu(const core::OpEntry &entry, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parse(entry.example, context);
  if (!module)
    return "";
  std::vector<HostTensor> inputs = makeRandomInputs(getSignature(*module), 1);
  auto results = runOnCpu(*module, inputs);
  FailureOr<ReferenceRun> wanted = runReference(*module, inputs);
  if (!results || failed(wanted))
    return "";
  for (auto [got, want] : llvm::zip_equal(*results, wanted->results))
    if (!ref::compare(want, got).isWithin(1e-5))
      return "";
  return "yes";
}

std::string showDocs(const core::OpEntry &entry, MLIRContext &) {
  return entry.summary.empty() ? "" : "yes";
}

constexpr Column kColumns[] = {
    {"infers", hasInterface<InferTypeOpInterface>, false},
    {"rule", showUnlessStructural<IndexRuleOpInterface>, true},
    {"evaluates", showUnlessStructural<EvaluableOpInterface>, true},
    {"scalar", hasInterface<ScalarBodyOpInterface>, false},
    {"docs", showDocs, true},
    {"round trip", showRoundTrip, true},
    {"runs", showRun, true},
    {"cpu", showCpu, true},
};

} // namespace

int printEveryOp(const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  int gaps = 0;
  llvm::outs() << llvm::formatv("{0,-28}", "op");
  for (const Column &column : kColumns)
    llvm::outs() << llvm::formatv("{0,-12}", column.name);
  llvm::outs() << "\n";
  for (const core::OpEntry &entry : core::getOpTable()) {
    llvm::outs() << llvm::formatv("{0,-28}", entry.name);
    for (const Column &column : kColumns) {
      std::string shown = column.show(entry, context);
      bool isGap = shown.empty() && column.isRequired;
      gaps += isGap;
      llvm::outs() << llvm::formatv("{0,-12}", isGap           ? "GAP"
                                               : shown.empty() ? "-"
                                                               : shown);
    }
    llvm::outs() << "\n";
  }
  llvm::outs() << core::getOpTable().size() << " ops, " << gaps << " gaps\n";
  return gaps;
}

} // namespace partita
