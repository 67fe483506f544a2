// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cpu/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "runtime/cpu/CpuFeatures.h"
#include "runtime/cpu/FloatControl.h"

namespace graphc::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// How long a worker spins without work before it sleeps. Waking one costs about
// 50 us, so a step may make it wait longer than the gap between steps.
constexpr auto spinInStep = std::chrono::milliseconds(2);
constexpr auto spinBetweenSteps = std::chrono::microseconds(150);

/// A thread's share of a loop is cut in multiples of 1/1024. A claim takes half
/// of what is left of it, but no less than 1/16 (1/4 with eight threads or
/// more): five claims for a share, and still a fine end.
constexpr int64_t scheduleUnits = 1024;
constexpr unsigned finestChunks = 32;

/// The low bits of Share::claimed count chunks; the others name the loop.
constexpr unsigned chunkBits = 16;

/// Counts forks: a child has the pool's memory, but none of its workers.
std::atomic<unsigned> forkCount{0};

unsigned currentForkGeneration() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    forkCount.fetch_add(1, std::memory_order_relaxed);
  });
  (void)registered;
  return forkCount.load(std::memory_order_relaxed);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAIT_PRIVATE,
          expected, nullptr, nullptr, 0);
}

void futexWake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAKE_PRIVATE, 1,
          nullptr, nullptr, 0);
}

/// Keeps this thread on one CPU. A refusal only costs speed. Allocates nothing:
/// an exception on a worker would end the process.
void pinTo(int cpu) {
  cpu_set_t set[8] = {};
  if (static_cast<size_t>(cpu) >= sizeof(set) * 8)
    return;
  CPU_SET_S(static_cast<size_t>(cpu), sizeof(set), set);
  sched_setaffinity(0, sizeof(set), set);
}

} // namespace

struct alignas(64) ThreadPool::Worker {
  ThreadPool *pool = nullptr;
  unsigned index = 0;
  int cpu = -1; // To be pinned to.
  pthread_t thread;
  std::atomic<uint32_t> isAsleep{0};
};

/// How far a thread's share of a loop has been claimed. The number of the loop
/// is in it, so that a new loop has nothing to reset in other threads' caches.
struct alignas(64) ThreadPool::Share {
  std::atomic<uint64_t> claimed{0};
};

ThreadPool::ThreadPool(unsigned threads, bool pin)
    : threadCount(std::max(1u, threads)),
      isOversubscribed(threads > usableCpuCount()), pin(pin),
      forkGeneration(currentForkGeneration()),
      workers(threadCount > 1 ? new Worker[threadCount - 1] : nullptr),
      shares(new Share[threadCount]) {
  chunkEnds.reserve(scheduleUnits);
}

ThreadPool::~ThreadPool() {
  if (!belongsToThisProcess())
    return;
  stopping.store(true);
  wake(started);
  for (unsigned i = 0; i < started; ++i)
    pthread_join(workers[i].thread, nullptr);
}

bool ThreadPool::belongsToThisProcess() const {
  return forkGeneration == forkCount.load(std::memory_order_relaxed);
}

bool ThreadPool::start(unsigned threads) {
  // Before the lock, which another thread may have held at the fork.
  if (!belongsToThisProcess())
    return threads <= 1;
  std::lock_guard<std::mutex> lock(startMutex);
  unsigned wanted = std::min(threads, threadCount) - 1;
  if (started >= wanted)
    return true;
  std::vector<int> cpus;
  if (pin)
    cpus = allowedCpus();
  // The host's signal handlers run on the host's threads.
  sigset_t all, saved;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &saved);
  while (started < wanted) {
    Worker &worker = workers[started];
    worker.pool = this;
    worker.index = started;
    if (cpus.size() > 1)
      worker.cpu = cpus[(started + 1) % cpus.size()];
    auto entry = [](void *data) -> void * {
      auto &self = *static_cast<Worker *>(data);
      self.pool->work(self);
      return nullptr;
    };
    if (pthread_create(&worker.thread, nullptr, entry, &worker) != 0)
      break;
    ++started;
  }
  pthread_sigmask(SIG_SETMASK, &saved, nullptr);
  return started == wanted;
}

void ThreadPool::work(Worker &worker) {
  char name[16];
  std::snprintf(name, sizeof(name), "graphc-%u", worker.index + 1);
  pthread_setname_np(pthread_self(), name);
  if (worker.cpu >= 0)
    pinTo(worker.cpu);
  // A new thread inherits its creator's state, whatever that was.
  DefaultFloatControl floatControl;

  uint64_t seenLoop = 0;
  unsigned idleSpins = 0;
  Clock::time_point idleSince = Clock::now();
  while (!stopping.load(std::memory_order_relaxed)) {
    uint64_t current = loop.load(std::memory_order_acquire);
    if (current != seenLoop && (current & 1)) {
      seenLoop = current;
      if (joinLoop(worker, current))
        idleSpins = 0;
      continue;
    }
    pause();
    if (isOversubscribed && idleSpins % 64 == 63)
      sched_yield();
    // Reading the clock costs as much as a loop's hand-over: not every time.
    if (idleSpins++ % 64 != 0)
      continue;
    Clock::time_point now = Clock::now();
    if (idleSpins == 1)
      idleSince = now;
    bool isInStep = inStep.load(std::memory_order_relaxed);
    if (now - idleSince > (isInStep ? Clock::duration(spinInStep)
                                    : Clock::duration(spinBetweenSteps))) {
      sleep(worker, seenLoop);
      idleSpins = 0;
    }
  }
}

// Pairs with the end of parallelFor(): either this worker sees the loop closed,
// or the caller sees it inside and waits.
bool ThreadPool::joinLoop(const Worker &worker, uint64_t current) {
  inside.fetch_add(1, std::memory_order_seq_cst);
  bool takesPart = loop.load(std::memory_order_seq_cst) == current &&
                   worker.index < loopWorkers;
  if (takesPart)
    runChunks(worker.index + 1, current);
  inside.fetch_sub(1, std::memory_order_release);
  return takesPart;
}

// The same share for the same thread in every loop: what it wrote in the last
// one is in its cache. Then what the others have not come to.
void ThreadPool::runChunks(unsigned self, uint64_t current) {
  const unsigned threads = loopWorkers + 1;
  for (unsigned i = 0; i < threads; ++i)
    runShare((self + i) % threads, threads, current);
}

void ThreadPool::runShare(unsigned number, unsigned threads, uint64_t current) {
  auto cut = [](int64_t length, int64_t part, int64_t parts) {
    // In two terms, as the product itself might not fit.
    return length / parts * part + length % parts * part / parts;
  };
  const int64_t first = cut(count, number, threads);
  const int64_t length = cut(count, number + 1, threads) - first;
  for (;;) {
    int64_t chunk = claim(shares[number], current);
    if (chunk < 0)
      return;
    int64_t begin =
        chunk ? cut(length, chunkEnds[chunk - 1], scheduleUnits) : 0;
    int64_t end = cut(length, chunkEnds[chunk], scheduleUnits);
    if (begin != end)
      body(context, first + begin, first + end);
  }
}

int64_t ThreadPool::claim(Share &share, uint64_t current) {
  uint64_t claimed = share.claimed.load(std::memory_order_relaxed);
  for (;;) {
    bool isOfThisLoop = claimed >> chunkBits == current;
    uint64_t chunk = isOfThisLoop ? claimed & ((1 << chunkBits) - 1) : 0;
    if (chunk >= chunkEnds.size())
      return -1;
    if (share.claimed.compare_exchange_weak(claimed,
                                            (current << chunkBits) + chunk + 1,
                                            std::memory_order_relaxed))
      return static_cast<int64_t>(chunk);
  }
}

void ThreadPool::setSchedule(unsigned threads) {
  if (scheduleThreads == threads)
    return;
  scheduleThreads = threads;
  chunkEnds.clear(); // The room stays: a step must not allocate.
  const int64_t finest = scheduleUnits / std::max(4u, finestChunks / threads);
  for (int64_t at = 0; at < scheduleUnits;) {
    at = std::min(at + std::max(finest, (scheduleUnits - at) / 2),
                  scheduleUnits);
    chunkEnds.push_back(static_cast<uint16_t>(at));
  }
}

// Pairs with wake(): either this worker sees what has changed since, or the
// waker sees it asleep.
void ThreadPool::sleep(Worker &worker, uint64_t seenLoop) {
  sleeping.fetch_add(1, std::memory_order_seq_cst);
  worker.isAsleep.store(1, std::memory_order_seq_cst);
  uint64_t current = loop.load(std::memory_order_seq_cst);
  bool hasWork = (current & 1) && current != seenLoop;
  if (!hasWork && !stopping.load(std::memory_order_seq_cst))
    while (worker.isAsleep.load(std::memory_order_relaxed) == 1)
      futexWait(worker.isAsleep, 1);
  worker.isAsleep.store(0, std::memory_order_relaxed);
  sleeping.fetch_sub(1, std::memory_order_relaxed);
}

void ThreadPool::wake(unsigned count) {
  if (sleeping.load(std::memory_order_seq_cst) == 0)
    return;
  for (unsigned i = 0; i < count; ++i)
    if (workers[i].isAsleep.load(std::memory_order_seq_cst) == 1 &&
        workers[i].isAsleep.exchange(0, std::memory_order_seq_cst) == 1)
      futexWake(workers[i].isAsleep);
}

ThreadPool::Lease::Lease(ThreadPool *candidate, unsigned threads) {
  if (!candidate || threads < 2 || !candidate->belongsToThisProcess())
    return;
  unsigned running = candidate->started.load(std::memory_order_acquire);
  if (running == 0 ||
      candidate->isTaken.exchange(true, std::memory_order_acquire))
    return;
  pool = candidate;
  workers = std::min(threads - 1, running);
  pool->setSchedule(workers + 1);
  pool->inStep.store(true, std::memory_order_relaxed);
  pool->wake(workers);
}

ThreadPool::Lease::~Lease() {
  if (!pool)
    return;
  pool->inStep.store(false, std::memory_order_relaxed);
  pool->isTaken.store(false, std::memory_order_release);
}

void ThreadPool::Lease::parallelFor(Body body, const void *context,
                                    int64_t count) {
  if (count <= 1) {
    if (count == 1)
      body(context, 0, 1);
    return;
  }
  pool->body = body;
  pool->context = context;
  pool->count = count;
  pool->loopWorkers = workers;
  uint64_t number = pool->loop.load(std::memory_order_relaxed) + 1;
  pool->loop.store(number, std::memory_order_seq_cst);
  pool->wake(workers);
  pool->runChunks(0, number);
  // All chunks are claimed. Nobody new comes in; wait for those who are.
  pool->loop.store(number + 1, std::memory_order_seq_cst);
  for (unsigned spins = 1; pool->inside.load(std::memory_order_seq_cst) != 0;
       ++spins) {
    pause();
    // Yielding would give a competitor the whole tick, so only where there are
    // more threads than CPUs and waiting is for a thread that needs this one.
    if (pool->isOversubscribed && spins % 64 == 0)
      sched_yield();
  }
}

} // namespace graphc::runtime
