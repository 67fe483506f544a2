// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The topological order.
#include "lib/Algorithms/Fuser.h"

namespace graphc::algorithms {

/// How far a search for a path goes before it gives up.
constexpr int kMaxSearch = 64;
constexpr int kMaxScanned = 512;

template <typename F> bool Fuser::forEachNext(int group, int &scanned, F f) {
  for (int n : groups[group].members) {
    for (int v : valuesOf[n])
      for (int u : usesOf[v]) {
        if (++scanned > kMaxScanned)
          return false;
        f(find(problem.uses[u].node));
      }
    for (int later : before[n]) {
      if (++scanned > kMaxScanned)
        return false;
      f(find(later));
    }
  }
  return true;
}

template <typename F>
bool Fuser::forEachPrevious(int group, int &scanned, F f) {
  for (int n : groups[group].members) {
    for (int u : readsOf[n]) {
      if (++scanned > kMaxScanned)
        return false;
      int producer = problem.values[problem.uses[u].value].producer;
      if (producer >= 0)
        f(find(producer));
    }
    for (int earlier : problem.nodes[n].after) {
      if (++scanned > kMaxScanned)
        return false;
      f(find(earlier));
    }
  }
  return true;
}

FusionFault Fuser::findBetween(int a, int b, std::vector<int> &forward,
                               std::vector<int> &backward) {
  int low = groups[a].position, high = groups[b].position, scanned = 0;
  bool hasCycle = false;
  ++mark;
  marks.resize(groups.size());
  auto visit = [&](std::vector<int> &found, int group) {
    int position = groups[group].position;
    if (position <= low || position >= high || marks[group] == mark)
      return;
    marks[group] = mark;
    found.push_back(group);
  };
  auto isTooFar = [&](const std::vector<int> &found) {
    return int(found.size()) > kMaxSearch;
  };
  // First from `b`, as a node has few operands but may have any number of uses.
  if (!forEachPrevious(b, scanned, [&](int g) { visit(backward, g); }))
    return FusionFault::Far;
  for (size_t k = 0; k < backward.size(); ++k) {
    if (isTooFar(backward) ||
        !forEachPrevious(backward[k], scanned, [&](int g) {
          hasCycle |= g == a;
          visit(backward, g);
        }))
      return FusionFault::Far;
    if (hasCycle)
      return FusionFault::Cycle;
  }
  if (backward.empty())
    return FusionFault::None; // `b` may run at the place of `a`.
  if (!forEachNext(a, scanned, [&](int g) { visit(forward, g); }))
    return FusionFault::Far;
  for (size_t k = 0; k < forward.size(); ++k)
    if (isTooFar(forward) ||
        !forEachNext(forward[k], scanned, [&](int g) { visit(forward, g); }))
      return FusionFault::Far;
  return FusionFault::None;
}

int Fuser::reorder(int a, int b, std::vector<int> &forward,
                   std::vector<int> &backward) {
  auto byPosition = [&](int x, int y) {
    return groups[x].position < groups[y].position;
  };
  std::sort(forward.begin(), forward.end(), byPosition);
  std::sort(backward.begin(), backward.end(), byPosition);
  std::vector<int> slots = {groups[a].position, groups[b].position};
  for (int g : forward)
    slots.push_back(groups[g].position);
  for (int g : backward)
    slots.push_back(groups[g].position);
  std::sort(slots.begin(), slots.end());
  size_t next = 0;
  for (int g : backward)
    groups[g].position = slots[next++];
  int position = slots[next];
  next += 2; // one slot stays empty
  for (int g : forward)
    groups[g].position = slots[next++];
  return position;
}

} // namespace graphc::algorithms
