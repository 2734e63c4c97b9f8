//===- Compile.cpp - partita compile --------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"

#include "driver/Report.h"
#include "runtime/plan/Package.h"
#include "support/Files.h"
#include "support/StatusMacros.h"

#include "llvm/Support/raw_ostream.h"

namespace partita {

void Command::follow(CompileOptions &options) {
  options.useMlirOptions = useMlirOptions;
  options.onPhase = [this](Phase phase) {
    progress.show(std::string(partita::getName(phase)));
  };
}

void Command::follow(RunOptions &options) {
  options.onStep = [this, steps = options.steps](int64_t step) {
    progress.show("step " + std::to_string(step + 1) + " of " +
                  std::to_string(steps));
  };
}

Option makeMeshOption(std::optional<MeshOption> &target) {
  return {"--mesh", "data=4,model=2",
          "sizes of axes of the module's mesh; none: one device",
          [&target](std::string_view text) -> absl::Status {
            PARTITA_ASSIGN_OR_RETURN(target, parseMeshOption(text));
            return absl::OkStatus();
          }};
}

Option makeTargetOption(std::string &target) {
  return {"--target", "cpu", "the machine to compile for",
          [&target](std::string_view text) -> absl::Status {
            if (text != "cpu")
              return absl::InvalidArgumentError(
                  "unknown target '" + std::string(text) + "'; there is cpu");
            target = text;
            return absl::OkStatus();
          }};
}

void addLimitOptions(std::vector<Option> &options, CompileOptions &target) {
  options.push_back(makeBytes("--memory-limit", "16GiB",
                              "refuse a program that needs more per device",
                              target.memoryLimitBytes));
  options.push_back(makeFlag("--fail-on-remat",
                             "refuse a reshard through a whole copy",
                             target.failOnRemat));
  options.push_back(makeBytes("--max-reshard-bytes", "B",
                              "refuse a reshard that sends more per device",
                              target.maxReshardBytes));
}

absl::Status writeReport(const Json &report, const std::string &path) {
  return path.empty() ? absl::OkStatus() : writeFile(path, {toText(report)});
}

namespace {

Option makePhase(std::string name, std::string help, Phase &target) {
  return {std::move(name), "PHASE", std::move(help),
          [&target](std::string_view text) {
            if (std::optional<Phase> phase = parsePhase(text)) {
              target = *phase;
              return absl::OkStatus();
            }
            std::string names;
            for (const PhaseInfo &info : getPhases())
              names += (names.empty() ? "" : ", ") + std::string(info.name);
            return absl::InvalidArgumentError("unknown phase '" +
                                              std::string(text) +
                                              "'; there are " + names);
          }};
}

class CompileCommand : public Command {
public:
  std::string_view getName() const override { return "compile"; }
  std::string_view getSummary() const override {
    return "compiles a program to a package, or prints an intermediate form";
  }
  std::string_view getExamples() const override {
    return "  partita compile step.mlir -o step.partita --report step.json\n"
           "  partita compile step.mlir --emit partitioned\n"
           "  partita compile step.mlir --dump-dir dumps --to localise\n";
  }
  std::vector<Option> getOptions() override;
  absl::Status check() override;
  absl::Status execute(const std::string &input) override;

private:
  absl::Status print(const CompileResult &result);

  CompileOptions options;
  std::string target = "cpu", emit, output, report;
};

} // namespace

std::vector<Option> CompileCommand::getOptions() {
  std::vector<Option> list = {
      makeText("-o", "OUT", "where the package, or what is printed, goes",
               output),
      makeText("--emit", "FORM", "core, partitioned, stablehlo or llvm", emit),
      makeMeshOption(options.mesh),
      makeTargetOption(target),
      makeText("--report", "F.json", "write the compile report", report),
      makeText("--dump-dir", "DIR", "write the module after each phase",
               options.dumpDir),
      makePhase("--from", "the first phase to run", options.from),
      makePhase("--to", "the last phase to run", options.to)};
  addLimitOptions(list, options);
  return list;
}

absl::Status CompileCommand::check() {
  if (options.from > options.to)
    return absl::InvalidArgumentError(
        "--from " + std::string(partita::getName(options.from)) +
        " lies behind --to " + std::string(partita::getName(options.to)));
  if (options.mesh && options.from != Phase::Import)
    return absl::InvalidArgumentError(
        "--mesh changes a program before it is simplified; leave out --from");
  static constexpr std::pair<std::string_view, Phase> kForms[] = {
      {"core", Phase::Simplify},
      {"partitioned", Phase::Collectives},
      {"stablehlo", Phase::Localise},
      {"llvm", Phase::Codegen}};
  if (emit.empty())
    return absl::OkStatus();
  for (auto [form, phase] : kForms)
    if (emit == form) {
      options.to = phase;
      return absl::OkStatus();
    }
  return absl::InvalidArgumentError(
      "cannot emit '" + emit +
      "'; there are core, partitioned, stablehlo and llvm");
}

absl::Status CompileCommand::print(const CompileResult &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::ModuleOp module = result.module.get();
  if (emit == "llvm")
    stream << result.llvmText;
  else
    module->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  stream << "\n";
  if (!output.empty())
    return writeFile(output, {text});
  progress.end();
  llvm::outs() << text;
  return absl::OkStatus();
}

absl::Status CompileCommand::execute(const std::string &input) {
  progress.show("reading " + input);
  follow(options);
  options.keepLlvmText = emit == "llvm";
  PARTITA_ASSIGN_OR_RETURN(Source source, readSource(input));
  PARTITA_ASSIGN_OR_RETURN(CompileResult result, compile(source, options));
  Json json = makeReport(result);
  if (emit == "stablehlo")
    PARTITA_RETURN_IF_ERROR(exportStableHlo(result));
  if (result.plan && emit.empty()) {
    if (!result.checks.empty())
      return absl::InvalidArgumentError(
          result.checks.front().place + ": a package holds no '" +
          result.checks.front().op + "'; run the source instead");
    result.plan->set_report(toText(json, false));
    PARTITA_RETURN_IF_ERROR(
        writePackage(output.empty() ? result.program + ".partita" : output,
                     *std::move(result.plan)));
  } else {
    PARTITA_RETURN_IF_ERROR(print(result));
  }
  return writeReport(json, report);
}

std::unique_ptr<Command> makeCompileCommand() {
  return std::make_unique<CompileCommand>();
}

} // namespace partita
