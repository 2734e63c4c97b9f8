//===- Bench.cpp - partita bench ------------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"

#include "driver/Backends.h"
#include "driver/Explain.h"
#include "driver/Inputs.h"
#include "driver/Report.h"
#include "support/Npz.h"
#include "support/StatusMacros.h"
#include "tools/partita/Worker.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace partita {

namespace {

double getMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// Times of one side.
struct Times {
  std::vector<double> compile, step;
};

class BenchCommand : public Command {
public:
  std::string_view getName() const override { return "bench"; }
  std::string_view getSummary() const override {
    return "measures compile and step time, also beside XLA's";
  }
  std::string_view getExamples() const override {
    return "  partita bench step.mlir --steps 20\n"
           "  partita bench step.mlir --inputs in.npz --against jax\n";
  }
  std::vector<Option> getOptions() override;
  absl::Status check() override;
  absl::Status execute(const std::string &input) override;

private:
  /// Compiles anew, runs one step that does not count, then the steps.
  absl::Status runRound(const Source &source);
  absl::Status runRoundOf(Worker &worker);
  absl::StatusOr<Worker> startXla(const std::string &input);
  void print(const std::string &program);
  Json makeBenchReport(const std::string &program) const;

  CompileOptions options;
  std::vector<std::string> inputs;
  int64_t seed = 0, steps = 5, rounds = 3;
  std::string against, python = "python3", report;
  Times ours, theirs;
};

} // namespace

std::vector<Option> BenchCommand::getOptions() {
  return {
      makeMeshOption(options.mesh),
      makeList("--inputs", "F.npz", "the arguments, as of partita run", inputs),
      makeNumber("--seed", "N", "random arguments of this seed", 0, seed),
      makeNumber("--steps", "N", "steps in a round", 1, steps),
      makeNumber("--rounds", "N", "rounds, each compiles anew", 1, rounds),
      makeText("--against", "jax", "take turns with XLA's CPU back-end",
               against),
      makeText("--python", "PATH", "a Python that has JAX", python),
      makeText("--report", "F.json", "write the medians", report)};
}

absl::Status BenchCommand::check() {
  if (!against.empty() && against != "jax")
    return absl::InvalidArgumentError("cannot compare with '" + against +
                                      "'; there is jax");
  if (!against.empty() && options.mesh)
    return absl::InvalidArgumentError(
        "--against jax runs the module as it is, so --mesh cannot be given");
  return absl::OkStatus();
}

absl::Status BenchCommand::runRound(const Source &source) {
  auto start = std::chrono::steady_clock::now();
  PARTITA_ASSIGN_OR_RETURN(CompileResult result, compile(source, options));
  PARTITA_ASSIGN_OR_RETURN(
      std::unique_ptr<Execution> execution,
      makeExecution(result, Backend::Cpu, /*isTraced=*/false));
  ours.compile.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count());
  std::vector<HostTensor> arguments;
  if (inputs.empty()) {
    arguments = makeRandomInputs(result.signature, static_cast<uint64_t>(seed));
  } else {
    PARTITA_ASSIGN_OR_RETURN(arguments, readInputs(inputs, result.signature));
  }
  PARTITA_RETURN_IF_ERROR(execution->setArguments(arguments));
  PARTITA_RETURN_IF_ERROR(execution->step());
  for (int64_t i = 0; i < steps; ++i) {
    progress.show("step " + std::to_string(i + 1));
    start = std::chrono::steady_clock::now();
    PARTITA_RETURN_IF_ERROR(execution->step());
    ours.step.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  }
  return absl::OkStatus();
}

absl::Status BenchCommand::runRoundOf(Worker &worker) {
  for (int64_t i = 0; i <= steps; ++i) {
    PARTITA_ASSIGN_OR_RETURN(Json answer, worker.ask("step"));
    if (i > 0)
      theirs.step.push_back(answer.value("seconds", 0.0));
  }
  return absl::OkStatus();
}

absl::StatusOr<Worker> BenchCommand::startXla(const std::string &input) {
  if (inputs.size() != 1)
    return absl::InvalidArgumentError(
        "--against jax needs --inputs with one .npz archive");
  PARTITA_ASSIGN_OR_RETURN(Worker worker,
                           Worker::start({python, PARTITA_XLA_WORKER, input,
                                          "--inputs", inputs[0]}));
  PARTITA_ASSIGN_OR_RETURN(Json ready, worker.read());
  theirs.compile.push_back(ready.value("compile_seconds", 0.0));
  return std::move(worker);
}

Json BenchCommand::makeBenchReport(const std::string &program) const {
  Json json;
  json["program"] = program;
  json["compile_seconds"] = getMedian(ours.compile);
  json["step_seconds"] = getMedian(ours.step);
  if (against.empty())
    return json;
  json["xla_compile_seconds"] = getMedian(theirs.compile);
  json["xla_step_seconds"] = getMedian(theirs.step);
  json["compile_ratio"] = getMedian(ours.compile) / getMedian(theirs.compile);
  json["step_ratio"] = getMedian(ours.step) / getMedian(theirs.step);
  return json;
}

void BenchCommand::print(const std::string &program) {
  auto printLine = [&](const char *what, const std::vector<double> &mine,
                       const std::vector<double> &other) {
    llvm::outs() << llvm::formatv("{0,-10}{1,12}", what,
                                  formatSeconds(getMedian(mine)));
    if (!other.empty())
      llvm::outs() << llvm::formatv("   XLA {0,12}   ratio {1:F2}",
                                    formatSeconds(getMedian(other)),
                                    getMedian(mine) / getMedian(other));
    llvm::outs() << "\n";
  };
  llvm::outs() << program << ", medians\n";
  printLine("compile", ours.compile, theirs.compile);
  printLine("step", ours.step, theirs.step);
}

absl::Status BenchCommand::execute(const std::string &input) {
  follow(options);
  PARTITA_ASSIGN_OR_RETURN(Source source, readSource(input));
  std::optional<Worker> xla;
  if (!against.empty()) {
    progress.show("compiling with XLA");
    PARTITA_ASSIGN_OR_RETURN(Worker worker, startXla(input));
    xla.emplace(std::move(worker));
  }
  for (int64_t round = 0; round < rounds; ++round) {
    PARTITA_RETURN_IF_ERROR(runRound(source));
    if (!xla)
      continue;
    progress.show("XLA's steps, round " + std::to_string(round + 1));
    PARTITA_RETURN_IF_ERROR(runRoundOf(*xla));
  }
  progress.end();
  print(source.program);
  return writeReport(makeBenchReport(source.program), report);
}

std::unique_ptr<Command> makeBenchCommand() {
  return std::make_unique<BenchCommand>();
}

} // namespace partita
