// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a chosen allocation of this program fail.
#ifndef GRAPHC_TEST_UNIT_RUNTIME_DATA_FAILINGALLOCATOR_H
#define GRAPHC_TEST_UNIT_RUNTIME_DATA_FAILINGALLOCATOR_H

#include <cstdint>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GRAPHC_ALLOCATIONS_CANNOT_FAIL
#endif
#endif

#ifdef GRAPHC_ALLOCATIONS_CANNOT_FAIL
/// ThreadSanitizer has an operator new of its own.
#define SKIP_UNLESS_ALLOCATIONS_CAN_FAIL()                                     \
  GTEST_SKIP() << "operator new is ThreadSanitizer's"
#else
#define SKIP_UNLESS_ALLOCATIONS_CAN_FAIL() static_cast<void>(0)
#endif

/// Lets the `k`-th allocation by operator new from now on fail, once; 0 is the
/// next one. A negative number lets none fail.
void failAllocation(int64_t k);

/// Objects that operator new gave out and that still live.
int64_t liveAllocations();

#endif // GRAPHC_TEST_UNIT_RUNTIME_DATA_FAILINGALLOCATOR_H
