//===- Faults.cpp - How a fault of the compiler ends ----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Faults.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>
#include <unistd.h>

namespace partita {

static std::string faultText, memoryText;
static int faultExitCode = 1;

/// Only what a signal handler may do.
[[noreturn]] static void endProcess(std::string_view text) {
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, text.data(), text.size());
  _exit(faultExitCode);
}

void reportFaults(const std::string &input, int exitCode) {
  faultExitCode = exitCode;
  faultText = "partita: error: " + input +
              " led to a fault in Partita itself; nothing is wrong with your "
              "use of it: please report it with this file, which "
              "partita-reduce makes small\n";
  memoryText = "partita: error: " + input +
               " needs more memory than there is; give smaller sizes, or "
               "fewer devices with --mesh\n";
  std::set_new_handler([] { endProcess(memoryText); });
  // A stack that has overflowed cannot run the handler.
  static std::array<char, 64 << 10> stack;
  stack_t other = {};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = [](int) { endProcess(faultText); };
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    sigaction(signal, &action, nullptr);
}

} // namespace partita
