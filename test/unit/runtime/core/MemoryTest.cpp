// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Memory.h"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "graphc/abi/model_abi.h"
#include "runtime/core/Error.h"

using namespace graphc::runtime;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

/// Bytes of a block that have memory behind them.
uint64_t residentBytes(const std::byte *begin, uint64_t bytes) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  EXPECT_EQ(mincore(const_cast<std::byte *>(begin), bytes, pages.data()), 0);
  uint64_t count = 0;
  for (unsigned char state : pages)
    count += state & 1;
  return count * page;
}

TEST(Memory, BlocksAreAlignedAndZeroed) {
  for (uint64_t bytes : {uint64_t{1}, uint64_t{1000}, 4 * kMiB - 1, 4 * kMiB,
                         4 * kMiB + 1, 7 * kMiB + 12345})
    for (int round = 0; round < 3; ++round) {
      AlignedBuffer block = allocateZeroed(bytes, "a block");
      auto address = reinterpret_cast<uintptr_t>(block.get());
      EXPECT_EQ(address % GRAPHC_ABI_ALIGNMENT, 0u);
      std::vector<std::byte> zeros(bytes);
      EXPECT_EQ(std::memcmp(block.get(), zeros.data(), bytes), 0) << bytes;
      // The next round may get the same memory.
      std::memset(block.get(), 0xff, bytes);
      AlignedBuffer other = allocateAligned(bytes, "another");
      std::memset(other.get(), 0xff, bytes);
    }
  EXPECT_EQ(allocateAligned(0, "nothing"), nullptr);
}

TEST(Memory, BigBlocksHaveNoPagesBeforeTheyAreUsed) {
  const uint64_t bytes = 64 * kMiB + 4096;
  AlignedBuffer block = allocateZeroed(bytes, "a block");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block.get()) % (2 * kMiB), 0u);
  EXPECT_EQ(residentBytes(block.get(), bytes), 0u);
  block[32 * kMiB] = std::byte{1};
  EXPECT_GT(residentBytes(block.get(), bytes), 0u);
  EXPECT_LE(residentBytes(block.get(), bytes), 2 * kMiB);
}

TEST(Memory, AFreedBlockIsGone) {
  const std::byte *where;
  {
    AlignedBuffer block = allocateAligned(64 * kMiB, "a block");
    where = block.get();
  }
  unsigned char page;
  EXPECT_EQ(mincore(const_cast<std::byte *>(where), 1, &page), -1);
}

TEST(Memory, WhatCannotBeAllocatedIsAnError) {
  for (uint64_t bytes : {uint64_t{1} << 62, UINT64_MAX, UINT64_MAX - 4096})
    EXPECT_THROW(allocateAligned(bytes, "a block"), Failure);
}

} // namespace
