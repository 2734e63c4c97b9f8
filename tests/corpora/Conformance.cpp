//===- Conformance.cpp - Judges many programs in one process --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starting a process for each of thousands of small programs would take longer
// than compiling them. This one starts once and forks for each program, so that
// a crash or an endless loop costs one verdict and nothing else.
//
//   partita-conformance LEVEL SECONDS JOBS < LIST-OF-FILES
//
// LEVEL: parse (parse, print, parse again, print: equal), import, ref, cpu (run
// @main; its check operations must hold). A file may hold several programs,
// split by lines "// -----". For each, a line of JSON: {"file", "part",
// "state", "message"}; the state is "ok", "error", "signal N" or "time-out".
//
//===----------------------------------------------------------------------===//

#include "driver/Backends.h"
#include "driver/Registration.h"
#include "driver/Run.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <poll.h>
#include <regex>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace partita;

namespace {

struct Program {
  std::string file;
  int part = 0;
  std::string text;
};

/// Splits a file at the lines "// -----"; each program keeps its line numbers.
std::vector<Program> split(const std::string &file) {
  std::ifstream stream(file);
  std::vector<Program> programs(1);
  programs[0].file = file;
  std::string line, skipped;
  while (std::getline(stream, line)) {
    skipped += "\n";
    if (line.starts_with("// -----"))
      programs.push_back({file, static_cast<int>(programs.size()), skipped});
    else
      programs.back().text += line + "\n";
  }
  return programs;
}

/// A program whose only function is not called @main runs that one.
std::string withMain(const std::string &text) {
  static const std::regex function(R"(func\.func\s+(?:public\s+)?@([\w.$-]+))");
  std::smatch found;
  if (text.find("@main") != std::string::npos ||
      !std::regex_search(text, found, function))
    return text;
  return found.prefix().str() + "func.func @main" + found.suffix().str();
}

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// An empty text, or what is wrong.
std::string roundTrip(const Program &program) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string said;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&said](mlir::Diagnostic &diagnostic) {
                                          said += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  auto first = mlir::parseSourceString<mlir::ModuleOp>(program.text, &context);
  if (!first)
    return "does not parse: " + said;
  std::string printed = print(*first);
  auto second = mlir::parseSourceString<mlir::ModuleOp>(printed, &context);
  if (!second)
    return "what is printed does not parse: " + said;
  return print(*second) == printed ? "" : "prints differently the second time";
}

/// An empty text, or what is wrong.
std::string execute(const Program &program, const std::string &level) {
  Backend backend = level == "cpu" ? Backend::Cpu : Backend::Ref;
  std::string said;
  llvm::raw_string_ostream stream(said);
  CompileOptions options;
  options.diagnostics = &stream;
  options.hideConstants = true;
  options.to = level == "import" ? Phase::Import : getLastPhase(backend);
  Source source{withMain(program.text), program.file, "program"};
  auto describe = [&](const absl::Status &status) {
    return said.empty() ? std::string(status.message()) : said;
  };
  absl::StatusOr<CompileResult> compiled = compile(source, options);
  if (!compiled.ok())
    return describe(compiled.status());
  if (level == "import")
    return "";
  auto execution = makeExecution(*compiled, backend, /*isTraced=*/false);
  if (!execution.ok())
    return describe(execution.status());
  Json report = Json::object();
  absl::Status status = run(**execution, RunOptions(), report);
  return status.ok() ? "" : describe(status);
}

std::string judge(const Program &program, const std::string &level) {
  return level == "parse" ? roundTrip(program) : execute(program, level);
}

using Clock = std::chrono::steady_clock;

struct Child {
  pid_t pid;
  int pipe;
  Clock::time_point deadline;
  size_t program;
  std::string said;
  bool isLate = false;
};

/// The line of the first error: warnings may stand before it.
std::string getFirstError(const std::string &message) {
  size_t error = message.find("error:");
  size_t before =
      error == std::string::npos ? error : message.rfind('\n', error);
  size_t begin = before == std::string::npos ? 0 : before + 1;
  return message.substr(begin, message.find('\n', begin) - begin);
}

void report(const Program &program, const std::string &state,
            const std::string &message) {
  Json line = {{"file", program.file},
               {"part", program.part},
               {"state", state},
               {"message", getFirstError(message)}};
  std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace)
            << std::endl;
}

Child start(const std::vector<Program> &programs, size_t index,
            const std::string &level, int seconds) {
  int ends[2];
  if (pipe(ends))
    std::exit(2);
  pid_t pid = fork();
  if (pid == 0) {
    std::string message = judge(programs[index], level);
    if (!message.empty())
      message = message.substr(0, 4000);
    [[maybe_unused]] ssize_t n = write(ends[1], message.data(), message.size());
    _exit(message.empty() ? 0 : 1);
  }
  close(ends[1]);
  return {pid, ends[0], Clock::now() + std::chrono::seconds(seconds), index,
          ""};
}

/// Reads what a child says; true when it has ended.
bool poll(Child &child, const std::vector<Program> &programs) {
  pollfd entry = {child.pipe, POLLIN, 0};
  if (::poll(&entry, 1, 5) > 0) {
    char buffer[4096];
    ssize_t count = read(child.pipe, buffer, sizeof buffer);
    if (count > 0) {
      child.said.append(buffer, count);
      return false;
    }
    int status = 0;
    waitpid(child.pid, &status, 0);
    close(child.pipe);
    std::string state = "error";
    if (child.isLate)
      state = "time-out";
    else if (WIFSIGNALED(status))
      state = "signal " + std::to_string(WTERMSIG(status));
    else if (WEXITSTATUS(status) == 0)
      state = "ok";
    report(programs[child.program], state, child.said);
    return true;
  }
  if (!child.isLate && Clock::now() > child.deadline) {
    child.isLate = true;
    kill(child.pid, SIGKILL);
  }
  return false;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: partita-conformance parse|import|ref|cpu SECONDS JOBS "
                 "< LIST-OF-FILES\n";
    return 2;
  }
  std::vector<Program> programs;
  for (std::string file; std::getline(std::cin, file);)
    for (Program &program : split(file))
      programs.push_back(std::move(program));
  std::vector<Child> children;
  size_t next = 0, jobs = std::stoul(argv[3]);
  while (next < programs.size() || !children.empty()) {
    while (next < programs.size() && children.size() < jobs)
      children.push_back(start(programs, next++, argv[1], std::stoi(argv[2])));
    std::erase_if(children,
                  [&](Child &child) { return poll(child, programs); });
  }
  return 0;
}
