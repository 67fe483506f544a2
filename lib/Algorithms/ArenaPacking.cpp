// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/ArenaPacking.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace graphc::algorithms {
namespace {

int64_t roundUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// The items placed so far, by the steps they live at.
class PlacedItems {
  auto isBefore() const {
    return [this](int a, int b) {
      return std::make_pair(offsets[a], a) < std::make_pair(offsets[b], b);
    };
  }

public:
  PlacedItems(const std::vector<ArenaItem> &items,
              const std::vector<int64_t> &offsets, int64_t stepCount)
      : items(items), offsets(offsets), stepCount(stepCount),
        covering(2 * stepCount), beginningAt(stepCount) {}

  void insert(int index) {
    const ArenaItem &item = items[index];
    beginningAt[item.first].push_back(index);
    // A segment tree: O(log n) nodes cover the item's steps.
    for (int64_t low = item.first + stepCount, high = item.last + stepCount + 1;
         low < high; low /= 2, high /= 2) {
      if (low & 1)
        covering[low++].push_back(index);
      if (high & 1)
        covering[--high].push_back(index);
    }
    byOffset.insert(
        std::upper_bound(byOffset.begin(), byOffset.end(), index, isBefore()),
        index);
  }

  /// Finds what shares a step with `item`, in the order of offsets.
  void findOverlapping(const ArenaItem &item, std::vector<int> &found) const {
    found.clear();
    // A long life meets most of the others; their order is known already.
    if (item.last - item.first > static_cast<int64_t>(byOffset.size()) / 8) {
      for (int other : byOffset)
        if (items[other].first <= item.last && item.first <= items[other].last)
          found.push_back(other);
      return;
    }
    // Each either lives at the first step or begins later inside.
    for (int64_t node = item.first + stepCount; node >= 1; node /= 2)
      found.insert(found.end(), covering[node].begin(), covering[node].end());
    for (int64_t step = item.first + 1; step <= item.last; ++step)
      found.insert(found.end(), beginningAt[step].begin(),
                   beginningAt[step].end());
    std::sort(found.begin(), found.end(), isBefore());
  }

private:
  const std::vector<ArenaItem> &items;
  const std::vector<int64_t> &offsets;
  int64_t stepCount;
  std::vector<std::vector<int>> covering;
  std::vector<std::vector<int>> beginningAt;
  std::vector<int> byOffset;
};

} // namespace

ArenaSolution packArena(const std::vector<ArenaItem> &items,
                        int64_t alignment) {
  ArenaSolution solution;
  solution.offsets.assign(items.size(), 0);
  int64_t stepCount = 1;
  for (const ArenaItem &item : items)
    stepCount = std::max(stepCount, item.last + 1);

  std::vector<int> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return items[a].bytes != items[b].bytes ? items[a].bytes > items[b].bytes
                                            : a < b;
  });

  PlacedItems placed(items, solution.offsets, stepCount);
  std::vector<int> neighbours;
  for (int index : order) {
    int64_t bytes = roundUp(items[index].bytes, alignment);
    if (bytes == 0)
      continue;
    placed.findOverlapping(items[index], neighbours);
    int64_t best = -1, bestGap = 0, end = 0;
    for (int other : neighbours) {
      int64_t gap = solution.offsets[other] - end;
      if (gap >= bytes && (best < 0 || gap < bestGap)) {
        best = end;
        bestGap = gap;
      }
      end = std::max(end, solution.offsets[other] +
                              roundUp(items[other].bytes, alignment));
    }
    solution.offsets[index] = best < 0 ? end : best;
    solution.bytes = std::max(solution.bytes, solution.offsets[index] + bytes);
    placed.insert(index);
  }
  return solution;
}

} // namespace graphc::algorithms
