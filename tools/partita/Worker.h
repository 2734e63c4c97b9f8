//===- Worker.h - A process that answers lines ------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_WORKER_H
#define PARTITA_TOOLS_PARTITA_WORKER_H

#include "support/Json.h"

#include <cstdio>
#include <sys/types.h>

namespace partita {

/// A child process that is asked by lines on its standard input and answers
/// each with a line of JSON on its standard output. It ends with this object.
class Worker {
public:
  /// NotFound when the program cannot be started.
  static absl::StatusOr<Worker> start(const std::vector<std::string> &command);
  Worker(Worker &&other) noexcept;
  Worker &operator=(Worker &&) = delete;
  ~Worker();

  /// The next answer. Unavailable when the process has ended.
  absl::StatusOr<Json> read();
  absl::StatusOr<Json> ask(const std::string &line);

private:
  Worker() = default;

  std::string name;
  pid_t process = -1;
  std::FILE *requests = nullptr;
  std::FILE *answers = nullptr;
};

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_WORKER_H
