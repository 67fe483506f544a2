// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/SavedValues.h"

#include "lib/Algorithms/MinCut.h"

#include <algorithm>

namespace graphc::algorithms {
namespace {

/// Whether a value is there without being saved or repeated.
bool isFree(const SaveValue &value) { return value.node < 0 || value.isKept; }

int64_t capacityOf(const SaveProblem &problem, const SaveValue &value) {
  if (value.isAvoided && problem.nodes[value.node].mayRepeat)
    return kUnlimited;
  return value.bytes;
}

/// Node 2v is where value v would be made, 2v + 1 where it is used; between
/// them lies what it costs to save it.
CutSolution cut(const SaveProblem &problem) {
  const int count = int(problem.values.size());
  const int source = 2 * count, sink = source + 1;
  std::vector<FlowEdge> edges;
  for (int v = 0; v < count; ++v) {
    const SaveValue &value = problem.values[v];
    if (isFree(value))
      continue;
    edges.push_back({2 * v, 2 * v + 1, capacityOf(problem, value)});
    if (value.isNeeded)
      edges.push_back({2 * v + 1, sink, kUnlimited});
    const SaveNode &node = problem.nodes[value.node];
    if (!node.mayRepeat) {
      edges.push_back({source, 2 * v, kUnlimited});
      continue;
    }
    for (int read : node.reads)
      if (!isFree(problem.values[read]))
        edges.push_back({2 * read + 1, 2 * v, kUnlimited});
  }
  return minCut(2 * count + 2, edges, source, sink);
}

/// What has to be computed again, the last nodes first.
void findRepeated(const SaveProblem &problem, SaveSolution &solution) {
  std::vector<bool> isWanted(problem.values.size());
  for (size_t v = 0; v < problem.values.size(); ++v)
    isWanted[v] = problem.values[v].isNeeded;
  std::vector<std::vector<int>> results(problem.nodes.size());
  for (size_t v = 0; v < problem.values.size(); ++v)
    if (problem.values[v].node >= 0)
      results[problem.values[v].node].push_back(int(v));
  solution.isRepeated.assign(problem.nodes.size(), false);
  for (size_t n = problem.nodes.size(); n-- > 0;) {
    solution.isRepeated[n] =
        std::any_of(results[n].begin(), results[n].end(),
                    [&](int v) { return isWanted[v] && !solution.isSaved[v]; });
    if (solution.isRepeated[n])
      for (int read : problem.nodes[n].reads)
        isWanted[read] = true;
  }
  // What nobody wants need not be saved.
  for (size_t v = 0; v < problem.values.size(); ++v)
    if (!isWanted[v])
      solution.isSaved[v] = false;
}

} // namespace

SaveSolution chooseSaved(const SaveProblem &problem) {
  CutSolution cutAt = cut(problem);
  SaveSolution solution;
  solution.isSaved.resize(problem.values.size());
  for (size_t v = 0; v < problem.values.size(); ++v)
    solution.isSaved[v] =
        problem.values[v].node >= 0 &&
        (problem.values[v].isKept ||
         (cutAt.isSource[2 * v] && !cutAt.isSource[2 * v + 1]));
  findRepeated(problem, solution);
  return solution;
}

int64_t savedBytes(const SaveProblem &problem, const SaveSolution &solution) {
  int64_t bytes = 0;
  for (size_t v = 0; v < problem.values.size(); ++v)
    if (solution.isSaved[v])
      bytes += problem.values[v].bytes;
  return bytes;
}

std::string verifySaved(const SaveProblem &problem,
                        const SaveSolution &solution) {
  if (solution.isSaved.size() != problem.values.size() ||
      solution.isRepeated.size() != problem.nodes.size())
    return "expects an answer for each value and node";
  auto isThere = [&](int v) {
    const SaveValue &value = problem.values[v];
    return value.node < 0 || solution.isSaved[v] ||
           solution.isRepeated[value.node];
  };
  for (size_t v = 0; v < problem.values.size(); ++v)
    if (problem.values[v].isNeeded && !isThere(int(v)))
      return "value " + std::to_string(v) + " is needed and not there";
  for (size_t n = 0; n < problem.nodes.size(); ++n) {
    if (!solution.isRepeated[n])
      continue;
    if (!problem.nodes[n].mayRepeat)
      return "node " + std::to_string(n) + " must not be repeated";
    for (int read : problem.nodes[n].reads)
      if (!isThere(read))
        return "node " + std::to_string(n) + " reads value " +
               std::to_string(read) + ", which is not there";
  }
  return "";
}

} // namespace graphc::algorithms
