// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts, and on request refuses, every allocation of this program: malloc and
// its kin (which operator new uses) and mmap. dlopen is one request as well.
#ifndef GRAPHC_TEST_UNIT_RUNTIME_ALLOCATION_INTERPOSER_H
#define GRAPHC_TEST_UNIT_RUNTIME_ALLOCATION_INTERPOSER_H

#include <cstdint>

/// Allocations asked for so far, by any thread; refused ones and mmap included.
int64_t allocationRequests();

/// Blocks of malloc and its kin that are allocated now.
int64_t liveBlocks();

/// Lets `k` more allocations of any thread succeed, then refuses one, or all
/// from there on if `stayEmpty`. Negative: refuses none.
void refuseAllocation(int64_t k, bool stayEmpty = false);

/// True if one was refused since refuseAllocation().
bool wasRefused();

#endif // GRAPHC_TEST_UNIT_RUNTIME_ALLOCATION_INTERPOSER_H
