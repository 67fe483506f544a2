// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy merging, with a topological order of the groups that is kept up to
// date (after Pearce and Kelly): a path from one group to another can only go
// through groups that lie between them in it.
#include "lib/Algorithms/FusionGroups.h"

#include "lib/Algorithms/FusionOrder.h"
#include "lib/Algorithms/FusionRules.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_set>

namespace graphc::algorithms {
namespace {

/// A value that a group reads from memory: how often, and in which ways.
struct Read {
  int value;
  int count;
  unsigned reads;
  int64_t bytes;
};

struct Group {
  FusionFacts facts;
  std::vector<int> members;
  std::vector<Read> reads;  // by value
  std::vector<int> writes;  // by number
  std::vector<int> updates; // members whose results become variables
  int anchor = 0;           // the node at whose place it runs
  int first = 0, last = 0;
  int position = 0; // in the topological order
};

/// How far a search for a path goes before it gives up.
constexpr int kMaxSearch = 64;
constexpr int kMaxScanned = 512;
/// How many nodes later than its anchor a kernel may have to run because it
/// writes a variable.
constexpr int kMaxDelay = 16;
/// How far apart, in groups, kernels may lie that share one to be fewer.
constexpr int kSmallWindow = 64;
/// What a merge saves if it is worth more than FusionLimits::smallMerges allow.
constexpr int64_t kWorthwhileBytes = 4 << 10;

class Fuser {
public:
  Fuser(const FusionProblem &problem, const FusionLimits &limits)
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
  }

  void run() {
    for (int n = 0; n < int(groups.size()); ++n)
      pushAround(n, /*forwardOnly=*/true);
    while (!queue.empty() && mayMerge()) {
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
      bool isSmall = saved < kWorthwhileBytes;
      if (isSmall && smallMerges >= limits.smallMerges)
        continue;
      if (tryMerge(a, b) != FusionFault::None)
        continue;
      smallMerges += isSmall;
      pushAround(find(a), /*forwardOnly=*/false);
    }
    mergeSmall();
  }

  FusionSolution solution() {
    std::vector<int> roots(parents.size());
    for (size_t n = 0; n < roots.size(); ++n)
      roots[n] = find(int(n));
    FusionSolution result;
    result.merges = merges;
    orderFusion(problem, roots, result);
    return result;
  }

  /// Takes over the groups of `solution`, whoever made it.
  void adopt(const FusionSolution &solution) {
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

  FusionFault fault(int first, int second) {
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
    return findBetween(a, b, forward, backward);
  }

private:
  /// The facts of a group of which it is known that it is one.
  static FusionFacts factsTogether(const FusionFacts &a, const FusionFacts &b) {
    auto strength = [](const FusionFacts &facts) {
      return facts.kind == FusionKind::Alone ? -1 : int(facts.kind);
    };
    FusionFacts all = strength(a) >= strength(b) ? a : b;
    all.ops = a.ops + b.ops;
    all.reductions = a.reductions + b.reductions;
    all.isCostly = a.isCostly || b.isCostly;
    all.isView = a.isView && b.isView;
    all.mayFail = a.mayFail || b.mayFail;
    all.isUpdate = a.isUpdate || b.isUpdate;
    return all;
  }

  /// The shape of what an adopted group writes.
  void nameDomain(Group &group) {
    if (group.members.size() == 1 || group.facts.kind == FusionKind::Rows ||
        group.writes.empty())
      return;
    group.facts.domain = problem.values[group.writes.front()].shape;
    for (int v : group.writes)
      if (problem.values[v].shape != group.facts.domain)
        group.facts.domain = -1;
  }

  struct Candidate {
    int64_t saved;
    int at; // ties: the first in the program
    int a, b;
    bool operator<(const Candidate &other) const {
      return std::make_tuple(saved, -at, -a, -b) <
             std::make_tuple(other.saved, -other.at, -other.a, -other.b);
    }
  };

  void initialize(int n) {
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

  /// Of a value that two parts of a group read.
  int64_t joinedBytes(const Read &x, const Read &y) const {
    return std::min(problem.values[x.value].bytes, x.bytes + y.bytes);
  }

  int find(int n) {
    while (parents[n] != n)
      n = parents[n] = parents[parents[n]];
    return n;
  }

  bool mayMerge() const { return limits.merges < 0 || merges < limits.merges; }

  //===--------------------------------------------------------------------===//
  // What a merge saves, and whether it may be
  //===--------------------------------------------------------------------===//

  /// Calls `f` with each read of `b` that `a` writes.
  template <typename F> void forEachLink(int a, int b, F f) const {
    const std::vector<int> &writes = groups[a].writes;
    auto at = writes.begin();
    for (const Read &read : groups[b].reads) {
      at = std::lower_bound(at, writes.end(), read.value);
      if (at == writes.end())
        return;
      if (*at == read.value)
        f(read);
    }
  }

  /// True if nobody but `read`'s group, and the value's own, reads it.
  bool vanishes(const Read &read) const {
    return total[read.value] - inside[read.value] == read.count;
  }

  FusionLink linkOf(int a, int b) const {
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

  int64_t savedBy(int a, int b) const {
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

  int64_t trafficOf(const Group &group) const {
    int64_t bytes = 0;
    for (const Read &read : group.reads)
      bytes += read.bytes;
    for (int v : group.writes)
      bytes += problem.values[v].bytes;
    return bytes;
  }

  /// The same where a group over rows reads them for each reduction again, and
  /// for what it writes of their shape.
  int64_t passesOf(const FusionFacts &facts, const std::vector<Read> &reads,
                   const std::vector<int> &writes) const {
    int64_t bytes = 0, passes = 1;
    if (facts.kind == FusionKind::Rows)
      passes = facts.reductions +
               std::any_of(writes.begin(), writes.end(), [&](int v) {
                 return problem.values[v].shape == facts.domain;
               });
    for (const Read &read : reads)
      bytes += read.bytes *
               (problem.values[read.value].shape == facts.domain ? passes : 1);
    for (int v : writes)
      bytes += problem.values[v].bytes;
    return bytes;
  }

  int64_t passesTogether(int a, int b, const FusionFacts &joined) const {
    std::vector<Read> reads = groups[a].reads;
    std::vector<int> writes = groups[b].writes;
    for (const Read &read : groups[b].reads) {
      if (std::binary_search(groups[a].writes.begin(), groups[a].writes.end(),
                             read.value))
        continue;
      auto same = std::lower_bound(
          reads.begin(), reads.end(), read.value,
          [](const Read &known, int value) { return known.value < value; });
      if (same != reads.end() && same->value == read.value)
        same->bytes = joinedBytes(*same, read);
      else
        reads.insert(same, read);
    }
    writes.insert(writes.end(), groups[a].writes.begin(),
                  groups[a].writes.end());
    forEachLink(a, b, [&](const Read &read) {
      if (vanishes(read))
        writes.erase(std::find(writes.begin(), writes.end(), read.value));
    });
    return passesOf(joined, reads, writes);
  }

  int buffersOf(int a, int b) const {
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

  /// The place at which the group of `a` and `b` could run.
  static int anchorOf(const Group &a, const Group &b) {
    auto isFixed = [](const Group &group) {
      return group.facts.kind == FusionKind::Product ||
             group.facts.kind == FusionKind::Columns;
    };
    if (isFixed(a))
      return a.anchor;
    return isFixed(b) ? b.anchor : std::max(a.anchor, b.anchor);
  }

  bool mustWait(int a, int b) {
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

  FusionFault check(int a, int b, FusionFacts &joined) {
    FusionLink link = linkOf(a, b);
    FusionFault fault =
        joinFacts(groups[a].facts, groups[b].facts, link, limits, joined);
    if (fault != FusionFault::None)
      return fault;
    if (buffersOf(a, b) > limits.buffers)
      return FusionFault::Buffers;
    if (mustWait(a, b))
      return FusionFault::State;
    if (joined.kind == FusionKind::Rows && !limits.rowsShareLoops &&
        passesTogether(a, b, joined) >
            passesOf(groups[a].facts, groups[a].reads, groups[a].writes) +
                passesOf(groups[b].facts, groups[b].reads, groups[b].writes))
      return FusionFault::Reductions;
    // Side by side: worth it only if much of what is read is the same.
    if (link.reads == 0) {
      int64_t least = std::min(trafficOf(groups[a]), trafficOf(groups[b]));
      if (least > limits.smallBytes && savedBy(a, b) < least / 4)
        return FusionFault::Gain;
    }
    return FusionFault::None;
  }

  FusionFault tryMerge(int a, int b) {
    FusionFacts joined;
    FusionFault fault = check(a, b, joined);
    if (fault != FusionFault::None)
      return fault;
    // What was too far apart once is not looked at again.
    auto pair = (uint64_t(uint32_t(a)) << 32) | uint32_t(b);
    if (farPairs.count(pair))
      return FusionFault::Far;
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
    return FusionFault::None;
  }

  int merge(int a, int b, const FusionFacts &joined) {
    int anchor = anchorOf(groups[a], groups[b]);
    std::vector<Read> reads;
    std::vector<int> writes;
    forEachLink(a, b,
                [&](const Read &read) { inside[read.value] += read.count; });
    // Positions may have been crossed when a solution is adopted.
    forEachLink(b, a,
                [&](const Read &read) { inside[read.value] += read.count; });
    auto isOwn = [&](const Group &group, int value) {
      return std::binary_search(group.writes.begin(), group.writes.end(),
                                value);
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

  //===--------------------------------------------------------------------===//
  // The topological order
  //===--------------------------------------------------------------------===//

  template <typename F> bool forEachNext(int group, int &scanned, F f) {
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

  template <typename F> bool forEachPrevious(int group, int &scanned, F f) {
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

  /// The groups between `a` and `b` in the order that `a` reaches, and those
  /// that reach `b`.
  FusionFault findBetween(int a, int b, std::vector<int> &forward,
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
    if (!forEachNext(a, scanned, [&](int g) { visit(forward, g); }))
      return FusionFault::Far;
    for (size_t k = 0; k < forward.size(); ++k) {
      if (isTooFar(forward) || !forEachNext(forward[k], scanned, [&](int g) {
            hasCycle |= g == b;
            visit(forward, g);
          }))
        return FusionFault::Far;
      if (hasCycle)
        return FusionFault::Cycle;
    }
    if (!forEachPrevious(b, scanned, [&](int g) { visit(backward, g); }))
      return FusionFault::Far;
    for (size_t k = 0; k < backward.size(); ++k)
      if (isTooFar(backward) ||
          !forEachPrevious(backward[k], scanned,
                           [&](int g) { visit(backward, g); }))
        return FusionFault::Far;
    return FusionFault::None;
  }

  /// Puts what reaches `b` before, and what `a` reaches after, the place that
  /// the two will share, which is returned.
  int reorder(int a, int b, std::vector<int> &forward,
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

  //===--------------------------------------------------------------------===//
  // Candidates
  //===--------------------------------------------------------------------===//

  void push(int a, int b) {
    if (a == b || groups[a].facts.kind == FusionKind::Alone ||
        groups[b].facts.kind == FusionKind::Alone)
      return;
    if (groups[a].position > groups[b].position)
      std::swap(a, b);
    int64_t saved = savedBy(a, b);
    if (saved > 0)
      queue.push({saved, std::min(groups[a].first, groups[b].first), a, b});
  }

  void pushAround(int g, bool forwardOnly) {
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

  /// Small groups that need not wait for one another, side by side.
  void mergeSmall() {
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
      if (!mayMerge() || smallMerges >= limits.smallMerges)
        return;
      if (bundle >= 0 && tryBundle(bundle, next)) {
        bundle = find(next);
        continue;
      }
      bundle = next;
    }
  }

  bool tryBundle(int bundle, int next) {
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
    joined.isUpdate |= groups[b].facts.isUpdate;
    joined.mayFail |= groups[b].facts.mayFail;
    if (groups[a].facts.domain != groups[b].facts.domain)
      joined.domain = -1;
    if (joined.ops > limits.ops || (joined.mayFail && joined.isUpdate))
      return false;
    std::vector<int> forward, backward;
    if (findBetween(a, b, forward, backward) != FusionFault::None)
      return false;
    int position = reorder(a, b, forward, backward);
    groups[merge(a, b, joined)].position = position;
    ++merges;
    ++smallMerges;
    return true;
  }

  const FusionProblem &problem;
  const FusionLimits &limits;
  std::vector<int> parents;
  std::vector<Group> groups; // of the roots
  std::vector<int> total;    // uses of each value, one for leaving
  std::vector<int> inside;   // those in the group that computes it
  std::vector<std::vector<int>> usesOf, valuesOf, readsOf, before;
  std::priority_queue<Candidate> queue;
  std::vector<int> marks;
  std::unordered_set<uint64_t> farPairs;
  int mark = 0;
  int lastFailing = -1;
  int64_t merges = 0, smallMerges = 0;
};

} // namespace

FusionSolution noGroups(const FusionProblem &problem) {
  FusionLimits none;
  none.merges = 0;
  return fuseGroups(problem, none);
}

FusionSolution fuseGroups(const FusionProblem &problem,
                          const FusionLimits &limits) {
  Fuser fuser(problem, limits);
  fuser.run();
  return fuser.solution();
}

FusionSolution fuseWithinPeak(const FusionProblem &problem,
                              const FusionLimits &limits, int64_t mostBytes) {
  FusionSolution all = fuseGroups(problem, limits);
  if (fusionPeak(problem, all) <= mostBytes)
    return all;
  // Later merges save less, so these go.
  FusionSolution best = noGroups(problem);
  int64_t low = 0, high = all.merges;
  while (high - low > 1) {
    FusionLimits fewer = limits;
    fewer.merges = low + (high - low) / 2;
    FusionSolution tried = fuseGroups(problem, fewer);
    if (fusionPeak(problem, tried) <= mostBytes) {
      low = fewer.merges;
      best = std::move(tried);
    } else {
      high = fewer.merges;
    }
  }
  return best;
}

std::vector<FusionFault>
whyNotFused(const FusionProblem &problem, const FusionLimits &limits,
            const FusionSolution &solution,
            const std::vector<std::pair<int, int>> &pairs) {
  Fuser fuser(problem, limits);
  fuser.adopt(solution);
  std::vector<FusionFault> faults;
  for (auto [first, second] : pairs)
    faults.push_back(fuser.fault(first, second));
  return faults;
}

} // namespace graphc::algorithms
