// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which groups run, and what follows from it.
#include "lib/Algorithms/FusionOrder.h"

#include <algorithm>
#include <map>

namespace graphc::algorithms {
namespace {

bool isFixed(const FusionNode &node) {
  return node.kind == FusionKind::Product || node.kind == FusionKind::Columns;
}

/// The groups whose values each group reads, or which it must follow.
std::vector<std::vector<int>> findPrevious(const FusionProblem &problem,
                                           const std::vector<int> &groupOf) {
  std::vector<std::vector<int>> previous(problem.nodes.size());
  auto add = [&](int from, int to) {
    if (groupOf[from] != groupOf[to])
      previous[groupOf[to]].push_back(groupOf[from]);
  };
  for (const FusionUse &use : problem.uses)
    if (int producer = problem.values[use.value].producer; producer >= 0)
      add(producer, use.node);
  for (size_t n = 0; n < problem.nodes.size(); ++n)
    for (int earlier : problem.nodes[n].after)
      add(earlier, int(n));
  for (std::vector<int> &list : previous) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return previous;
}

/// The place in the program at which each group should run.
std::vector<int> findPlaces(const FusionProblem &problem,
                            const std::vector<int> &roots) {
  int count = int(problem.nodes.size()), lastFailing = -1;
  std::vector<int> places(count, -1), fixed(count, -1);
  for (int n = 0; n < count; ++n) {
    places[roots[n]] = n;
    if (isFixed(problem.nodes[n]) && fixed[roots[n]] < 0)
      fixed[roots[n]] = n;
    if (problem.nodes[n].mayFail)
      lastFailing = n;
  }
  for (int n = 0; n < count; ++n)
    if (fixed[n] >= 0)
      places[n] = fixed[n];
  for (int n = 0; n < count; ++n) {
    if (!problem.nodes[n].isUpdate)
      continue;
    int &place = places[roots[n]];
    place = std::max(place, lastFailing);
    for (int reader : problem.nodes[n].oldReaders)
      if (roots[reader] != roots[n])
        place = std::max(place, reader);
  }
  return places;
}

} // namespace

void orderFusion(const FusionProblem &problem, const std::vector<int> &roots,
                 FusionSolution &solution) {
  std::vector<int> places = findPlaces(problem, roots), order;
  for (int n = 0; n < int(roots.size()); ++n)
    if (roots[n] == n)
      order.push_back(n);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::make_pair(places[a], a) < std::make_pair(places[b], b);
  });
  std::vector<std::vector<int>> previous = findPrevious(problem, roots);

  // What a group needs runs just before it, if it has not yet run.
  std::vector<int> numbers(roots.size(), -1);
  std::vector<size_t> next(roots.size(), 0);
  int count = 0;
  std::vector<int> open;
  for (int start : order) {
    open.push_back(start);
    while (!open.empty()) {
      int group = open.back();
      if (numbers[group] >= 0) {
        open.pop_back();
      } else if (next[group] < previous[group].size()) {
        int needed = previous[group][next[group]++];
        if (numbers[needed] < 0)
          open.push_back(needed);
      } else {
        numbers[group] = count++;
        open.pop_back();
      }
    }
  }
  solution.groupCount = count;
  solution.groups.resize(roots.size());
  for (size_t n = 0; n < roots.size(); ++n)
    solution.groups[n] = numbers[roots[n]];
}

int64_t fusionTraffic(const FusionProblem &problem,
                      const FusionSolution &solution) {
  const std::vector<int> &groups = solution.groups;
  int64_t bytes = 0;
  std::vector<bool> isWritten(problem.values.size());
  std::map<std::pair<int, int>, int64_t> reads; // by group and value
  for (size_t v = 0; v < problem.values.size(); ++v)
    isWritten[v] = problem.values[v].producer >= 0 && problem.values[v].leaves;
  for (const FusionUse &use : problem.uses) {
    int producer = problem.values[use.value].producer;
    if (producer >= 0 && groups[producer] == groups[use.node])
      continue;
    int64_t all = problem.values[use.value].bytes;
    int64_t &read = reads[{groups[use.node], use.value}];
    read = std::min(all, read + (use.bytes < 0 ? all : use.bytes));
    if (producer >= 0)
      isWritten[use.value] = true;
  }
  for (const auto &read : reads)
    bytes += read.second;
  for (size_t v = 0; v < problem.values.size(); ++v)
    if (isWritten[v])
      bytes += problem.values[v].bytes;
  return bytes;
}

int64_t fusionPeak(const FusionProblem &problem,
                   const FusionSolution &solution) {
  const std::vector<int> &groups = solution.groups;
  size_t count = problem.values.size();
  std::vector<int> last(count, -1);
  for (const FusionUse &use : problem.uses)
    last[use.value] = std::max(last[use.value], groups[use.node]);
  std::vector<bool> isMap(solution.groupCount, true);
  for (size_t n = 0; n < groups.size(); ++n)
    if (problem.nodes[n].kind != FusionKind::Map)
      isMap[groups[n]] = false;

  std::vector<std::vector<int>> begins(solution.groupCount),
      ends(solution.groupCount);
  for (size_t v = 0; v < count; ++v) {
    const FusionValue &value = problem.values[v];
    if (value.producer < 0 || !value.isArena)
      continue;
    int first = groups[value.producer];
    if (last[v] <= first && !value.leaves)
      continue; // It stays inside.
    begins[first].push_back(int(v));
    if (!value.leaves)
      ends[last[v]].push_back(int(v));
  }
  int64_t live = 0, most = 0;
  for (int group = 0; group < solution.groupCount; ++group) {
    std::map<int64_t, int> reusable;
    if (isMap[group])
      for (int v : ends[group])
        ++reusable[problem.values[v].bytes];
    int64_t reused = 0;
    for (int v : begins[group]) {
      int64_t bytes = problem.values[v].bytes;
      live += bytes;
      int replaced = problem.values[v].replaces;
      if (replaced >= 0 && problem.values[replaced].isArena &&
          !problem.values[replaced].leaves && last[replaced] == group) {
        reused += problem.values[replaced].bytes;
      } else if (auto it = reusable.find(bytes);
                 it != reusable.end() && it->second) {
        --it->second;
        reused += bytes;
      }
    }
    most = std::max(most, live - reused);
    for (int v : ends[group])
      live -= problem.values[v].bytes;
  }
  return most;
}

} // namespace graphc::algorithms
