// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest edges that separate two nodes of a graph.
#ifndef GRAPHC_LIB_ALGORITHMS_MINCUT_H
#define GRAPHC_LIB_ALGORITHMS_MINCUT_H

#include <cstdint>
#include <vector>

namespace graphc::algorithms {

/// No sum of capacities that are below it comes near to it.
constexpr int64_t kUnlimited = int64_t{1} << 60;

struct FlowEdge {
  int from, to;
  int64_t capacity; // 0 or more; kUnlimited: never cut
};

struct CutSolution {
  /// Of each node, whether it is on the side of the source. Of all minimum cuts
  /// this is the one nearest to the sink.
  std::vector<bool> isSource;
  int64_t capacity = 0; // of the edges from there to the other side
};

/// Dinic's algorithm (E. A. Dinic, 1970). If only unlimited edges separate the
/// two, the capacity is kUnlimited or more.
CutSolution minCut(int nodes, const std::vector<FlowEdge> &edges, int source,
                   int sink);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_MINCUT_H
