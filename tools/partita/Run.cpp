//===- Run.cpp - partita run ----------------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"

#include "driver/Backends.h"
#include "driver/CpuExecution.h"
#include "driver/Explain.h"
#include "driver/Report.h"
#include "driver/Run.h"
#include "runtime/plan/Package.h"
#include "support/Files.h"
#include "support/StatusMacros.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace partita {

namespace {

class RunCommand : public Command {
public:
  std::string_view getName() const override { return "run"; }
  std::string_view getSummary() const override {
    return "compiles a program where needed, and runs it";
  }
  std::string_view getExamples() const override {
    return "  partita run step.mlir --inputs in.npz --out out.npz\n"
           "  partita run step.mlir --mesh data=8 --steps 5 --report r.json\n"
           "  partita run step.partita --seed 7\n"
           "  partita run step.mlir --mesh none --backend ref\n";
  }
  std::vector<Option> getOptions() override;
  absl::Status execute(const std::string &input) override;

private:
  absl::Status runPackage(const Source &source);
  absl::Status runProgram(Execution &execution, Json json);

  CompileOptions options;
  RunOptions runOptions;
  Backend backend = Backend::Cpu;

  std::string target = "cpu", report, trace;
  int64_t seed = 0;
};

Option makeBackend(Backend &target) {
  return {"--backend", "cpu|ref", "what runs the program; ref: interpreter",
          [&target](std::string_view text) {
            if (text != "cpu" && text != "ref")
              return absl::InvalidArgumentError("unknown back-end '" +
                                                std::string(text) +
                                                "'; there are cpu and ref");
            target = text == "cpu" ? Backend::Cpu : Backend::Ref;
            return absl::OkStatus();
          }};
}

std::string getMeshText(const Json &report) {
  std::string text = formatMesh(report);
  int64_t devices = report["devices"].get<int64_t>();
  return llvm::formatv("{0}{1}{2} device{3}", text, text.empty() ? "" : ": ",
                       devices, devices == 1 ? "" : "s");
}

/// A line a step: time and scalar results.
void print(const Json &report) {
  llvm::outs() << report["program"].get<std::string>() << " on "
               << getMeshText(report) << "\n";
  int64_t number = 0;
  for (const Json &step : report["steps"]) {
    llvm::outs() << llvm::formatv("step {0,4}  {1,10:F3} ms", ++number,
                                  step["seconds"].get<double>() * 1e3);
    for (const auto &[result, value] : step["scalars"].items())
      llvm::outs() << "  r" << result << " = " << value.dump();
    llvm::outs() << "\n";
  }
}

} // namespace

std::vector<Option> RunCommand::getOptions() {
  std::vector<Option> list = {
      makeBackend(backend),
      makeMeshOption(options.mesh),
      makeTargetOption(target),
      makeList("--inputs", "F.npz",
               "the arguments: a0, a1, … of an archive, or a .npy each",
               runOptions.inputs),
      makeNumber("--seed", "N", "random arguments of this seed", 0, seed),
      makeText("--out", "F.npz", "write the first step's results, r0, r1, …",
               runOptions.out),
      makeNumber("--steps", "N", "steps to run", 1, runOptions.steps),
      makeText("--report", "F.json", "write the report", report),
      makeText("--trace", "F.json", "write a trace for Chrome or Perfetto",
               trace)};
  addLimitOptions(list, options);
  return list;
}

absl::Status RunCommand::execute(const std::string &input) {
  progress.show("reading " + input);
  follow(options);
  follow(runOptions);
  options.to = getLastPhase(backend);
  runOptions.seed = static_cast<uint64_t>(seed);
  PARTITA_ASSIGN_OR_RETURN(Source source, readSource(input));
  if (isPackage(source.text))
    return runPackage(source);
  PARTITA_ASSIGN_OR_RETURN(CompileResult result, compile(source, options));
  PARTITA_ASSIGN_OR_RETURN(std::unique_ptr<Execution> execution,
                           makeExecution(result, backend, !trace.empty()));
  return runProgram(*execution, makeReport(result));
}

absl::Status RunCommand::runPackage(const Source &source) {
  if (backend != Backend::Cpu)
    return absl::InvalidArgumentError(
        source.name + " is a package, which only --backend cpu can run");
  if (options.mesh)
    return absl::InvalidArgumentError(
        source.name + " is a package, whose mesh is fixed; compile the source "
                      "again with --mesh");
  PARTITA_ASSIGN_OR_RETURN(plan::Plan plan,
                           parsePackage(source.text, source.name));
  PARTITA_ASSIGN_OR_RETURN(Json json, parseJson(plan.report(), source.name));
  PARTITA_ASSIGN_OR_RETURN(std::unique_ptr<Execution> execution,
                           makeCpuExecution(std::move(plan), !trace.empty()));
  return runProgram(*execution, std::move(json));
}

absl::Status RunCommand::runProgram(Execution &execution, Json json) {
  PARTITA_RETURN_IF_ERROR(run(execution, runOptions, json));
  if (!trace.empty())
    PARTITA_RETURN_IF_ERROR(
        writeFile(trace, {toText(execution.getTrace(), false)}));
  PARTITA_RETURN_IF_ERROR(writeReport(json, report));
  progress.end();
  print(json);
  return absl::OkStatus();
}

std::unique_ptr<Command> makeRunCommand() {
  return std::make_unique<RunCommand>();
}

} // namespace partita
