// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which groups are candidates, and in what order they merge.
#include "lib/Algorithms/Fuser.h"

#include "lib/Algorithms/FusionOrder.h"

#include <numeric>

namespace graphc::algorithms {

/// How far apart, in groups, kernels may lie that share one to be fewer.
constexpr int kSmallWindow = 64;
/// What a merge saves if it is worth more than FusionLimits::smallMerges allow.
constexpr int64_t kWorthwhileBytes = 4 << 10;

Fuser::Fuser(const FusionProblem &problem, const FusionLimits &limits)
    : problem(problem), limits(limits), parents(problem.nodes.size()),
      groups(problem.nodes.size()), total(problem.values.size()),
      inside(problem.values.size()), usesOf(problem.values.size()),
      valuesOf(problem.nodes.size()), readsOf(problem.nodes.size()),
      before(problem.nodes.size()) {
  std::iota(parents.begin(), parents.end(), 0);
  for (size_t v = 0; v < problem.values.size(); ++v) {
    total[v] = problem.values[v].leaves;
    if (problem.values[v].producer >= 0)
      valuesOf[problem.values[v].producer].push_back(int(v));
  }
  for (size_t u = 0; u < problem.uses.size(); ++u) {
    const FusionUse &use = problem.uses[u];
    ++total[use.value];
    usesOf[use.value].push_back(int(u));
    readsOf[use.node].push_back(int(u));
  }
  for (size_t n = 0; n < problem.nodes.size(); ++n) {
    for (int earlier : problem.nodes[n].after)
      before[earlier].push_back(int(n));
    if (problem.nodes[n].mayFail)
      lastFailing = int(n);
    initialize(int(n));
  }
  for (int n = 0; n < int(groups.size()); ++n)
    pushAround(n, /*forwardOnly=*/true);
}

void Fuser::run(int64_t count) {
  most = limits.merges;
  if (count >= 0 && (most < 0 || count < most))
    most = count;
  int64_t swept = -1;
  while (mayMerge()) {
    if (queue.empty() && swept != merges) {
      swept = merges;
      closeUp();
    }
    if (queue.empty())
      break;
    Candidate candidate = queue.top();
    queue.pop();
    int a = find(candidate.a), b = find(candidate.b);
    if (a == b)
      continue;
    if (groups[a].position > groups[b].position)
      std::swap(a, b);
    int64_t saved = savedBy(a, b);
    if (saved != candidate.saved) {
      push(a, b);
      continue;
    }
    std::optional<SmallKind> kind;
    if (saved < kWorthwhileBytes)
      kind = smallKindOf(a, b, saved);
    if (kind && !mayMakeSmall(*kind))
      continue;
    if (tryMerge(a, b) != FusionFault::None)
      continue;
    if (kind)
      smallKinds.insert(*kind);
    pushAround(find(a), /*forwardOnly=*/false);
  }
  mergeSmall();
}

Fuser::SmallKind Fuser::smallKindOf(int a, int b, int64_t saved) const {
  auto describe = [&](int group) {
    const FusionFacts &facts = groups[group].facts;
    return std::array<int64_t, 4>{static_cast<int64_t>(facts.kind),
                                  facts.domain, facts.ops,
                                  trafficOf(groups[group])};
  };
  return {saved, describe(a), describe(b)};
}

bool Fuser::mayMakeSmall(const SmallKind &kind) const {
  return int64_t(smallKinds.size()) + smallBundles < limits.smallMerges ||
         smallKinds.count(kind);
}

/// Takes the order in which the groups would run, where what was far apart may
/// have come near, and looks at all pairs again.
void Fuser::closeUp() {
  FusionSolution order = solution();
  for (int n = 0; n < int(groups.size()); ++n)
    if (find(n) == n)
      groups[n].position = order.groups[n];
  farPairs.clear();
  for (int n = 0; n < int(groups.size()); ++n)
    if (find(n) == n)
      pushAround(n, /*forwardOnly=*/true);
}

void Fuser::join(int first, int second) {
  int a = find(first), b = find(second);
  if (groups[a].position > groups[b].position)
    std::swap(a, b);
  tryMerge(a, b);
}

FusionSolution Fuser::solution() {
  std::vector<int> roots(parents.size());
  for (size_t n = 0; n < roots.size(); ++n)
    roots[n] = find(int(n));
  FusionSolution result;
  result.merges = merges;
  orderFusion(problem, roots, result);
  return result;
}

void Fuser::adopt(const FusionSolution &solution) {
  merges = int64_t(solution.groups.size()) - solution.groupCount;
  most = limits.merges;
  std::vector<int> rootOf(solution.groupCount, -1);
  for (size_t n = 0; n < solution.groups.size(); ++n) {
    int &root = rootOf[solution.groups[n]];
    if (root < 0)
      root = int(n);
    else
      root = merge(root, int(n),
                   factsTogether(groups[root].facts, groups[n].facts));
  }
  for (int root : rootOf)
    nameDomain(groups[root]);
  for (size_t n = 0; n < solution.groups.size(); ++n)
    groups[find(int(n))].position = solution.groups[n];
}

FusionFault Fuser::fault(int first, int second) {
  int a = find(first), b = find(second);
  if (a == b)
    return FusionFault::None;
  if (groups[a].position > groups[b].position)
    std::swap(a, b);
  FusionFacts joined;
  FusionFault fault = check(a, b, joined);
  if (fault == FusionFault::None && savedBy(a, b) == 0)
    return FusionFault::Gain;
  if (fault != FusionFault::None)
    return fault;
  std::vector<int> forward, backward;
  fault = findBetween(a, b, forward, backward);
  bool isSmall = savedBy(a, b) < kWorthwhileBytes;
  if (fault == FusionFault::None &&
      (!mayMerge() || (isSmall && merges >= limits.smallMerges)))
    return FusionFault::Limit;
  return fault;
}

FusionFacts Fuser::factsTogether(const FusionFacts &a, const FusionFacts &b) {
  auto strength = [](const FusionFacts &facts) {
    return facts.kind == FusionKind::Alone ? -1 : int(facts.kind);
  };
  bool hasRows = a.kind == FusionKind::Rows || b.kind == FusionKind::Rows ||
                 (a.kind == FusionKind::Columns && b.kind == a.kind);
  if (hasRows && (a.terms >= 0 || b.terms >= 0))
    return factsTogether(asRows(a), asRows(b));
  FusionFacts all = strength(a) >= strength(b) ? a : b;
  all.columns = std::max(a.columns, b.columns);
  all.sharesLoop = a.sharesLoop && b.sharesLoop;
  all.ops = a.ops + b.ops;
  all.reductions = a.reductions + b.reductions;
  all.isCostly = a.isCostly || b.isCostly;
  all.isView = a.isView && b.isView;
  all.mayFail = a.mayFail || b.mayFail;
  all.isUpdate = a.isUpdate || b.isUpdate;
  return all;
}

void Fuser::nameDomain(Group &group) {
  if (group.members.size() == 1 || group.facts.kind == FusionKind::Rows ||
      group.writes.empty())
    return;
  for (int v : group.writes)
    if (problem.values[v].shape == group.facts.terms) {
      group.facts = asRows(group.facts);
      return;
    }
  group.facts.domain = problem.values[group.writes.front()].shape;
  for (int v : group.writes)
    if (problem.values[v].shape != group.facts.domain)
      group.facts.domain = -1;
}

void Fuser::initialize(int n) {
  Group &group = groups[n];
  group.facts = factsOf(problem.nodes[n]);
  group.members = {n};
  group.anchor = group.first = group.last = group.position = n;
  if (problem.nodes[n].isUpdate)
    group.updates = {n};
  for (int u : readsOf[n]) {
    const FusionUse &use = problem.uses[u];
    int64_t all = problem.values[use.value].bytes;
    group.reads.push_back(
        {use.value, 1, bit(use.read), use.bytes < 0 ? all : use.bytes});
  }
  std::sort(group.reads.begin(), group.reads.end(),
            [](const Read &x, const Read &y) { return x.value < y.value; });
  std::vector<Read> unique;
  for (const Read &read : group.reads) {
    if (!unique.empty() && unique.back().value == read.value) {
      ++unique.back().count;
      unique.back().reads |= read.reads;
      unique.back().bytes = joinedBytes(unique.back(), read);
    } else {
      unique.push_back(read);
    }
  }
  group.reads = std::move(unique);
  for (int v : valuesOf[n])
    if (total[v] > 0)
      group.writes.push_back(v);
}

int64_t Fuser::joinedBytes(const Read &x, const Read &y) const {
  return std::min(problem.values[x.value].bytes, x.bytes + y.bytes);
}

int Fuser::find(int n) {
  while (parents[n] != n)
    n = parents[n] = parents[parents[n]];
  return n;
}

uint64_t Fuser::keyOf(std::pair<int, int> pair) {
  return (uint64_t(uint32_t(pair.first)) << 32) | uint32_t(pair.second);
}

void Fuser::push(int a, int b) {
  if (a == b || groups[a].facts.kind == FusionKind::Alone ||
      groups[b].facts.kind == FusionKind::Alone)
    return;
  if (groups[a].position > groups[b].position)
    std::swap(a, b);
  int64_t saved = savedBy(a, b);
  if (saved > 0)
    queue.push({saved, std::min(groups[a].first, groups[b].first), a, b});
}

void Fuser::pushAround(int g, bool forwardOnly) {
  if (groups[g].facts.kind == FusionKind::Alone)
    return;
  constexpr size_t most = 64;
  for (size_t k = 0; k < groups[g].writes.size(); ++k) {
    const std::vector<int> &uses = usesOf[groups[g].writes[k]];
    for (size_t u = 0; u < std::min(uses.size(), most); ++u)
      push(g, find(problem.uses[uses[u]].node));
  }
  for (size_t k = 0; k < groups[g].reads.size(); ++k) {
    int value = groups[g].reads[k].value;
    int producer = problem.values[value].producer;
    if (!forwardOnly && producer >= 0)
      push(find(producer), g);
    // The next one that reads the same.
    const std::vector<int> &uses = usesOf[value];
    auto next = std::upper_bound(
        uses.begin(), uses.end(), groups[g].last,
        [&](int node, int use) { return node < problem.uses[use].node; });
    if (next != uses.end())
      push(g, find(problem.uses[*next].node));
  }
}

void Fuser::mergeSmall() {
  std::vector<int> small;
  for (int n = 0; n < int(groups.size()); ++n)
    if (find(n) == n && groups[n].facts.kind == FusionKind::Map &&
        groups[n].facts.domain >= 0 &&
        trafficOf(groups[n]) <= limits.smallBytes)
      small.push_back(n);
  std::sort(small.begin(), small.end(), [&](int x, int y) {
    return groups[x].position < groups[y].position;
  });
  int bundle = -1;
  for (int next : small) {
    if (!mayMerge() ||
        int64_t(smallKinds.size()) + smallBundles >= limits.smallMerges)
      return;
    if (bundle >= 0 && tryBundle(bundle, next)) {
      bundle = find(next);
      continue;
    }
    bundle = next;
  }
}

bool Fuser::tryBundle(int bundle, int next) {
  int a = bundle, b = next;
  if (groups[a].position > groups[b].position)
    std::swap(a, b);
  if (groups[b].position - groups[a].position > kSmallWindow ||
      linkOf(a, b).reads != 0 || linkOf(b, a).reads != 0 ||
      buffersOf(a, b) > limits.buffers ||
      trafficOf(groups[a]) + trafficOf(groups[b]) > 4 * limits.smallBytes ||
      mustWait(a, b))
    return false;
  FusionFacts joined = groups[a].facts;
  joined.ops += groups[b].facts.ops;
  joined.isCostly |= groups[b].facts.isCostly;
  joined.isView &= groups[b].facts.isView;
  joined.readsMany |= groups[b].facts.readsMany;
  joined.readsElsewhere |= groups[b].facts.readsElsewhere;
  joined.isUpdate |= groups[b].facts.isUpdate;
  joined.mayFail |= groups[b].facts.mayFail;
  if (groups[a].facts.domain != groups[b].facts.domain)
    joined.domain = -1;
  if (joined.ops > limits.ops || (joined.mayFail && joined.isUpdate) ||
      refused.count(keyOf({a, b})))
    return false;
  std::vector<int> forward, backward;
  if (findBetween(a, b, forward, backward) != FusionFault::None)
    return false;
  int position = reorder(a, b, forward, backward);
  groups[merge(a, b, joined)].position = position;
  ++merges;
  ++smallBundles;
  last = {a, b};
  return true;
}

} // namespace graphc::algorithms
