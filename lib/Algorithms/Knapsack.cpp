// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/Knapsack.h"

#include <algorithm>
#include <numeric>

namespace graphc::algorithms {
namespace {

constexpr int64_t kUnits = 2048;
constexpr size_t kMostExact = 4096;

/// By value for weight, the best first; those without a weight before all.
std::vector<bool> fillGreedily(const std::vector<KnapsackItem> &items,
                               int64_t capacity) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    bool isFree = items[a].weight == 0;
    if (isFree != (items[b].weight == 0))
      return isFree;
    double left = double(items[a].value) * double(items[b].weight);
    double right = double(items[b].value) * double(items[a].weight);
    return isFree || left == right ? a < b : left > right;
  });
  std::vector<bool> isTaken(items.size());
  for (size_t k : order)
    if (items[k].weight <= capacity) {
      isTaken[k] = true;
      capacity -= items[k].weight;
    }
  return isTaken;
}

} // namespace

std::vector<bool> fillKnapsack(const std::vector<KnapsackItem> &items,
                               int64_t capacity) {
  if (items.size() > kMostExact)
    return fillGreedily(items, capacity);
  const int64_t unit = std::max<int64_t>(1, (capacity + kUnits - 1) / kUnits);
  const int64_t units = capacity / unit;
  std::vector<int64_t> best(units + 1, 0);
  // Whether item k is taken where so much is left for it and those before it.
  std::vector<std::vector<bool>> takes(items.size());
  for (size_t k = 0; k < items.size(); ++k) {
    takes[k].resize(units + 1);
    const int64_t weight =
        items[k].weight / unit + (items[k].weight % unit != 0);
    for (int64_t left = units; left >= weight; --left)
      if (int64_t value = best[left - weight] + items[k].value;
          value > best[left]) {
        best[left] = value;
        takes[k][left] = true;
      }
  }
  std::vector<bool> isTaken(items.size());
  int64_t left = units;
  for (size_t k = items.size(); k-- > 0;)
    if (takes[k][left]) {
      isTaken[k] = true;
      left -= items[k].weight / unit + (items[k].weight % unit != 0);
    }
  return isTaken;
}

} // namespace graphc::algorithms
