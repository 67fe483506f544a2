// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread counts change nothing but speed.
#include "test/unit/runtime/core/ToyModel.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "runtime/core/Executor.h"
#include "runtime/cpu/CpuFeatures.h"
#include "runtime/cpu/FloatControl.h"
#include "runtime/cpu/ThreadPool.h"

namespace {

using graphc::runtime::ThreadPool;

ContextPtr makeContext(uint32_t threads) {
  graphc_context_options options = {};
  options.struct_bytes = sizeof(options);
  options.threads = threads;
  graphc_context *context = nullptr;
  EXPECT_EQ(graphc_context_create(&options, &context), GRAPHC_OK);
  return ContextPtr(context);
}

ModelPtr loadWith(const ContextPtr &context) {
  graphc_load_options options = loadOptions();
  options.context = context.get();
  return loadModel(toyPath("toy"), options);
}

/// Who ran how many items of a loop.
struct Visits {
  explicit Visits(int64_t count) : times(static_cast<size_t>(count)) {}
  static void body(const void *context, int64_t begin, int64_t end) {
    auto &self = *static_cast<Visits *>(const_cast<void *>(context));
    for (int64_t i = begin; i < end; ++i)
      self.times[static_cast<size_t>(i)].fetch_add(1);
    self.chunks.fetch_add(1);
    std::unique_lock<std::mutex> lock(self.mutex);
    self.threads.insert(std::this_thread::get_id());
    self.firstItems.emplace(std::this_thread::get_id(), begin);
    self.arrived.notify_all();
    // Nobody goes on before all are there, however busy the machine is.
    self.arrived.wait_for(lock, std::chrono::seconds(10),
                          [&] { return self.threads.size() >= self.awaited; });
  }
  void expectOnce() {
    for (auto &count : times)
      ASSERT_EQ(count.load(), 1);
  }
  std::vector<std::atomic<int>> times;
  std::atomic<int> chunks{0};
  size_t awaited = 0;
  std::mutex mutex;
  std::condition_variable arrived;
  std::set<std::thread::id> threads;
  std::map<std::thread::id, int64_t> firstItems;
};

TEST(ThreadPool, CoversEveryItemOnce) {
  for (unsigned threads : {2u, 3u, 4u, 7u}) {
    ThreadPool pool(threads, false);
    ASSERT_TRUE(pool.start(threads));
    ThreadPool::Lease lease(&pool, threads);
    ASSERT_TRUE(lease);
    for (int64_t count : {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 1000, 1025}) {
      Visits visits(count);
      lease.parallelFor(Visits::body, &visits, count);
      visits.expectOnce();
      EXPECT_LE(visits.chunks.load(), 32);
    }
  }
}

TEST(ThreadPool, AllThreadsTakePart) {
  for (unsigned threads : {2u, 4u}) {
    ThreadPool pool(threads, false);
    ASSERT_TRUE(pool.start(threads));
    ThreadPool::Lease lease(&pool, threads);
    Visits visits(64);
    visits.awaited = threads;
    lease.parallelFor(Visits::body, &visits, 64);
    EXPECT_EQ(visits.threads.size(), threads);
  }
}

// What a thread wrote in one loop is in its cache in the next.
TEST(ThreadPool, EachThreadBeginsWithTheSameShareOfEveryLoop) {
  ThreadPool pool(3, false);
  ASSERT_TRUE(pool.start(3));
  ThreadPool::Lease lease(&pool, 3);
  std::map<std::thread::id, int64_t> before;
  for (int loop = 0; loop < 10; ++loop) {
    Visits visits(60);
    visits.awaited = 3;
    lease.parallelFor(Visits::body, &visits, 60);
    visits.expectOnce();
    EXPECT_EQ(visits.firstItems[std::this_thread::get_id()], 0);
    std::set<int64_t> starts;
    for (auto [thread, item] : visits.firstItems)
      starts.insert(item);
    EXPECT_EQ(starts, (std::set<int64_t>{0, 20, 40}));
    if (loop > 0) {
      EXPECT_EQ(visits.firstItems, before);
    }
    before = visits.firstItems;
  }
}

TEST(ThreadPool, LeaseForFewerThreadsUsesFewer) {
  ThreadPool pool(4, false);
  ASSERT_TRUE(pool.start(4));
  ThreadPool::Lease lease(&pool, 2);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Visits visits(64);
    visits.awaited = 2;
    lease.parallelFor(Visits::body, &visits, 64);
    ASSERT_EQ(visits.threads.size(), 2u);
  }
}

TEST(ThreadPool, WorkersSleepAndWake) {
  ThreadPool pool(3, false);
  ASSERT_TRUE(pool.start(3));
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ThreadPool::Lease lease(&pool, 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(10)); // In a step.
    Visits visits(64);
    visits.awaited = 3;
    lease.parallelFor(Visits::body, &visits, 64);
    visits.expectOnce();
    EXPECT_EQ(visits.threads.size(), 3u);
  }
}

/// True once every worker thread of this process sleeps in the kernel.
bool allWorkersSleep() {
  int workers = 0, sleeping = 0;
  for (const auto &task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    std::string stat = readFile(task.path().string() + "/stat");
    size_t name = stat.find("(graphc-");
    if (name == std::string::npos)
      continue;
    ++workers;
    sleeping += stat[stat.find(") ", name) + 2] == 'S';
  }
  EXPECT_GE(workers, 3);
  return sleeping == workers;
}

// Between steps a pool costs nothing.
TEST(ThreadPool, IdleWorkersSleep) {
  ThreadPool pool(4, false);
  ASSERT_TRUE(pool.start(4));
  for (int repeat = 0; repeat < 3; ++repeat) {
    {
      ThreadPool::Lease lease(&pool, 4);
      Visits visits(64);
      visits.awaited = 4;
      lease.parallelFor(Visits::body, &visits, 64);
    }
    bool asleep = false;
    for (int wait = 0; wait < 1000 && !asleep; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      asleep = allWorkersSleep();
    }
    EXPECT_TRUE(asleep);
  }
}

TEST(ThreadPool, TakenPoolGivesNoLease) {
  ThreadPool pool(2, false);
  ASSERT_TRUE(pool.start(2));
  {
    ThreadPool::Lease first(&pool, 2), second(&pool, 2);
    EXPECT_TRUE(first);
    EXPECT_FALSE(second);
  }
  ThreadPool::Lease third(&pool, 2);
  EXPECT_TRUE(third);
}

TEST(Threads, AnyNumberGivesTheSameBits) {
  Array<float> x({1000}), expected({1000});
  std::iota(x.values.begin(), x.values.end(), -500.3f);
  {
    ModelPtr model = loadWith(makeContext(1));
    ASSERT_EQ(run(model, "square", {x.tensor()}, {expected.tensor()}),
              GRAPHC_OK);
  }
  for (uint32_t threads : {2u, 3u, 4u, 7u}) {
    ModelPtr model = loadWith(makeContext(threads));
    graphc_model_info info = {};
    info.struct_bytes = sizeof(info);
    ASSERT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
    EXPECT_EQ(info.threads, threads);
    for (int repeat = 0; repeat < 200; ++repeat) {
      Array<float> y({1000});
      ASSERT_EQ(run(model, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
      ASSERT_EQ(y.values, expected.values);
    }
  }
}

TEST(Threads, LowestFailingPositionWins) {
  ModelPtr model = loadWith(makeContext(4));
  Array<int64_t> ids({1000}, std::vector<int64_t>(1000, 49));
  for (size_t i : {990u, 700u, 333u, 334u, 999u})
    ids.values[i] = 50 + static_cast<int64_t>(i);
  for (int repeat = 0; repeat < 200; ++repeat) {
    ASSERT_EQ(run(model, "check_ids", {ids.tensor()}, {}), GRAPHC_OUT_OF_RANGE);
    ASSERT_EQ(message(),
              "toy.mlir:40:5: graph.gather expects indices in [0, 50), but got "
              "383 at element 333; @check_ids changed no state");
  }
}

TEST(Threads, ModelsThatShareAPoolDoNotWait) {
  ContextPtr context = makeContext(3);
  Array<float> x({1000});
  std::iota(x.values.begin(), x.values.end(), 1.0f);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      ModelPtr model = loadWith(context);
      Array<float> y({1000});
      for (int repeat = 0; repeat < 300; ++repeat) {
        std::fill(y.values.begin(), y.values.end(), 0.0f);
        ASSERT_EQ(run(model, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
        for (size_t j = 0; j < 1000; ++j)
          ASSERT_EQ(y.values[j], x.values[j] * x.values[j]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Threads, ModelOutlivesItsContext) {
  ContextPtr context = makeContext(2);
  ModelPtr model = loadWith(context);
  context.reset();
  Array<float> x({1000}), y({1000});
  EXPECT_EQ(run(model, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
}

TEST(Threads, ExplicitNumberBeyondTheDefaultPoolGetsItsOwn) {
  graphc_load_options options = loadOptions();
  options.threads = 8;
  ModelPtr model = loadModel(toyPath("toy"), options);
  graphc_model_info info = {};
  info.struct_bytes = sizeof(info);
  ASSERT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
  EXPECT_EQ(info.threads, 8u);
}

TEST(Threads, MaskOfOneCpuMeansOneThread) {
  std::vector<int> cpus = graphc::runtime::allowedCpus();
  ASSERT_FALSE(cpus.empty());
  unsigned counted = 0;
  std::thread thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpus[0], &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    counted = graphc::runtime::usableCpuCount();
    ContextPtr context = makeContext(0);
    ModelPtr model = loadWith(context);
    Array<float> x({1000}), y({1000});
    EXPECT_EQ(run(model, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
    // Two threads on one CPU must work as well.
    ModelPtr two = loadWith(makeContext(2));
    for (int repeat = 0; repeat < 20; ++repeat)
      EXPECT_EQ(run(two, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
  });
  thread.join();
  EXPECT_EQ(counted, 1u);
}

/// The CPUs that the threads of a loop may run on.
struct Masks {
  static void body(const void *context, int64_t, int64_t) {
    auto &self = *static_cast<Masks *>(const_cast<void *>(context));
    std::vector<int> cpus = graphc::runtime::allowedCpus();
    std::unique_lock<std::mutex> lock(self.mutex);
    self.cpus[std::this_thread::get_id()] = cpus;
    self.arrived.notify_all();
    self.arrived.wait_for(lock, std::chrono::seconds(10),
                          [&] { return self.cpus.size() == self.awaited; });
  }
  size_t awaited;
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::thread::id, std::vector<int>> cpus;
};

// Worker i stays on the i-th allowed CPU, the caller wherever it was; without
// pinning, all do.
TEST(ThreadPool, WorkersStayOnTheirCpus) {
  const std::vector<int> allowed = graphc::runtime::allowedCpus();
  const size_t threads = std::min<size_t>(allowed.size(), 4);
  if (threads < 2)
    GTEST_SKIP() << "one CPU";
  for (bool pin : {true, false}) {
    ThreadPool pool(static_cast<unsigned>(threads), pin);
    ASSERT_TRUE(pool.start(static_cast<unsigned>(threads)));
    Masks masks;
    masks.awaited = threads;
    ThreadPool::Lease lease(&pool, static_cast<unsigned>(threads));
    lease.parallelFor(Masks::body, &masks, 64);
    ASSERT_EQ(masks.cpus.size(), threads);
    EXPECT_EQ(masks.cpus[std::this_thread::get_id()], allowed);
    std::set<std::vector<int>> ofWorkers, expected;
    for (const auto &[thread, cpus] : masks.cpus)
      if (thread != std::this_thread::get_id())
        ofWorkers.insert(cpus);
    for (size_t i = 1; i < threads; ++i)
      expected.insert(pin ? std::vector<int>{allowed[i]} : allowed);
    EXPECT_EQ(ofWorkers, expected);
  }
}

// The environment speaks for contexts that name no number, and for no other.
TEST(Threads, NumberInTheEnvironment) {
  auto threadsOf = [](uint32_t threads) {
    ModelPtr model = loadWith(makeContext(threads));
    graphc_model_info info = {};
    info.struct_bytes = sizeof(info);
    EXPECT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
    return info.threads;
  };
  uint32_t usual = threadsOf(0);
  ASSERT_EQ(setenv("GRAPHC_NUM_THREADS", "5", 1), 0);
  EXPECT_EQ(threadsOf(0), 5u);
  EXPECT_EQ(threadsOf(3), 3u);
  ASSERT_EQ(setenv("GRAPHC_NUM_THREADS", "100", 1), 0);
  EXPECT_EQ(threadsOf(0), 8u); // What the model was compiled for.
  ASSERT_EQ(unsetenv("GRAPHC_NUM_THREADS"), 0);
  EXPECT_EQ(threadsOf(0), usual);
}

TEST(Threads, ForkedChildRunsOnOneThread) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer does not support this";
#endif
#endif
  ModelPtr model = loadWith(makeContext(3));
  Array<float> x({1000}), y({1000});
  std::iota(x.values.begin(), x.values.end(), 1.0f);
  ASSERT_EQ(run(model, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // A hang must not outlive the test.
    Array<float> own({1000});
    bool same =
        run(model, "square", {x.tensor()}, {own.tensor()}) == GRAPHC_OK &&
        own.values == y.values;
    model.reset(); // Must not wait for threads that are not there.
    _exit(same ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(run(model, "square", {x.tensor()}, {y.tensor()}), GRAPHC_OK);
}

/// What `child` returns in a forked process; -1 if it does not end well.
int inForkedChild(int (*child)(const ContextPtr &), const ContextPtr &context) {
  pid_t pid = fork();
  if (pid == 0) {
    alarm(20); // A hang must not outlive the test.
    _exit(child(context));
  }
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int threadsOfThisProcess() {
  std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

// A context of the parent starts no thread in the child: nobody would join it.
TEST(Threads, ForkedChildLoadsModels) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer does not support this";
#endif
#endif
  // Started in the parent, and not yet started.
  ContextPtr used = makeContext(3), fresh = makeContext(3);
  ModelPtr parent = loadWith(used);
  auto child = [](const ContextPtr &context) {
    Array<float> x({1000}, std::vector<float>(1000, 3)), y({1000});
    ModelPtr model = loadWith(context);
    graphc_model_info info = {};
    info.struct_bytes = sizeof(info);
    if (graphc_model_describe(model.get(), &info) != GRAPHC_OK)
      return 1;
    if (info.threads != 1)
      return 2;
    if (run(model, "square", {x.tensor()}, {y.tensor()}) != GRAPHC_OK ||
        y.values[999] != 9)
      return 3;
    if (threadsOfThisProcess() != 1)
      return 4;
    graphc_load_options options = loadOptions();
    options.context = context.get();
    options.threads = 2;
    if (loadStatus(toyPath("toy"), options) != GRAPHC_INVALID_ARGUMENT ||
        message() != "the context has 1 threads since this process was forked, "
                     "but got a request for 2")
      return 5;
    // Without a context the model gets a pool of the child's own.
    options.context = nullptr;
    ModelPtr parallel = loadModel(toyPath("toy"), options);
    if (threadsOfThisProcess() != 2)
      return 6;
    return run(parallel, "square", {x.tensor()}, {y.tensor()}) == GRAPHC_OK ? 0
                                                                            : 7;
  };
  EXPECT_EQ(inForkedChild(child, used), 0);
  EXPECT_EQ(inForkedChild(child, fresh), 0);
}

TEST(ThreadPool, OfAParentProcessStartsNoThread) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer does not support this";
#endif
#endif
  static ThreadPool pool(3, false);
  EXPECT_EQ(inForkedChild(
                [](const ContextPtr &) {
                  return pool.start(3) || threadsOfThisProcess() != 1 ? 1 : 0;
                },
                nullptr),
            0);
  EXPECT_TRUE(pool.belongsToThisProcess());
  EXPECT_TRUE(pool.start(3));
}

// A host that flushes denormals, rounds up or traps gets the same results and
// keeps its settings.
TEST(Threads, FloatControlIsDefaultInsideAndKeptOutside) {
  using graphc::runtime::DefaultFloatControl;
  Array<float> x({1000}, std::vector<float>(1000, 1e-20f)), y({1000});
  auto hostState = DefaultFloatControl::read();
#if defined(__x86_64__)
  auto odd = hostState | 0x8040 | 0x4000; // Flush, denormals are zero, upward.
#else
  auto odd = hostState | (1ull << 24) | (1ull << 22);
#endif
  DefaultFloatControl::write(odd);
  ModelPtr model = loadWith(makeContext(3)); // Threads start in this state.
  graphc_status status = run(model, "square", {x.tensor()}, {y.tensor()});
  auto after = DefaultFloatControl::read();
  DefaultFloatControl::write(hostState);
  ASSERT_EQ(status, GRAPHC_OK);
  EXPECT_EQ(after, odd);
  for (float value : y.values)
    ASSERT_EQ(value, 1e-20f * 1e-20f); // A denormal, rounded to nearest.
  EXPECT_GT(y.values[0], 0.0f);
}

/// What the threads of a pool are like inside a loop.
struct Observed {
  static void body(const void *context, int64_t, int64_t) {
    auto &self = *static_cast<Observed *>(const_cast<void *>(context));
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    std::unique_lock<std::mutex> lock(self.mutex);
    self.blocksSignals[std::this_thread::get_id()] =
        sigismember(&mask, SIGTERM) == 1;
    self.floatState[std::this_thread::get_id()] =
        graphc::runtime::DefaultFloatControl::read();
    self.arrived.notify_all();
    self.arrived.wait_for(lock, std::chrono::seconds(10),
                          [&] { return self.blocksSignals.size() == 3; });
  }
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::thread::id, bool> blocksSignals;
  std::map<std::thread::id, uint64_t> floatState;
};

TEST(ThreadPool, WorkersBlockSignalsAndHaveDefaultFloatControl) {
  using graphc::runtime::DefaultFloatControl;
  auto hostState = DefaultFloatControl::read();
#if defined(__x86_64__)
  DefaultFloatControl::write(hostState | 0x8040 | 0x4000);
#else
  DefaultFloatControl::write(hostState | (1ull << 24) | (1ull << 22));
#endif
  ThreadPool pool(3, false);
  bool started = pool.start(3); // A thread inherits its creator's state.
  DefaultFloatControl::write(hostState);
  ASSERT_TRUE(started);
  ThreadPool::Lease lease(&pool, 3);
  Observed observed;
  lease.parallelFor(Observed::body, &observed, 64);
  ASSERT_EQ(observed.blocksSignals.size(), 3u);
  constexpr uint64_t stickyFlags = 0x3f; // Of MXCSR; not control.
  for (auto [thread, blocks] : observed.blocksSignals) {
    EXPECT_EQ(blocks, thread != std::this_thread::get_id());
    EXPECT_EQ(observed.floatState[thread] & ~stickyFlags,
              DefaultFloatControl::defaultState);
  }
}

TEST(Executor, LowestNotedPositionWins) {
  graphc::runtime::ExecutionEnv env(nullptr, nullptr);
  const graphc_env *kernelEnv = env.get();
  EXPECT_FALSE(env.failed());
  for (int64_t position : {9, 3, 5})
    kernelEnv->fail_index(kernelEnv, position, 100 + position, 50);
  EXPECT_TRUE(env.failed());
  EXPECT_EQ(env.position, 3);
  EXPECT_EQ(env.value, 103);
  EXPECT_EQ(env.limit, 50);
}

} // namespace
