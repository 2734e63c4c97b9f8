//===- Explain.cpp - partita explain --------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"

#include "driver/Explain.h"
#include "driver/Report.h"
#include "support/Files.h"
#include "support/StatusMacros.h"

#include "llvm/Support/raw_ostream.h"

namespace partita {

namespace {

class ExplainCommand : public Command {
public:
  std::string_view getName() const override { return "explain"; }
  std::string_view getSummary() const override {
    return "shows shardings, collectives with their reasons, and memory";
  }
  std::string_view getExamples() const override {
    return "  partita explain step.mlir\n"
           "  partita explain step.mlir --mesh data=2,model=4 --html e.html\n";
  }
  std::vector<Option> getOptions() override {
    std::vector<Option> list = {
        makeMeshOption(options.mesh), makeTargetOption(target),
        makeText("--json", "F", "write the report", json),
        makeText("--html", "F", "write a page", html)};
    addLimitOptions(list, options);
    return list;
  }
  absl::Status execute(const std::string &input) override;

private:
  CompileOptions options;
  std::string target = "cpu", json, html;
};

} // namespace

absl::Status ExplainCommand::execute(const std::string &input) {
  progress.show("reading " + input);
  follow(options);
  options.to = Phase::Memory;
  PARTITA_ASSIGN_OR_RETURN(Source source, readSource(input));
  PARTITA_ASSIGN_OR_RETURN(CompileResult result, compile(source, options));
  Json report = makeReport(result);
  PARTITA_RETURN_IF_ERROR(writeReport(report, json));
  if (!html.empty())
    PARTITA_RETURN_IF_ERROR(writeFile(html, {makeExplanationPage(report)}));
  progress.end();
  llvm::outs() << makeExplanation(report);
  return absl::OkStatus();
}

std::unique_ptr<Command> makeExplainCommand() {
  return std::make_unique<ExplainCommand>();
}

} // namespace partita
