// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/limits/Limits.h"

#include <algorithm>

#include "bench/limits/Loops.h"

#if defined(__x86_64__)

#include <atomic>
#include <ctime>
#include <functional>
#include <new>
#include <thread>
#include <vector>

namespace bench {
namespace {

constexpr size_t kFloats = size_t{16} << 20; // 64 MiB, beyond every cache.
constexpr long kFmaRounds = 400'000;
constexpr int kRepeats = 12;

/// Of one thread alone its processor's time, which others do not lengthen.
double seconds(unsigned threads) {
  timespec now{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

struct Floats {
  Floats()
      : data(static_cast<float *>(operator new(kFloats * sizeof(float),
                                               std::align_val_t{64}))) {
    std::fill_n(data, kFloats, 0.5f);
  }
  ~Floats() { operator delete(data, std::align_val_t{64}); }
  Floats(const Floats &) = delete;
  Floats &operator=(const Floats &) = delete;
  float *data;
};

/// Shortest time that `work(thread)` took on all threads at once.
double shortest(unsigned threads, const std::function<void(unsigned)> &work) {
  double best = 1e9;
  std::atomic<unsigned> arrived{0};
  // Everyone's `round`-th arrival lets everyone go on.
  auto meet = [&](unsigned round) {
    ++arrived;
    while (arrived.load() < threads * round)
      std::this_thread::yield();
  };
  auto body = [&](unsigned thread) {
    for (unsigned repeat = 0; repeat < kRepeats; ++repeat) {
      meet(2 * repeat + 1);
      double start = seconds(threads);
      work(thread);
      meet(2 * repeat + 2);
      if (thread == 0)
        best = std::min(best, seconds(threads) - start);
    }
  };
  std::vector<std::thread> others;
  for (unsigned thread = 1; thread < threads; ++thread)
    others.emplace_back(body, thread);
  body(0);
  for (std::thread &other : others)
    other.join();
  return best;
}

volatile float sink; // Keeps results alive.

} // namespace

Limits measureLimits(unsigned threads) {
  Limits limits;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return limits;
  bool isWide = __builtin_cpu_supports("avx512f");
  double time = shortest(threads, [&](unsigned) {
    sink = isWide ? fmaLoop512(kFmaRounds, 0.5f) : fmaLoop256(kFmaRounds, 0.5f);
  });
  limits.fmaGflops = 1e-9 * threads * kFmaRounds *
                     (isWide ? kFlopsPerRound512 : kFlopsPerRound256) / time;

  Floats p, g, m, v;
  size_t each = kFloats / threads / 64 * 64;
  double gigabytes = 1e-9 * sizeof(float) * static_cast<double>(each * threads);
  time = shortest(threads, [&](unsigned thread) {
    sink = readStream(p.data + thread * each, each);
  });
  limits.readGBs = gigabytes / time;
  time = shortest(threads, [&](unsigned thread) {
    copyStream(p.data + thread * each, g.data + thread * each, each);
  });
  limits.copyGBs = 2 * gigabytes / time;
  time = shortest(threads, [&](unsigned thread) {
    size_t at = thread * each;
    adamwStreams(p.data + at, g.data + at, m.data + at, v.data + at, each);
  });
  limits.adamwGBs = 7 * gigabytes / time;
  return limits;
}

} // namespace bench

#else

bench::Limits bench::measureLimits(unsigned) { return {}; }

#endif

double bench::Limits::bestStreamGBs() const {
  return std::max({readGBs, copyGBs, adamwGBs});
}
