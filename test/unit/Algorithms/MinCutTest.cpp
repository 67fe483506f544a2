// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/MinCut.h"

#include <random>

#include "gtest/gtest.h"

using namespace graphc::algorithms;

namespace {

int64_t capacityOf(const std::vector<FlowEdge> &edges,
                   const std::vector<bool> &isSource) {
  int64_t sum = 0;
  for (const FlowEdge &edge : edges)
    if (isSource[edge.from] && !isSource[edge.to])
      sum += edge.capacity;
  return sum;
}

/// Of all ways to part the nodes, the cheapest; of those, the most nodes with
/// the source.
CutSolution optimum(int nodes, const std::vector<FlowEdge> &edges) {
  CutSolution best;
  best.capacity = INT64_MAX;
  int most = -1;
  for (unsigned set = 0; set < 1u << (nodes - 2); ++set) {
    std::vector<bool> isSource(nodes);
    isSource[0] = true;
    int count = 0;
    for (int n = 2; n < nodes; ++n) {
      isSource[n] = set >> (n - 2) & 1;
      count += isSource[n];
    }
    int64_t capacity = capacityOf(edges, isSource);
    if (capacity < best.capacity ||
        (capacity == best.capacity && count > most)) {
      best = {isSource, capacity};
      most = count;
    }
  }
  return best;
}

// Node 0 is the source and node 1 the sink.
TEST(MinCut, IsTheCheapestOfAllCutsAndNearestToTheSink) {
  std::mt19937 random(1);
  int cuts = 0;
  for (int round = 0; round < 500; ++round) {
    int nodes = 2 + int(random() % 8);
    std::vector<FlowEdge> edges;
    for (int k = int(random() % 24); k > 0; --k) {
      int from = int(random() % nodes), to = int(random() % nodes);
      edges.push_back({from, to, int64_t(random() % 6)});
    }
    CutSolution best = optimum(nodes, edges);
    CutSolution found = minCut(nodes, edges, 0, 1);
    ASSERT_EQ(found.capacity, best.capacity) << round;
    ASSERT_EQ(found.isSource, best.isSource) << round;
    cuts += best.capacity > 0;
  }
  EXPECT_GT(cuts, 100);
}

TEST(MinCut, NeverCutsAnUnlimitedEdge) {
  // 0 -> 2 -> 3 -> 1, the middle edge alone may be cut.
  std::vector<FlowEdge> edges = {
      {0, 2, kUnlimited}, {2, 3, 1000}, {3, 1, kUnlimited}};
  CutSolution cut = minCut(4, edges, 0, 1);
  EXPECT_EQ(cut.capacity, 1000);
  EXPECT_EQ(cut.isSource, (std::vector<bool>{true, false, true, false}));
  edges[1].capacity = kUnlimited;
  EXPECT_GE(minCut(4, edges, 0, 1).capacity, kUnlimited);
}

TEST(MinCut, GoesThroughADeepGraph) {
  const int nodes = 200000;
  std::vector<FlowEdge> edges = {{0, 2, 9}, {nodes - 1, 1, 9}};
  for (int n = 2; n + 1 < nodes; ++n)
    edges.push_back({n, n + 1, n == 1000 ? 3 : 7});
  CutSolution cut = minCut(nodes, edges, 0, 1);
  EXPECT_EQ(cut.capacity, 3);
  EXPECT_TRUE(cut.isSource[1000]);
  EXPECT_FALSE(cut.isSource[1001]);
}

} // namespace
