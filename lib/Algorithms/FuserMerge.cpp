// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a merge saves, whether it may be, and what becomes of the two groups.
#include "lib/Algorithms/Fuser.h"

namespace graphc::algorithms {

/// How many nodes later than its anchor a kernel may have to run because it
/// writes a variable.
constexpr int kMaxDelay = 16;

bool Fuser::vanishes(const Read &read) const {
  return total[read.value] - inside[read.value] == read.count;
}

FusionLink Fuser::linkOf(int a, int b) const {
  FusionLink link;
  size_t vanishing = 0;
  const FusionFacts &x = groups[a].facts, &y = groups[b].facts;
  int rows = x.kind == FusionKind::Rows ? x.rows : y.rows;
  forEachLink(a, b, [&](const Read &read) {
    unsigned reads = read.reads;
    // Only what there is one of for each row may be read so and be written.
    if ((reads & bit(FusionRead::Outer)) && rows >= 0 &&
        problem.values[read.value].shape != rows)
      reads |= bit(FusionRead::Once);
    link.reads |= reads;
    vanishing += vanishes(read);
  });
  link.vanishes = vanishing == groups[a].writes.size();
  return link;
}

int64_t Fuser::savedBy(int a, int b) const {
  int64_t saved = 0;
  forEachLink(a, b, [&](const Read &read) {
    saved += read.bytes;
    if (vanishes(read))
      saved += problem.values[read.value].bytes;
  });
  size_t k = 0;
  const std::vector<Read> &others = groups[b].reads;
  for (const Read &read : groups[a].reads) {
    while (k < others.size() && others[k].value < read.value)
      ++k;
    if (k < others.size() && others[k].value == read.value)
      saved += read.bytes + others[k].bytes - joinedBytes(read, others[k]);
  }
  return saved;
}

int64_t Fuser::trafficOf(const Group &group) const {
  int64_t bytes = 0;
  for (const Read &read : group.reads)
    bytes += read.bytes;
  for (int v : group.writes)
    bytes += problem.values[v].bytes;
  return bytes;
}

int Fuser::buffersOf(int a, int b) const {
  int lost = 0, shared = 0;
  forEachLink(a, b, [&](const Read &read) { lost += 1 + vanishes(read); });
  size_t k = 0;
  const std::vector<Read> &others = groups[b].reads;
  for (const Read &read : groups[a].reads) {
    while (k < others.size() && others[k].value < read.value)
      ++k;
    shared += k < others.size() && others[k].value == read.value;
  }
  return int(groups[a].reads.size() + groups[a].writes.size() +
             groups[b].reads.size() + groups[b].writes.size()) -
         lost - shared;
}

int Fuser::anchorOf(const Group &a, const Group &b) {
  auto isFixed = [](const Group &group) {
    return group.facts.kind == FusionKind::Product ||
           group.facts.kind == FusionKind::Columns;
  };
  if (isFixed(a))
    return a.anchor;
  return isFixed(b) ? b.anchor : std::max(a.anchor, b.anchor);
}

bool Fuser::mustWait(int a, int b) {
  int anchor = anchorOf(groups[a], groups[b]);
  for (int side : {a, b})
    for (int update : groups[side].updates) {
      if (lastFailing > anchor + kMaxDelay)
        return true;
      for (int reader : problem.nodes[update].oldReaders)
        if (reader > anchor + kMaxDelay && find(reader) != a &&
            find(reader) != b)
          return true;
    }
  return false;
}

bool Fuser::areLateReadsDirect(int a, int b, FusionKind kind) {
  bool hasRowLoop = kind == FusionKind::Rows;
  std::vector<int> late;
  for (int n : groups[a].members)
    if (problem.nodes[n].kind == FusionKind::Product ||
        problem.nodes[n].kind == FusionKind::Columns)
      late.push_back(n);
  std::unordered_set<int> seen(late.begin(), late.end());
  while (!late.empty()) {
    int n = late.back();
    late.pop_back();
    for (int v : valuesOf[n])
      for (int u : usesOf[v]) {
        const FusionUse &use = problem.uses[u];
        if (int group = find(use.node); group != a && group != b)
          continue;
        bool isDirect = use.read == FusionRead::Same ||
                        (!hasRowLoop && use.read == FusionRead::Relayout);
        if (!isDirect || problem.nodes[use.node].kind != FusionKind::Map)
          return false;
        if (seen.insert(use.node).second)
          late.push_back(use.node);
      }
  }
  return true;
}

FusionFault Fuser::check(int a, int b, FusionFacts &joined) {
  FusionLink link = linkOf(a, b);
  FusionFault fault =
      joinFacts(groups[a].facts, groups[b].facts, link, limits, joined);
  if (fault != FusionFault::None)
    return fault;
  if (!areLateReadsDirect(a, b, joined.kind))
    return FusionFault::Whole;
  if (buffersOf(a, b) > limits.buffers)
    return FusionFault::Buffers;
  if (mustWait(a, b))
    return FusionFault::State;
  // Side by side: worth it only if much of what is read is the same.
  if (link.reads == 0) {
    int64_t least = std::min(trafficOf(groups[a]), trafficOf(groups[b]));
    if (least > limits.smallBytes && savedBy(a, b) < least / 4)
      return FusionFault::Gain;
  }
  return FusionFault::None;
}

FusionFault Fuser::tryMerge(int a, int b) {
  FusionFacts joined;
  FusionFault fault = check(a, b, joined);
  if (fault != FusionFault::None)
    return fault;
  // What was too far apart once is not looked at again.
  uint64_t pair = keyOf({a, b});
  if (farPairs.count(pair))
    return FusionFault::Far;
  if (refused.count(pair))
    return FusionFault::Peak;
  std::vector<int> forward, backward;
  fault = findBetween(a, b, forward, backward);
  if (fault == FusionFault::Far)
    farPairs.insert(pair);
  if (fault != FusionFault::None)
    return fault;
  int position = reorder(a, b, forward, backward);
  int root = merge(a, b, joined);
  groups[root].position = position;
  ++merges;
  last = {a, b};
  return FusionFault::None;
}

int Fuser::merge(int a, int b, const FusionFacts &joined) {
  int anchor = anchorOf(groups[a], groups[b]);
  std::vector<Read> reads;
  std::vector<int> writes;
  forEachLink(a, b,
              [&](const Read &read) { inside[read.value] += read.count; });
  // Positions may have been crossed when a solution is adopted.
  forEachLink(b, a,
              [&](const Read &read) { inside[read.value] += read.count; });
  auto isOwn = [&](const Group &group, int value) {
    return std::binary_search(group.writes.begin(), group.writes.end(), value);
  };
  const std::vector<Read> &x = groups[a].reads, &y = groups[b].reads;
  for (size_t i = 0, k = 0; i < x.size() || k < y.size();) {
    if (k == y.size() || (i < x.size() && x[i].value < y[k].value)) {
      if (!isOwn(groups[b], x[i].value))
        reads.push_back(x[i]);
      ++i;
    } else if (i == x.size() || y[k].value < x[i].value) {
      if (!isOwn(groups[a], y[k].value))
        reads.push_back(y[k]);
      ++k;
    } else {
      reads.push_back({x[i].value, x[i].count + y[k].count,
                       x[i].reads | y[k].reads, joinedBytes(x[i], y[k])});
      ++i, ++k;
    }
  }
  std::merge(groups[a].writes.begin(), groups[a].writes.end(),
             groups[b].writes.begin(), groups[b].writes.end(),
             std::back_inserter(writes));
  writes.erase(std::remove_if(writes.begin(), writes.end(),
                              [&](int v) { return total[v] == inside[v]; }),
               writes.end());

  int root = a, child = b;
  if (groups[a].members.size() < groups[b].members.size())
    std::swap(root, child);
  Group &into = groups[root], &from = groups[child];
  into.members.insert(into.members.end(), from.members.begin(),
                      from.members.end());
  into.updates.insert(into.updates.end(), from.updates.begin(),
                      from.updates.end());
  into.anchor = anchor;
  into.first = std::min(into.first, from.first);
  into.last = std::max(into.last, from.last);
  into.facts = joined;
  into.reads = std::move(reads);
  into.writes = std::move(writes);
  from = Group();
  parents[child] = root;
  return root;
}

} // namespace graphc::algorithms
