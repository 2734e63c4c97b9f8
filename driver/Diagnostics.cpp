//===- Diagnostics.cpp - MLIR's diagnostics as text and status ------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Diagnostics.h"

#include "ir/attrs/Places.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace partita {

DiagnosticCollector::DiagnosticCollector(MLIRContext *context,
                                         std::string theInputName,
                                         llvm::raw_ostream &theOutput)
    : inputName(std::move(theInputName)), output(theOutput),
      handler(context, [this](Diagnostic &diagnostic) {
        handle(diagnostic);
        return success();
      }) {}

static StringRef getSeverityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  return "error";
}

std::string DiagnosticCollector::format(const Diagnostic &diagnostic) const {
  Place place = getPlace(diagnostic.getLocation());
  std::string position = place.getPosition();
  std::string text = position.empty() ? inputName : position;
  text += ": " + getSeverityName(diagnostic.getSeverity()).str() + ": ";
  if (!place.name.empty())
    text += place.name + ": ";
  std::string message = diagnostic.str();
  // The parser speaks of an option that the tools of MLIR have.
  if (StringRef(message).contains("-allow-unregistered-dialect"))
    message = "there is no such op: its dialect is not known";
  return text + message;
}

void DiagnosticCollector::handle(Diagnostic &diagnostic) {
  std::string text = format(diagnostic);
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error && numErrors++ == 0)
    firstError = text;
  output << text << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    output << format(note) << "\n";
  output.flush();
}

absl::Status DiagnosticCollector::getStatus(bool isFailure) const {
  if (!firstError.empty()) {
    absl::Status status = StringRef(firstError).contains("not supported yet")
                              ? absl::UnimplementedError(firstError)
                              : absl::InvalidArgumentError(firstError);
    status.SetPayload(kReportedPayload, absl::Cord());
    return status;
  }
  if (isFailure)
    return absl::InternalError(inputName +
                               ": the compilation failed without a diagnostic");
  return absl::OkStatus();
}

} // namespace partita
