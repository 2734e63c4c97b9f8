//===- Executor.cpp - Cooperative workers -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Executor.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>

namespace partita {

Executor::Executor(int theNumWorkers) : numWorkers(std::max(1, theNumWorkers)) {
  for (int i = 1; i < numWorkers; ++i)
    threads.emplace_back([this] { work(/*isCaller=*/false); });
}

Executor::~Executor() {
  {
    std::lock_guard lock(mutex);
    isStopping = true;
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void Executor::run(std::span<Task *const> tasks) {
  spawn(tasks);
  work(/*isCaller=*/true);
}

void Executor::spawn(std::span<Task *const> tasks) {
  size_t sleepers;
  {
    std::lock_guard lock(mutex);
    ready.insert(ready.end(), tasks.begin(), tasks.end());
    sleepers = std::min(numIdle, tasks.size());
  }
  wake(sleepers);
}

void Executor::wake(size_t count) {
  if (count > 1)
    changed.notify_all();
  else if (count == 1)
    changed.notify_one();
}

void Executor::work(bool isCaller) {
  std::unique_lock lock(mutex);
  for (;;) {
    if (!ready.empty()) {
      Task *task = ready.front();
      ready.pop_front();
      ++numRunning;
      lock.unlock();
      task->run();
      lock.lock();
    } else if (!open.empty()) {
      ++numRunning;
      help(*open.back(), lock);
    } else if (isStopping || (isCaller && isQuiet())) {
      return;
    } else {
      ++numIdle;
      changed.wait(lock);
      --numIdle;
      continue;
    }
    --numRunning;
    if (isQuiet() && !isCaller)
      changed.notify_all();
  }
}

void Executor::runPieces(Job &job) {
  for (;;) {
    int64_t begin = job.next.fetch_add(job.grain, std::memory_order_relaxed);
    if (begin >= job.total)
      return;
    job.runPieces(begin, std::min(begin + job.grain, job.total));
  }
}

void Executor::help(Job &job, std::unique_lock<std::mutex> &lock) {
  ++job.numHelpers;
  lock.unlock();
  runPieces(job);
  lock.lock();
  std::erase(open, &job);
  if (--job.numHelpers > 0 || !job.hasOwnerLeft)
    return;
  lock.unlock();
  job.resume();
  lock.lock();
}

bool Executor::share(Job &job, int64_t total, int64_t grain) {
  if (numWorkers == 1 || total <= grain) {
    job.runPieces(0, total);
    return true;
  }
  job.next.store(0, std::memory_order_relaxed);
  job.total = total;
  job.grain = grain;
  job.numHelpers = 0;
  job.hasOwnerLeft = false;
  size_t sleepers;
  {
    std::lock_guard lock(mutex);
    // While others have tasks of their own, help can only come late: then two
    // shares do, and cost the least.
    if (!ready.empty())
      job.grain = std::max(grain, (total + 1) / 2);
    open.push_back(&job);
    sleepers = std::min<size_t>(numIdle, (total - 1) / job.grain);
  }
  wake(sleepers);
  runPieces(job);
  std::lock_guard lock(mutex);
  std::erase(open, &job);
  job.hasOwnerLeft = true;
  return job.numHelpers == 0;
}

int chooseNumWorkers(int requested) {
  if (requested > 0)
    return requested;
  if (const char *text = std::getenv("PARTITA_WORKERS"))
    if (int number = std::atoi(text); number > 0)
      return number;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

} // namespace partita
