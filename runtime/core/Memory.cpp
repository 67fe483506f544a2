// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Memory.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include "graphc/abi/model_abi.h"
#include "runtime/core/Error.h"

namespace graphc::runtime {
namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;

std::atomic<uint64_t> currentBytes{0}, peakBytes{0};

void count(uint64_t bytes) {
  const uint64_t now =
      currentBytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  uint64_t peak = peakBytes.load(std::memory_order_relaxed);
  while (now > peak &&
         !peakBytes.compare_exchange_weak(peak, now, std::memory_order_relaxed))
    ;
}

uint64_t roundUp(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Whole fresh pages from the kernel, all zeros, aligned to a huge page: fewer
/// page faults, fewer TLB misses. The end is in small pages.
AlignedBuffer mapPages(uint64_t bytes) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  bytes = roundUp(bytes, page);
  const uint64_t mapped = bytes + kHugePage;
  void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  auto *begin = static_cast<std::byte *>(memory);
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uint64_t before = roundUp(address, kHugePage) - address;
  const uint64_t after = kHugePage - before;
  // What is left over costs addresses, not memory, should this fail.
  if (before != 0)
    munmap(begin, before);
  if (after != 0)
    munmap(begin + before + bytes, after);
  madvise(begin + before, bytes, MADV_HUGEPAGE); // A wish.
  count(bytes);
  return AlignedBuffer(begin + before, FreeMemory{bytes, true});
}

AlignedBuffer allocate(uint64_t bytes, const char *what, bool isZeroed) {
  if (bytes == 0)
    return nullptr;
  AlignedBuffer block;
  if (bytes >= 2 * kHugePage) {
    if (bytes <= PTRDIFF_MAX - 2 * kHugePage)
      block = mapPages(bytes);
  } else {
    const uint64_t rounded = roundUp(bytes, GRAPHC_ABI_ALIGNMENT);
    block = AlignedBuffer(static_cast<std::byte *>(std::aligned_alloc(
                              GRAPHC_ABI_ALIGNMENT, rounded)),
                          FreeMemory{rounded, false});
    if (block)
      count(rounded);
    if (block && isZeroed)
      std::memset(block.get(), 0, bytes);
  }
  if (!block)
    fail(GRAPHC_OUT_OF_MEMORY, "%s of %llu bytes cannot be allocated", what,
         static_cast<unsigned long long>(bytes));
  return block;
}

} // namespace

void FreeMemory::operator()(std::byte *memory) const {
  if (isMapped)
    munmap(memory, bytes);
  else
    std::free(memory);
  currentBytes.fetch_sub(bytes, std::memory_order_relaxed);
}

MemoryUse memoryUse() {
  return {currentBytes.load(std::memory_order_relaxed),
          peakBytes.load(std::memory_order_relaxed)};
}

AlignedBuffer allocateAligned(uint64_t bytes, const char *what) {
  return allocate(bytes, what, false);
}

AlignedBuffer allocateZeroed(uint64_t bytes, const char *what) {
  return allocate(bytes, what, true);
}

} // namespace graphc::runtime
