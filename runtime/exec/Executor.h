//===- Executor.h - Cooperative workers -------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixed number of workers runs any number of tasks. A task never waits: it
// runs until it has nothing to do and returns; whoever has something for it
// again spawns it. So when no task runs and none is ready, either all is done
// or the rest can never go on, and `run` returns.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_EXEC_EXECUTOR_H
#define PARTITA_RUNTIME_EXEC_EXECUTOR_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace partita {

class Executor {
public:
  /// Something that runs for a while on one worker.
  class Task {
  public:
    virtual ~Task() = default;
    virtual void run() = 0;
  };

  /// Work in pieces that may run at once and in any order.
  class Job {
  public:
    virtual ~Job() = default;
    virtual void runPieces(int64_t begin, int64_t end) = 0;
    /// Goes on after the last piece, on a worker that helped.
    virtual void resume() = 0;

  private:
    friend class Executor;
    std::atomic<int64_t> next{0};
    int64_t total = 0, grain = 1;
    int numHelpers = 0;        // guarded by the executor's mutex
    bool hasOwnerLeft = false; // guarded by the executor's mutex
  };

  /// `numWorkers` counts the thread that calls `run`.
  explicit Executor(int numWorkers);
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  int getNumWorkers() const { return numWorkers; }

  /// Runs the tasks, and all that they spawn, until none is left. One call at
  /// a time.
  void run(std::span<Task *const> tasks);

  /// Makes tasks ready, from within a running one.
  void spawn(std::span<Task *const> tasks);

  /// Runs pieces [0, total) of a job, `grain` at a time, with the help of
  /// workers that have nothing else to do. True when all are done and the
  /// caller goes on; false when a helper has taken over, which calls
  /// `resume()`: the caller must then leave the job, and what it belongs to,
  /// alone.
  [[nodiscard]] bool share(Job &job, int64_t total, int64_t grain);

private:
  void work(bool isCaller);
  void runPieces(Job &job);
  void help(Job &job, std::unique_lock<std::mutex> &lock);
  void wake(size_t count);
  bool isQuiet() const {
    return numRunning == 0 && ready.empty() && open.empty();
  }

  const int numWorkers;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task *> ready;
  std::vector<Job *> open;
  size_t numIdle = 0;
  int numRunning = 0;
  bool isStopping = false;
  std::vector<std::thread> threads;
};

/// The number of workers to use: `requested` when positive, else the
/// environment's PARTITA_WORKERS, else the processors that this process may
/// run on.
int chooseNumWorkers(int requested);

} // namespace partita

#endif // PARTITA_RUNTIME_EXEC_EXECUTOR_H
