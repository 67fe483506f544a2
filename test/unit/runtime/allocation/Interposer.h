// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts, and on request refuses, every allocation of this program: malloc and
// its kin (which operator new uses) and mmap. dlopen is one request as well.
// And refuses accesses to files.
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

/// Lets `k` more reads and writes of files (pread, write, fsync, rename)
/// succeed, then refuses one with ENOSPC. Negative: refuses none.
void refuseFileAccess(int64_t k);

/// True if one was refused since refuseFileAccess().
bool wasFileAccessRefused();

#endif // GRAPHC_TEST_UNIT_RUNTIME_ALLOCATION_INTERPOSER_H
