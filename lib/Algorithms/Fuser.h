// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy merging, with a topological order of the groups that is kept up to
// date (after Pearce and Kelly): a path from one group to another can only go
// through groups that lie between them in it.
#ifndef GRAPHC_LIB_ALGORITHMS_FUSER_H
#define GRAPHC_LIB_ALGORITHMS_FUSER_H

#include "lib/Algorithms/FusionRules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_set>

namespace graphc::algorithms {

/// A value that a group reads from memory: how often, and in which ways.
struct Read {
  int value;
  int count;
  unsigned reads;
  int64_t bytes;
};

/// Nodes that are to be one kernel.
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

/// Groups of one node each, to begin with.
class Fuser {
public:
  Fuser(const FusionProblem &problem, const FusionLimits &limits);
  /// Merges until there have been `count` merges; -1: all that there are.
  void run(int64_t count);
  /// Merges the groups of two nodes, of which fault() has nothing to say.
  void join(int first, int second);
  int64_t mergeCount() const { return merges; }
  /// The two groups that became one last, by which they are known before it.
  std::pair<int, int> lastMerge() const { return last; }
  void refuse(std::pair<int, int> pair) { refused.insert(keyOf(pair)); }
  FusionSolution solution();
  /// Takes over the groups of `solution`, whoever made it.
  void adopt(const FusionSolution &solution);
  FusionFault fault(int first, int second);

private:
  /// The facts of a group of which it is known that it is one.
  static FusionFacts factsTogether(const FusionFacts &a, const FusionFacts &b);
  /// The shape of what an adopted group writes.
  void nameDomain(Group &group);
  struct Candidate {
    int64_t saved;
    int at; // ties: the first in the program
    int a, b;
    bool operator<(const Candidate &other) const {
      return std::make_tuple(saved, -at, -a, -b) <
             std::make_tuple(other.saved, -other.at, -other.a, -other.b);
    }
  };

  void initialize(int n);
  /// Of a value that two parts of a group read.
  int64_t joinedBytes(const Read &x, const Read &y) const;
  int find(int n);
  bool mayMerge() const { return most < 0 || merges < most; }
  static uint64_t keyOf(std::pair<int, int> pair);

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
  bool vanishes(const Read &read) const;
  FusionLink linkOf(int a, int b) const;
  int64_t savedBy(int a, int b) const;
  int64_t trafficOf(const Group &group) const;
  int buffersOf(int a, int b) const;
  /// The place at which the group of `a` and `b` could run.
  static int anchorOf(const Group &a, const Group &b);
  bool mustWait(int a, int b);
  /// What there is only when the loops of a product, or of a sum of everything,
  /// have ended is read once, of sums in their own order.
  bool areLateReadsDirect(int a, int b, FusionKind kind);
  FusionFault check(int a, int b, FusionFacts &joined);
  FusionFault tryMerge(int a, int b);
  int merge(int a, int b, const FusionFacts &joined);

  template <typename F> bool forEachNext(int group, int &scanned, F f);
  template <typename F> bool forEachPrevious(int group, int &scanned, F f);
  /// The groups between `a` and `b` in the order that `a` reaches, and those
  /// that reach `b`.
  FusionFault findBetween(int a, int b, std::vector<int> &forward,
                          std::vector<int> &backward);
  /// Puts what reaches `b` before, and what `a` reaches after, the place that
  /// the two will share, which is returned.
  int reorder(int a, int b, std::vector<int> &forward,
              std::vector<int> &backward);

  /// A merge that saves little: how much, and what is known of both groups.
  /// Equal ones, as of a model's layers, make one kernel.
  using SmallKind =
      std::tuple<int64_t, std::array<int64_t, 4>, std::array<int64_t, 4>>;
  SmallKind smallKindOf(int a, int b, int64_t saved) const;
  bool mayMakeSmall(const SmallKind &kind) const;

  void closeUp();
  void push(int a, int b);
  void pushAround(int g, bool forwardOnly);
  /// Small groups that need not wait for one another, side by side.
  void mergeSmall();
  bool tryBundle(int bundle, int next);

  const FusionProblem &problem;
  const FusionLimits &limits;
  std::vector<int> parents;
  std::vector<Group> groups; // of the roots
  std::vector<int> total;    // uses of each value, one for leaving
  std::vector<int> inside;   // those in the group that computes it
  std::vector<std::vector<int>> usesOf, valuesOf, readsOf, before;
  std::priority_queue<Candidate> queue;
  std::vector<int> marks;
  std::unordered_set<uint64_t> farPairs, refused;
  std::pair<int, int> last;
  int mark = 0;
  int lastFailing = -1;
  int64_t merges = 0, smallBundles = 0, most = -1;
  std::set<SmallKind> smallKinds;
};

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_FUSER_H
