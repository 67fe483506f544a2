// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run the parallel loops of kernels.
//
// A step takes the pool (Lease), opens one loop after the other, and gives it
// back. In a loop the caller and the workers claim chunks, each of its own share
// first, the same part in every loop, since data that another core wrote come
// slowly; then of the others', so a worker that lost its CPU delays nothing but
// the chunk it holds. Workers spin while a step is on and for a moment after it,
// then sleep in the kernel.
#ifndef GRAPHC_RUNTIME_CPU_THREADPOOL_H
#define GRAPHC_RUNTIME_CPU_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace graphc::runtime {

class ThreadPool {
public:
  /// Runs items [begin, end) of a loop.
  using Body = void (*)(const void *context, int64_t begin, int64_t end);

  /// A pool of `threads` threads, the caller's included. None starts before
  /// start(). `pin` keeps worker i on the i-th allowed CPU.
  ThreadPool(unsigned threads, bool pin);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return threadCount; }

  /// Starts workers until `threads` can run, the caller's included. Returns
  /// false if the system refuses one; those that run stay. A pool of a parent
  /// process starts none.
  bool start(unsigned threads);

  /// False in a child that was forked after the pool was made: there the pool
  /// has no workers and never will.
  bool belongsToThisProcess() const;

  /// The right to use the pool. At most one exists at a time.
  class Lease {
  public:
    /// Takes `pool` for up to `threads` threads, unless it is taken, has no
    /// worker, or is a parent process's: then the lease is empty.
    Lease(ThreadPool *pool, unsigned threads);
    ~Lease();
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    explicit operator bool() const { return pool; }

    /// Calls `body` on disjoint ranges that cover [0, count); returns when all
    /// are done. The lease is not empty, and no call is under way.
    void parallelFor(Body body, const void *context, int64_t count);

  private:
    ThreadPool *pool = nullptr;
    unsigned workers = 0;
  };

private:
  struct Worker;
  struct Share;

  void work(Worker &worker);
  bool joinLoop(const Worker &worker, uint64_t current);
  void runChunks(unsigned self, uint64_t current);
  void runShare(unsigned number, unsigned threads, uint64_t current);
  int64_t claim(Share &share, uint64_t current);
  void sleep(Worker &worker, uint64_t seenLoop);
  void wake(unsigned workers);
  void setSchedule(unsigned threads);

  static constexpr size_t cacheLine = 64;

  const unsigned threadCount;
  const bool isOversubscribed;
  const bool pin;
  const unsigned forkGeneration;
  std::mutex startMutex;
  std::unique_ptr<Worker[]> workers;
  std::unique_ptr<Share[]> shares;
  std::atomic<unsigned> started{0}; // Workers.
  std::atomic<bool> isTaken{false};
  // How a share is cut: chunk i ends at chunkEnds[i] / scheduleUnits of it.
  unsigned scheduleThreads = 0;
  std::vector<uint16_t> chunkEnds;

  // The loop under way. Written by the lease's thread while no worker is
  // inside.
  alignas(cacheLine) Body body = nullptr;
  const void *context = nullptr;
  int64_t count = 0;
  unsigned loopWorkers = 0;

  // Number of the last loop, twice, and 1 more while it is open.
  alignas(cacheLine) std::atomic<uint64_t> loop{0};
  std::atomic<bool> inStep{false};
  std::atomic<bool> stopping{false};
  std::atomic<unsigned> sleeping{0};
  alignas(cacheLine) std::atomic<unsigned> inside{0}; // Workers in `loop`.
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CPU_THREADPOOL_H
