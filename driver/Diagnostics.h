//===- Diagnostics.h - MLIR's diagnostics as text and status ----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_DIAGNOSTICS_H
#define PARTITA_DRIVER_DIAGNOSTICS_H

#include "absl/status/status.h"
#include "mlir/IR/Diagnostics.h"

#include <string>

namespace partita {

/// The payload of a status whose text is on the diagnostics' stream already.
inline constexpr char kReportedPayload[] = "partita.reported";

/// Takes the diagnostics of a context while it lives: prints each as text and
/// remembers the errors for a status.
///
///   models/gpt.py:31:8: error: jit(step)/dot_general: what is wrong
///   case.mlir:3:5: note: the mesh is declared here
///
/// A diagnostic without a position is at the input, named by `inputName`.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, std::string theInputName,
                      llvm::raw_ostream &theOutput);

  bool hasErrors() const { return numErrors != 0; }
  /// OK without errors. Else the first error's text, as InvalidArgument; as
  /// Unimplemented when it says that something is "not supported yet".
  /// Internal when `isFailure` although nothing was reported.
  absl::Status getStatus(bool isFailure) const;

private:
  void handle(mlir::Diagnostic &diagnostic);
  std::string format(const mlir::Diagnostic &diagnostic) const;

  std::string inputName;
  llvm::raw_ostream &output;
  std::string firstError;
  int64_t numErrors = 0;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace partita

#endif // PARTITA_DRIVER_DIAGNOSTICS_H
