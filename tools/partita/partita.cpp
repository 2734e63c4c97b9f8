//===- partita.cpp - Compiles, runs and explains programs -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exit codes: 0 done; 1 the input or its run failed, and a diagnostic on
// standard error says where; 2 wrong usage.
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Commands.h"
#include "tools/partita/Faults.h"

#include "driver/Diagnostics.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace partita;

static constexpr int kDone = 0;
static constexpr int kFailed = 1;
static constexpr int kWrongUsage = 2;

static std::vector<std::unique_ptr<Command>> makeCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(makeCompileCommand());
  commands.push_back(makeRunCommand());
  commands.push_back(makeExplainCommand());
  commands.push_back(makeBenchCommand());
  commands.push_back(makePlanCommand());
  return commands;
}

static void printHelp(const std::vector<std::unique_ptr<Command>> &commands) {
  llvm::outs() << "partita: compiles a machine-learning program written for "
                  "one device and runs it on many\n\n"
                  "Usage: partita COMMAND IN [OPTIONS]\n\n";
  for (const auto &command : commands)
    llvm::outs() << llvm::formatv("  {0,-10}{1}\n", command->getName().data(),
                                  command->getSummary().data());
  llvm::outs() << "\nIN is StableHLO or core text (.mlir), MLIR bytecode "
                  "(.mlirbc), a package (.partita), or - for standard input.\n"
                  "`partita COMMAND --help` shows a command's options.\n\n"
                  "Examples:\n"
                  "  partita run step.mlir --inputs in.npz --steps 5\n"
                  "  partita explain step.mlir --mesh data=4,model=2\n"
                  "  partita compile step.mlir -o step.partita\n";
}

static void printHelp(Command &command) {
  llvm::outs() << "partita " << command.getName().data() << ": "
               << command.getSummary().data() << "\n\nUsage: partita "
               << command.getName().data() << " IN [OPTIONS]\n\nOptions:\n"
               << formatOptions(command.getOptions())
               << "  --mlir-…                  MLIR's own options\n"
               << "\nExamples:\n"
               << command.getExamples().data();
}

static int reportUsage(const std::string &name, const std::string &message) {
  llvm::errs() << "partita" << (name.empty() ? "" : " ") << name << ": "
               << message << "\n"
               << "see `partita" << (name.empty() ? "" : " ") << name
               << " --help`\n";
  return kWrongUsage;
}

/// Hands --mlir-… options to MLIR.
static bool parseMlirOptions(const std::vector<std::string> &options) {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  std::vector<const char *> arguments = {"partita"};
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  return llvm::cl::ParseCommandLineOptions(static_cast<int>(arguments.size()),
                                           arguments.data(), "", &llvm::errs());
}

/// Statuses of diagnostics are already on standard error.
static bool isReported(const absl::Status &status) {
  return status.GetPayload(kReportedPayload).has_value();
}

static int runCommand(Command &command, const std::vector<std::string> &args) {
  std::string name(command.getName());
  auto parsed = parseArguments(command.getOptions(), args);
  if (!parsed.ok())
    return reportUsage(name, std::string(parsed.status().message()));
  if (parsed->wantsHelp) {
    printHelp(command);
    return kDone;
  }
  if (parsed->positional.size() != 1)
    return reportUsage(name, parsed->positional.empty()
                                 ? "needs an input"
                                 : "takes one input, not also '" +
                                       parsed->positional[1] + "'");
  if (absl::Status status = command.check(); !status.ok())
    return reportUsage(name, std::string(status.message()));
  if (!parsed->mlirOptions.empty()) {
    if (!parseMlirOptions(parsed->mlirOptions))
      return kWrongUsage;
    command.useMlirOptions = true;
  }
  reportFaults(parsed->positional[0], kFailed);
  absl::Status status = command.execute(parsed->positional[0]);
  if (status.ok())
    return kDone;
  if (!isReported(status))
    llvm::errs() << "partita: error: " << std::string(status.message()) << "\n";
  return kFailed;
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  auto commands = makeCommands();
  if (arguments.empty())
    return reportUsage("", "needs a command");
  std::string name = arguments[0];
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp(commands);
    return kDone;
  }
  arguments.erase(arguments.begin());
  for (const auto &command : commands)
    if (command->getName() == name)
      return runCommand(*command, arguments);
  return reportUsage("", "unknown command '" + name + "'");
}
