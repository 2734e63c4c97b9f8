//===- Compile.h - From source to package -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_COMPILE_H
#define PARTITA_DRIVER_COMPILE_H

#include "driver/Checks.h"
#include "driver/MeshOption.h"
#include "driver/Phases.h"
#include "driver/Signature.h"
#include "runtime/plan/plan.pb.h"
#include "support/Json.h"

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partita {

struct CompileOptions {
  std::optional<MeshOption> mesh;
  /// The first and last phase. Before `from` the source must be what the phase
  /// expects, as `--to` or a dump wrote it.
  Phase from = Phase::Import;
  Phase to = Phase::Codegen;
  /// Where the module is written after each phase, as 01-simplify.mlir; nothing
  /// when empty.
  std::string dumpDir;
  /// Refuses a program whose predicted peak per device is above this.
  std::optional<int64_t> memoryLimitBytes;
  /// Refuses a reshard that gathers a whole tensor on every device although
  /// both its sides are sharded.
  bool failOnRemat = false;
  /// Refuses a reshard that sends more than this per device and step.
  std::optional<int64_t> maxReshardBytes;
  /// Puts every constant behind a barrier, so that nothing is computed while
  /// compiling: for tests of back-ends with programs that have no arguments.
  bool hideConstants = false;
  /// Keeps the kernels' LLVM IR.
  bool keepLlvmText = false;
  /// Takes MLIR's own options (--mlir-print-ir-after-all, …), which the tool
  /// has registered.
  bool useMlirOptions = false;
  /// Told of each phase as it begins.
  std::function<void(Phase)> onPhase;
  /// Where diagnostics are written.
  llvm::raw_ostream *diagnostics = nullptr; ///< Standard error when null.
};

struct Source {
  std::string text;
  /// In diagnostics: the path, or "<stdin>".
  std::string name;
  /// In reports and packages: the file name without its suffix.
  std::string program;
};

/// Reads a file, or standard input for "-". NotFound, or what the system says.
absl::StatusOr<Source> readSource(const std::string &path);

struct PhaseTime {
  Phase phase;
  double seconds;
};

/// The module after the last phase, and what is known about it.
struct CompileResult {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<PhaseTime> phases;
  std::string program;
  /// On global shapes, as imported.
  Signature signature;
  /// What the program checks about itself, after the simplify phase.
  std::vector<Check> checks;
  /// Collectives after the localise phase, as in reports.
  Json collectives = Json::array();
  /// Computation and collectives in order, as in reports.
  Json timeline = Json::array();
  /// After the codegen phase.
  std::optional<plan::Plan> plan;
  std::string llvmText; ///< Of the kernels, where asked for.
};

/// Turns the module into StableHLO text ops. Diagnostics and status as of
/// `compile`.
absl::Status exportStableHlo(CompileResult &result);

/// Runs the phases on a source. Diagnostics are written as they come; the
/// status repeats the first error: InvalidArgument for what the user can mend,
/// Unimplemented for what Partita cannot do yet, ResourceExhausted for a limit,
/// Internal for a fault of Partita.
absl::StatusOr<CompileResult> compile(const Source &source,
                                      const CompileOptions &options);

} // namespace partita

#endif // PARTITA_DRIVER_COMPILE_H
