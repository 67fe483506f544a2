// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/data/FailingAllocator.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<int64_t> remaining{-1};
std::atomic<int64_t> live{0};
} // namespace

void failAllocation(int64_t k) { remaining = k; }
int64_t liveAllocations() { return live; }

#ifndef GRAPHC_ALLOCATIONS_CANNOT_FAIL
void *operator new(size_t bytes) {
  if (remaining >= 0 && remaining-- == 0)
    throw std::bad_alloc();
  void *memory = std::malloc(bytes ? bytes : 1);
  if (!memory)
    throw std::bad_alloc();
  ++live;
  return memory;
}

void operator delete(void *memory) noexcept {
  if (memory)
    --live;
  std::free(memory);
}
void operator delete(void *memory, size_t) noexcept { operator delete(memory); }
#endif

/// Under sanitizers too, an allocation that is too large just fails.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" const char *__tsan_default_options() {
  return "allocator_may_return_null=1";
}
