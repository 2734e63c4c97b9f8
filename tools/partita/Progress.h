//===- Progress.h - What takes its time, on a terminal ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_PROGRESS_H
#define PARTITA_TOOLS_PARTITA_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace partita {

/// One line on standard error that says what is done at present, once the
/// command has taken two seconds. The cursor stays at the line's start, so that
/// diagnostics overwrite it. Nothing is written where standard error is no
/// terminal.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// What begins now: "step 3 of 10".
  void show(std::string what);
  /// Takes the line away, so that results can follow.
  void end();

private:
  void repeat();

  std::mutex mutex;
  std::condition_variable changed;
  std::chrono::steady_clock::time_point start;
  std::string current;
  bool isEnded = false;
  std::thread writer;
};

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_PROGRESS_H
