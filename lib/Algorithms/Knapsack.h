// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The most valuable items that fit.
#ifndef GRAPHC_LIB_ALGORITHMS_KNAPSACK_H
#define GRAPHC_LIB_ALGORITHMS_KNAPSACK_H

#include <cstdint>
#include <vector>

namespace graphc::algorithms {

struct KnapsackItem {
  int64_t weight; // 0 or more
  int64_t value;  // 0 or more
};

/// Chooses items of at most `capacity` together. The best choice where
/// `capacity` is at most 2,048; beyond that weights are rounded up to a 2,048th
/// of it. Of more than 4,096 items, those of the best value for their weight.
std::vector<bool> fillKnapsack(const std::vector<KnapsackItem> &items,
                               int64_t capacity);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_KNAPSACK_H
