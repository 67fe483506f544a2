// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's own names for printed kernels, so that the same text runs on a CPU:
// one fiber per thread, blocks one after another. A thread runs until it
// waits for others, so a missing wait shows in one of the two thread orders.
// What it models: threadIdx and blockIdx in one dimension, shared memory
// (poisoned), __shfl_sync, __shfl_xor_sync and __syncwarp on part of a warp.
#ifndef GC_EMULATOR_H
#define GC_EMULATOR_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __launch_bounds__(...)
#define GC_FN inline
#define GC_TABLE static const
#define GC_SHARED(type, name, count)                                           \
  static char key_of_##name;                                                   \
  type *name =                                                                 \
      (type *)gc_emu::sharedMemory(&key_of_##name, sizeof(type) * (count))
#define GC_CHECK_ALIGNED(pointer, bytes)                                       \
  if ((uintptr_t)(pointer) % (bytes))                                          \
  gc_emu::die("a vector access that is not aligned")

inline struct {
  unsigned x, y, z;
} threadIdx, blockIdx;

namespace gc_emu {

[[noreturn]] inline void die(const char *what) {
  std::fprintf(stderr, "emulator: block %u thread %u: %s\n", blockIdx.x,
               threadIdx.x, what);
  std::exit(3);
}

/// What the threads of a mask do together.
struct Meeting {
  const void *kind = nullptr;
  unsigned arrived = 0, left = 0;
  uint64_t values[32];
};

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool isDone = true;
};

inline bool isReversed = false;
inline ucontext_t scheduler;
inline std::vector<Fiber> fibers;
inline uint64_t progress = 0;
inline const std::function<void()> *body = nullptr;
inline std::map<std::pair<unsigned, unsigned>, Meeting> meetings;
inline std::map<const void *, std::vector<char>> sharedArrays;

inline void *sharedMemory(const void *key, size_t bytes) {
  std::vector<char> &memory = sharedArrays[key];
  if (memory.empty())
    memory.assign(bytes + 16, char(0xff));
  return (void *)(((uintptr_t)memory.data() + 15) & ~uintptr_t(15));
}

inline void yield() {
  unsigned self = threadIdx.x;
  swapcontext(&fibers[self].context, &scheduler);
  threadIdx.x = self;
}

/// Waits until all threads of `mask` are here; gives the value of `from`.
inline uint64_t meet(const void *kind, unsigned mask, uint64_t value,
                     unsigned from) {
  unsigned lane = threadIdx.x % 32, bit = 1u << lane;
  if (!(mask & bit) || !(mask >> from & 1))
    die("a thread outside the mask");
  Meeting &meeting = meetings[{threadIdx.x / 32, mask}];
  while (meeting.left) // Some are still leaving the one before.
    yield();
  if (meeting.arrived && meeting.kind != kind)
    die("threads of one mask meet at different places");
  meeting.kind = kind;
  meeting.arrived |= bit;
  meeting.values[lane] = value;
  ++progress;
  while ((meeting.arrived & mask) != mask)
    yield();
  uint64_t result = meeting.values[from];
  meeting.left |= bit;
  ++progress;
  if (meeting.left == mask)
    meeting.arrived = meeting.left = 0;
  return result;
}

inline void threadMain() {
  (*body)();
  fibers[threadIdx.x].isDone = true;
  ++progress;
  swapcontext(&fibers[threadIdx.x].context, &scheduler);
}

inline void runBlock(unsigned threads) {
  constexpr size_t stackBytes = 256 * 1024;
  if (fibers.size() < threads)
    fibers.resize(threads);
  for (unsigned k = 0; k < threads; ++k) {
    Fiber &fiber = fibers[k];
    if (!fiber.stack)
      fiber.stack.reset(new char[stackBytes]);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, threadMain, 0);
    fiber.isDone = false;
  }
  for (bool isRunning = true; isRunning;) {
    uint64_t before = progress;
    isRunning = false;
    for (unsigned k = 0; k < threads; ++k) {
      threadIdx.x = isReversed ? threads - 1 - k : k;
      if (fibers[threadIdx.x].isDone)
        continue;
      isRunning = true;
      swapcontext(&scheduler, &fibers[threadIdx.x].context);
    }
    if (isRunning && progress == before)
      die("threads wait for others that do not come");
  }
}

/// `exchanges`: threads wait for one another.
inline void launch(unsigned blocks, unsigned threads, bool exchanges,
                   const std::function<void()> &kernel) {
  body = &kernel;
  for (unsigned k = 0; k < blocks; ++k) {
    blockIdx.x = isReversed ? blocks - 1 - k : k;
    sharedArrays.clear();
    meetings.clear();
    if (exchanges) {
      runBlock(threads);
      continue;
    }
    for (unsigned t = 0; t < threads; ++t) {
      threadIdx.x = isReversed ? threads - 1 - t : t;
      kernel();
    }
  }
}

template <typename T>
T shuffle(const void *kind, unsigned mask, T value, unsigned from) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = meet(kind, mask, bits, from);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace gc_emu

inline void __syncwarp(unsigned mask) {
  static char kind;
  gc_emu::meet(&kind, mask, 0, threadIdx.x % 32);
}
template <typename T> T __shfl_xor_sync(unsigned mask, T value, int with, int) {
  static char kind;
  return gc_emu::shuffle(&kind, mask, value, (threadIdx.x % 32) ^ with);
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int from, int width) {
  static char kind;
  unsigned lane = threadIdx.x % 32;
  return gc_emu::shuffle(&kind, mask, value,
                         (lane & ~(width - 1u)) + unsigned(from) % width);
}

#endif // GC_EMULATOR_H
