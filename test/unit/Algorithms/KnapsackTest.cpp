// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/Knapsack.h"

#include <random>

#include "gtest/gtest.h"

using namespace graphc::algorithms;

namespace {

struct Sum {
  int64_t weight = 0, value = 0;
};

Sum sumOf(const std::vector<KnapsackItem> &items,
          const std::vector<bool> &isTaken) {
  Sum sum;
  for (size_t k = 0; k < items.size(); ++k)
    if (isTaken[k]) {
      sum.weight += items[k].weight;
      sum.value += items[k].value;
    }
  return sum;
}

int64_t optimum(const std::vector<KnapsackItem> &items, int64_t capacity) {
  int64_t best = 0;
  for (unsigned set = 0; set < 1u << items.size(); ++set) {
    std::vector<bool> isTaken(items.size());
    for (size_t k = 0; k < items.size(); ++k)
      isTaken[k] = set >> k & 1;
    Sum sum = sumOf(items, isTaken);
    if (sum.weight <= capacity)
      best = std::max(best, sum.value);
  }
  return best;
}

std::vector<KnapsackItem> randomItems(std::mt19937 &random, size_t count,
                                      int64_t heaviest) {
  std::vector<KnapsackItem> items(count);
  for (KnapsackItem &item : items)
    item = {int64_t(random() % (heaviest + 1)), int64_t(random() % 50)};
  return items;
}

TEST(Knapsack, IsTheBestOfAllChoices) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    auto items = randomItems(random, random() % 12, 30);
    int64_t capacity = random() % 100;
    Sum sum = sumOf(items, fillKnapsack(items, capacity));
    ASSERT_LE(sum.weight, capacity) << round;
    ASSERT_EQ(sum.value, optimum(items, capacity)) << round;
  }
}

// Weights of 2^40, which are rounded: it fits all the same, and is nearly best.
TEST(Knapsack, FitsWhereWeightsAreRounded) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    auto items = randomItems(random, 10, int64_t(1) << 31);
    for (KnapsackItem &item : items)
      item.weight <<= 9;
    int64_t capacity = int64_t(random() % 2000) << 32;
    Sum sum = sumOf(items, fillKnapsack(items, capacity));
    ASSERT_LE(sum.weight, capacity) << round;
    ASSERT_GE(10 * sum.value, 9 * optimum(items, capacity)) << round;
  }
}

TEST(Knapsack, TakesManyItems) {
  std::mt19937 random(3);
  auto items = randomItems(random, 100000, 1000);
  Sum sum = sumOf(items, fillKnapsack(items, 1000000));
  EXPECT_LE(sum.weight, 1000000);
  EXPECT_GT(sum.weight, 990000);
}

} // namespace
