//===- Progress.cpp - What takes its time, on a terminal ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita/Progress.h"

#include <cstdio>
#include <unistd.h>

namespace partita {

static constexpr std::chrono::seconds kDelay{2};
static constexpr std::chrono::milliseconds kInterval{500};

Progress::Progress() : start(std::chrono::steady_clock::now()) {}

Progress::~Progress() { end(); }

void Progress::show(std::string what) {
  std::lock_guard lock(mutex);
  current = std::move(what);
  if (!writer.joinable() && !isEnded && isatty(STDERR_FILENO))
    writer = std::thread([this] { repeat(); });
}

void Progress::end() {
  {
    std::lock_guard lock(mutex);
    isEnded = true;
  }
  changed.notify_all();
  if (writer.joinable())
    writer.join();
}

void Progress::repeat() {
  std::unique_lock lock(mutex);
  bool isShown = false;
  auto next = start + kDelay;
  while (!changed.wait_until(lock, next, [&] { return isEnded; })) {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "\033[K%.0f s: %s\r", passed.count(), current.c_str());
    std::fflush(stderr);
    isShown = true;
    next += kInterval;
  }
  if (isShown)
    std::fputs("\033[K", stderr);
}

} // namespace partita
