//===- Worker.cpp - A process that answers lines --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Worker.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace partita {

absl::StatusOr<Worker> Worker::start(const std::vector<std::string> &command) {
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) != 0)
    return absl::UnavailableError(std::string("cannot make a pipe: ") +
                                  std::strerror(errno));
  if (pipe2(fromChild, O_CLOEXEC) != 0) {
    close(toChild[0]);
    close(toChild[1]);
    return absl::UnavailableError(std::string("cannot make a pipe: ") +
                                  std::strerror(errno));
  }
  std::vector<char *> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO);
  Worker worker;
  worker.name = command.front();
  int error = posix_spawnp(&worker.process, arguments[0], &actions, nullptr,
                           arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(toChild[0]);
  close(fromChild[1]);
  worker.requests = fdopen(toChild[1], "w");
  worker.answers = fdopen(fromChild[0], "r");
  if (error != 0) {
    worker.process = -1;
    return absl::NotFoundError("cannot start '" + worker.name +
                               "': " + std::strerror(error));
  }
  std::signal(SIGPIPE, SIG_IGN); // a dead worker is seen when it is read
  return std::move(worker);
}

Worker::Worker(Worker &&other) noexcept
    : name(std::move(other.name)), process(std::exchange(other.process, -1)),
      requests(std::exchange(other.requests, nullptr)),
      answers(std::exchange(other.answers, nullptr)) {}

Worker::~Worker() {
  if (requests)
    std::fclose(requests);
  if (answers)
    std::fclose(answers);
  if (process > 0)
    waitpid(process, nullptr, 0);
}

absl::StatusOr<Json> Worker::read() {
  std::string line;
  for (int c = std::fgetc(answers); c != EOF && c != '\n';
       c = std::fgetc(answers))
    line += static_cast<char>(c);
  if (line.empty())
    return absl::UnavailableError("'" + name +
                                  "' ended early (its message is above)");
  return parseJson(line, name);
}

absl::StatusOr<Json> Worker::ask(const std::string &line) {
  std::fputs((line + "\n").c_str(), requests);
  std::fflush(requests);
  return read();
}

} // namespace partita
