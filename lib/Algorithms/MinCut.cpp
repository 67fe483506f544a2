// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/MinCut.h"

#include <algorithm>

namespace graphc::algorithms {
namespace {

/// Edges come in pairs, edge k and its reverse k ^ 1, each with what may still
/// flow along it.
class Dinic {
public:
  Dinic(int nodes, const std::vector<FlowEdge> &edges, int source, int sink)
      : source(source), sink(sink), edgesOf(nodes) {
    for (const FlowEdge &edge : edges) {
      edgesOf[edge.from].push_back(int(to.size()));
      to.push_back(edge.to);
      rest.push_back(edge.capacity);
      edgesOf[edge.to].push_back(int(to.size()));
      to.push_back(edge.from);
      rest.push_back(0);
    }
  }

  int64_t run() {
    int64_t flow = 0;
    while (flow < kUnlimited && findLevels()) {
      next.assign(edgesOf.size(), 0);
      // What is unlimited never runs out.
      for (int64_t more = 1; more != 0 && flow < kUnlimited;) {
        more = findPath();
        flow = std::min(kUnlimited, flow + more);
      }
    }
    return flow;
  }

  /// Nodes from which something may still flow to the sink are on its side.
  std::vector<bool> findSourceSide() const {
    std::vector<bool> isSource(edgesOf.size(), true);
    std::vector<int> work = {sink};
    isSource[sink] = false;
    while (!work.empty()) {
      int node = work.back();
      work.pop_back();
      for (int edge : edgesOf[node])
        if (int before = to[edge]; isSource[before] && rest[edge ^ 1] > 0) {
          isSource[before] = false;
          work.push_back(before);
        }
    }
    return isSource;
  }

private:
  /// Distances from the source; false if nothing reaches the sink.
  bool findLevels() {
    levels.assign(edgesOf.size(), -1);
    levels[source] = 0;
    std::vector<int> queue = {source};
    for (size_t k = 0; k < queue.size(); ++k)
      for (int edge : edgesOf[queue[k]])
        if (rest[edge] > 0 && levels[to[edge]] < 0) {
          levels[to[edge]] = levels[queue[k]] + 1;
          queue.push_back(to[edge]);
        }
    return levels[sink] >= 0;
  }

  /// Sends along one shortest path what it takes. Not recursive: graphs are
  /// deep.
  int64_t findPath() {
    std::vector<int> path;
    int node = source;
    while (node != sink) {
      bool isStuck = true;
      for (size_t &k = next[node]; k < edgesOf[node].size(); ++k) {
        int edge = edgesOf[node][k];
        if (rest[edge] == 0 || levels[to[edge]] != levels[node] + 1)
          continue;
        path.push_back(edge);
        node = to[edge];
        isStuck = false;
        break;
      }
      if (!isStuck)
        continue;
      if (path.empty())
        return 0;
      node = to[path.back() ^ 1];
      path.pop_back();
      ++next[node];
    }
    int64_t flow = kUnlimited;
    for (int edge : path)
      flow = std::min(flow, rest[edge]);
    for (int edge : path) {
      if (rest[edge] < kUnlimited)
        rest[edge] -= flow;
      rest[edge ^ 1] = std::min(kUnlimited, rest[edge ^ 1] + flow);
    }
    return flow;
  }

  int source, sink;
  std::vector<std::vector<int>> edgesOf;
  std::vector<int> to;
  std::vector<int64_t> rest;
  std::vector<int> levels;
  std::vector<size_t> next; // the edge of each node that is tried next
};

} // namespace

CutSolution minCut(int nodes, const std::vector<FlowEdge> &edges, int source,
                   int sink) {
  Dinic dinic(nodes, edges, source, sink);
  CutSolution solution;
  solution.capacity = dinic.run();
  solution.isSource = dinic.findSourceSide();
  return solution;
}

} // namespace graphc::algorithms
