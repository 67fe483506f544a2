// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/ArenaPacking.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "gtest/gtest.h"

using namespace graphc::algorithms;

namespace {

std::vector<ArenaItem> randomProblem(std::mt19937 &random, int count, int steps,
                                     int64_t maxBytes) {
  std::vector<ArenaItem> items;
  for (int i = 0; i < count; ++i) {
    int64_t first = random() % steps;
    int64_t length = random() % 4 == 0 ? random() % steps : random() % 4;
    items.push_back({static_cast<int64_t>(random() % maxBytes), first,
                     std::min<int64_t>(first + length, steps - 1)});
  }
  return items;
}

/// The smallest arena over all orders of first-fit placement, which an optimal
/// solution always is for one of the orders.
int64_t optimum(const std::vector<ArenaItem> &items) {
  std::vector<int> order(items.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  int64_t best = INT64_MAX;
  do {
    std::vector<int64_t> offsets(items.size(), -1);
    int64_t bytes = 0;
    for (int index : order) {
      const ArenaItem &item = items[index];
      int64_t offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t other = 0; other < items.size(); ++other)
          if (offsets[other] >= 0 && items[other].first <= item.last &&
              item.first <= items[other].last &&
              offset < offsets[other] + items[other].bytes &&
              offsets[other] < offset + item.bytes) {
            offset = offsets[other] + items[other].bytes;
            moved = true;
          }
      }
      offsets[index] = offset;
      bytes = std::max(bytes, offset + item.bytes);
    }
    best = std::min(best, bytes);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(ArenaPacking, RandomProblemsVerifyAndKeepTheBound) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    auto items = randomProblem(random, 1 + round, 1 + round / 2, 5000);
    for (int64_t alignment : {1, 64}) {
      ArenaSolution solution = packArena(items, alignment);
      ASSERT_EQ(verifyArena(items, alignment, solution), "") << round;
      int64_t bound = maxLiveBytes(items, alignment);
      ASSERT_GE(solution.bytes, bound);
      ASSERT_LE(solution.bytes, bound + bound / 2) << round;
    }
  }
}

TEST(ArenaPacking, SmallProblemsAreNearTheOptimum) {
  std::mt19937 random(2);
  int64_t total = 0, totalOptimum = 0;
  for (int round = 0; round < 200; ++round) {
    auto items = randomProblem(random, 7, 6, 9);
    int64_t best = optimum(items);
    int64_t got = packArena(items, 1).bytes;
    ASSERT_GE(got, best);
    ASSERT_GE(best, maxLiveBytes(items, 1));
    total += got;
    totalOptimum += best;
  }
  EXPECT_LE(total, totalOptimum * 1.05);
}

TEST(ArenaPacking, ChainNeedsTwoBuffers) {
  std::vector<ArenaItem> items;
  for (int64_t i = 0; i < 50; ++i)
    items.push_back({256, i, i + 1});
  EXPECT_EQ(packArena(items, 64).bytes, 512);
}

TEST(ArenaPacking, TakesTheSmallestGapThatFits) {
  // Gaps of 300 (first) and 100 bytes; the last item fits both.
  std::vector<ArenaItem> items = {{1000, 0, 9}, {300, 0, 0}, {990, 0, 9},
                                  {100, 0, 0},  {980, 0, 9}, {90, 1, 1}};
  ArenaSolution solution = packArena(items, 1);
  ASSERT_EQ(verifyArena(items, 1, solution), "");
  EXPECT_EQ(solution.bytes, 3370);
}

TEST(ArenaPacking, ItemsOfZeroBytes) {
  std::vector<ArenaItem> items = {{0, 0, 5}, {64, 0, 5}, {0, 2, 2}};
  ArenaSolution solution = packArena(items, 64);
  EXPECT_EQ(solution.bytes, 64);
  EXPECT_EQ(verifyArena(items, 64, solution), "");
  EXPECT_EQ(packArena({}, 64).bytes, 0);
}

TEST(ArenaPacking, LongChainsAndWideFanInsTakeSeconds) {
  std::vector<ArenaItem> chain, fanIn;
  for (int64_t i = 0; i < 100000; ++i)
    chain.push_back({100 + i % 7, i, i + 1});
  for (int64_t i = 0; i < 10000; ++i)
    fanIn.push_back({100 + i % 1000, i, 10000});
  auto start = std::chrono::steady_clock::now();
  ArenaSolution solution = packArena(chain, 64);
  EXPECT_EQ(verifyArena(chain, 64, solution), "");
  solution = packArena(fanIn, 64);
  EXPECT_EQ(verifyArena(fanIn, 64, solution), "");
  EXPECT_EQ(solution.bytes, maxLiveBytes(fanIn, 64));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(VerifyArena, SeesEachFault) {
  std::vector<ArenaItem> items = {{64, 0, 2}, {64, 2, 3}, {64, 3, 4}};
  ArenaSolution good = packArena(items, 64);
  ASSERT_EQ(verifyArena(items, 64, good), "");
  EXPECT_EQ(good.bytes, 128);

  ArenaSolution bad = good;
  bad.offsets[1] = good.offsets[0];
  EXPECT_EQ(verifyArena(items, 64, bad), "item 1 overlaps item 0");
  bad = good;
  bad.offsets = {0, 32, 0};
  EXPECT_EQ(verifyArena(items, 64, bad), "item 1 is not aligned");
  EXPECT_EQ(verifyArena(items, 32, bad), "item 1 overlaps item 0");
  bad = good;
  bad.offsets = {64, 32, 128};
  bad.bytes = 192;
  EXPECT_EQ(verifyArena(items, 32, bad), "item 1 overlaps item 0");
  bad = good;
  bad.bytes = 64;
  EXPECT_EQ(verifyArena(items, 64, bad), "item 1 ends outside the arena");
  bad.offsets.pop_back();
  EXPECT_EQ(verifyArena(items, 64, bad), "expects one offset an item");
}

TEST(MaxLiveBytes, CountsAlignedSizesAtOneStep) {
  EXPECT_EQ(maxLiveBytes({{1, 0, 1}, {65, 1, 2}, {64, 2, 2}}, 64), 192);
  EXPECT_EQ(maxLiveBytes({{1, 0, 1}, {65, 1, 2}, {64, 2, 2}}, 1), 129);
}

} // namespace
