// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/FusionGroups.h"

#include <algorithm>
#include <functional>
#include <random>

#include "gtest/gtest.h"

using namespace graphc::algorithms;

namespace {

/// Nodes of one result each.
class Builder {
public:
  int input(int64_t bytes, int shape) {
    problem.values.push_back({-1, bytes, shape, false, false});
    return int(problem.values.size()) - 1;
  }
  /// A node that reads values, and the value that it computes.
  int node(FusionKind kind, std::vector<std::pair<int, FusionRead>> reads,
           int64_t bytes, int shape, int domain = -1, int rows = -1) {
    FusionNode node;
    node.kind = kind;
    node.domain = domain < 0 ? shape : domain;
    node.rows = rows;
    node.reductions = kind == FusionKind::Rows;
    int number = int(problem.nodes.size());
    problem.nodes.push_back(node);
    for (auto [value, read] : reads)
      problem.uses.push_back({number, value, read});
    problem.values.push_back({number, bytes, shape, false, true});
    return int(problem.values.size()) - 1;
  }
  int map(std::vector<int> reads, int64_t bytes, int shape) {
    std::vector<std::pair<int, FusionRead>> same;
    for (int value : reads)
      same.push_back({value, FusionRead::Same});
    return node(FusionKind::Map, same, bytes, shape);
  }
  void leave(int value) { problem.values[value].leaves = true; }
  FusionNode &maker(int value) {
    return problem.nodes[problem.values[value].producer];
  }

  FusionProblem problem;
};

FusionSolution solve(const FusionProblem &problem, FusionLimits limits = {}) {
  FusionSolution solution = fuseGroups(problem, limits);
  EXPECT_EQ(verifyFusion(problem, limits, solution), "");
  EXPECT_LE(fusionTraffic(problem, solution),
            fusionTraffic(problem, noGroups(problem)));
  return solution;
}

constexpr int64_t kBig = 1 << 20;

TEST(FusionGroups, ChainOfAnyFanOutIsOne) {
  Builder b;
  int x = b.input(kBig, 0);
  int a = b.map({x}, kBig, 0);
  int c = b.map({a}, kBig, 0), d = b.map({a, c}, kBig, 0);
  b.leave(c);
  b.leave(d);
  FusionSolution solution = solve(b.problem);
  EXPECT_EQ(solution.groupCount, 1);
  EXPECT_EQ(fusionTraffic(b.problem, solution), 3 * kBig);
}

TEST(FusionGroups, NothingIsFusedAroundAnOpBetween) {
  // x -> a -> sort -> c, and a -> c: one kernel of a and c would wait for
  // itself.
  Builder b;
  int x = b.input(kBig, 0);
  int a = b.map({x}, kBig, 0);
  int s = b.node(FusionKind::Alone, {{a, FusionRead::Whole}}, kBig, 0);
  b.leave(b.map({a, s}, kBig, 0));
  EXPECT_EQ(solve(b.problem).groupCount, 3);
}

TEST(FusionGroups, ProductTakesItsEpilogueButNoSecondProduct) {
  Builder b;
  int x = b.input(kBig, 0), w = b.input(kBig, 1);
  auto product = [&](int left, int right) {
    return b.node(FusionKind::Product,
                  {{left, FusionRead::Factor}, {right, FusionRead::Factor}},
                  kBig, 0);
  };
  int first = product(x, w);
  int relu = b.map({first}, kBig, 0);
  int second = product(relu, w);
  b.leave(b.map({second}, kBig, 0));
  FusionSolution solution = solve(b.problem);
  EXPECT_EQ(solution.groups, (std::vector<int>{0, 0, 1, 1}));
}

TEST(FusionGroups, ProductReadsViewsButComputesNothingMoreThanOnce) {
  for (bool isView : {true, false}) {
    Builder b;
    int x = b.input(kBig, 0), w = b.input(kBig, 1);
    int t = b.node(FusionKind::Map, {{w, FusionRead::Relayout}}, kBig, 2);
    b.maker(t).isView = isView;
    b.leave(b.node(FusionKind::Product,
                   {{x, FusionRead::Factor}, {t, FusionRead::Factor}}, kBig,
                   0));
    EXPECT_EQ(solve(b.problem).groupCount, isView ? 1 : 2);
  }
}

TEST(FusionGroups, WhatComesNearLaterIsLookedAtAgain) {
  // s is needed late, by what a long chain lies before; together they are late.
  Builder b;
  int x = b.input(kBig, 0), c = b.input(64, 1);
  int s = b.map({x}, kBig, 0);
  for (int k = 0; k < 100; ++k)
    c = b.node(FusionKind::Alone, {{c, FusionRead::Whole}}, 64, 1);
  int m = b.map({s}, kBig, 0);
  int p = b.node(FusionKind::Product,
                 {{c, FusionRead::Factor}, {x, FusionRead::Factor}}, kBig, 0);
  b.leave(b.map({p, m}, kBig, 0));
  EXPECT_EQ(solve(b.problem).groupCount, 101);
}

TEST(FusionGroups, ProductIsStoredWholeBeforeItIsCut) {
  // Its result in another order, of which two readers take a half each.
  Builder b;
  int x = b.input(kBig, 0);
  int p = b.node(FusionKind::Product,
                 {{x, FusionRead::Factor}, {x, FusionRead::Factor}}, kBig, 0);
  std::vector<int> halves;
  for (int k = 0; k < 2; ++k) {
    int turned = b.node(FusionKind::Map, {{p, FusionRead::Relayout}}, kBig, 1);
    halves.push_back(
        b.node(FusionKind::Map, {{turned, FusionRead::Once}}, kBig / 2, 2));
    b.problem.uses.back().bytes = kBig / 2;
    b.leave(halves.back());
  }
  FusionSolution solution = solve(b.problem);
  for (int half : halves)
    EXPECT_NE(solution.groups[b.problem.values[half].producer],
              solution.groups[b.problem.values[p].producer]);

  // Uncut, it may be stored so at once.
  Builder whole;
  x = whole.input(kBig, 0);
  p = whole.node(FusionKind::Product,
                 {{x, FusionRead::Factor}, {x, FusionRead::Factor}}, kBig, 0);
  int turned =
      whole.node(FusionKind::Map, {{p, FusionRead::Relayout}}, kBig, 1);
  whole.leave(
      whole.node(FusionKind::Map, {{turned, FusionRead::Relayout}}, kBig, 2));
  EXPECT_EQ(solve(whole.problem).groupCount, 1);
}

TEST(FusionGroups, RowsTakeProducersAndConsumersOfTheirRows) {
  Builder b;
  int x = b.input(kBig, 0);
  int a = b.map({x}, kBig, 0);
  int sum = b.node(FusionKind::Rows, {{a, FusionRead::Row}}, 1024, 1, 0, 1);
  int root = b.map({sum}, 1024, 1);
  int wide = b.node(FusionKind::Map, {{root, FusionRead::Outer}}, kBig, 0);
  int y = b.map({a, wide}, kBig, 0);
  b.leave(y);
  b.leave(root);
  FusionSolution solution = solve(b.problem);
  EXPECT_EQ(solution.groupCount, 1);
  EXPECT_EQ(fusionTraffic(b.problem, solution), 2 * kBig + 1024);
}

TEST(FusionGroups, WhatIsCostlyIsNotComputedForEachReductionOfARow) {
  for (bool shares : {false, true}) {
    Builder b;
    int x = b.input(kBig, 0);
    int e = b.map({x}, kBig, 0);
    b.maker(e).isCostly = true;
    b.leave(b.node(FusionKind::Rows, {{e, FusionRead::Row}}, kBig, 0, 0, 1));
    b.problem.nodes.back().sharesLoop = shares;
    EXPECT_EQ(solve(b.problem).groupCount, shares ? 1 : 2);
  }
}

TEST(FusionGroups, LoopOverRowsAddsThemUp) {
  // Of a normalisation: the input's gradient, and sums of rows for the weight's
  // and the bias's, each with its update.
  for (bool canAdd : {true, false}) {
    Builder b;
    int x = b.input(kBig, 0), g = b.input(kBig, 0);
    int mean = b.node(FusionKind::Rows, {{x, FusionRead::Row}}, 1024, 1, 0, 1);
    int wide = b.node(FusionKind::Map, {{mean, FusionRead::Outer}}, kBig, 0);
    int dx = b.map({g, wide}, kBig, 0);
    b.leave(dx);
    for (int terms : {g, dx}) {
      int sum =
          b.node(FusionKind::Columns, {{terms, FusionRead::Reduced}}, 1024, 2);
      b.maker(sum).rows = 1;
      b.maker(sum).terms = canAdd ? 0 : -1;
      b.leave(b.map({sum, b.input(1024, 2)}, 1024, 2));
    }
    FusionSolution solution = solve(b.problem);
    EXPECT_EQ(solution.groupCount, canAdd ? 1 : 3);
    if (canAdd)
      EXPECT_EQ(fusionTraffic(b.problem, solution), 3 * kBig + 4 * 1024);
  }
}

TEST(FusionGroups, WhatReadsSumsOfRowsWaitsForThem) {
  // A normalisation over columns: another loop over the same elements.
  Builder b;
  int x = b.input(kBig, 0);
  int sum = b.node(FusionKind::Columns, {{x, FusionRead::Reduced}}, 1024, 2);
  b.maker(sum).rows = 1;
  b.maker(sum).terms = 0;
  int mean = b.map({sum}, 1024, 2);
  int wide = b.node(FusionKind::Map, {{mean, FusionRead::Many}}, kBig, 0);
  b.leave(b.map({x, wide}, kBig, 0));
  FusionSolution solution = solve(b.problem);
  EXPECT_EQ(solution.groups, (std::vector<int>{0, 0, 1, 1}));
}

TEST(FusionGroups, ColumnsTakeProducersThatNobodyElseReads) {
  for (bool isReadElsewhere : {false, true}) {
    Builder b;
    int x = b.input(kBig, 0);
    int a = b.map({x}, kBig, 0);
    int sum = b.node(FusionKind::Columns, {{a, FusionRead::Reduced}}, 1024, 1);
    b.leave(b.map({sum}, 1024, 1));
    if (isReadElsewhere)
      b.leave(a);
    EXPECT_EQ(solve(b.problem).groupCount, isReadElsewhere ? 2 : 1);
  }
}

TEST(FusionGroups, ValueReadAtAnotherIndexStaysInsideOrApart) {
  for (bool isReadElsewhere : {false, true}) {
    Builder b;
    int x = b.input(1024, 1);
    int small = b.map({x}, 1024, 1);
    b.leave(b.node(FusionKind::Map, {{small, FusionRead::Many}}, kBig, 0));
    if (isReadElsewhere)
      b.leave(small);
    EXPECT_EQ(solve(b.problem).groupCount, isReadElsewhere ? 2 : 1);
  }
}

TEST(FusionGroups, UpdateJoinsItsGradientUnlessItWouldWait) {
  enum Case { Joins, ReadLater, FailsLater };
  for (Case what : {Joins, ReadLater, FailsLater}) {
    Builder b;
    int x = b.input(kBig, 0), w = b.input(kBig, 0);
    int gradient =
        b.node(FusionKind::Product,
               {{x, FusionRead::Factor}, {x, FusionRead::Factor}}, kBig, 0);
    int reader = x;
    for (int k = 0; k < 40; ++k)
      reader = b.node(
          FusionKind::Alone,
          {{k == 39 && what == ReadLater ? w : reader, FusionRead::Whole}}, 64,
          3);
    b.leave(reader);
    if (what == FailsLater)
      b.maker(reader).mayFail = true;
    int readerNode = b.problem.values[reader].producer;
    int updated = b.map({w, gradient}, kBig, 0);
    b.leave(updated);
    b.problem.values[updated].isArena = false;
    b.maker(updated).isUpdate = true;
    if (what == ReadLater)
      b.maker(updated).oldReaders = {readerNode};
    FusionSolution solution = solve(b.problem);
    EXPECT_EQ(solution.groups.front() == solution.groups.back(), what == Joins);
    if (what == Joins)
      // At the place of the product, long before that of the update.
      EXPECT_EQ(solution.groups.front(), 0);
  }
}

TEST(FusionGroups, SmallGroupsOfSeveralShapesShareAKernel) {
  Builder b;
  std::vector<int> inputs;
  for (int k = 0; k < 100; ++k) {
    int x = b.input(256, k);
    b.leave(b.map({x}, 256, k));
  }
  // 32 of two buffers each.
  EXPECT_EQ(solve(b.problem).groupCount, 4);
  FusionLimits limits;
  limits.buffers = 20;
  EXPECT_EQ(solve(b.problem, limits).groupCount, 10);
  limits.merges = 7;
  EXPECT_EQ(solve(b.problem, limits).groupCount, 93);
}

TEST(FusionGroups, PartsOfAValueAreReadOnce) {
  // Side by side, of several shapes: x is read in parts, and all of y twice.
  Builder b;
  int x = b.input(96 << 10, 0), y = b.input(12 << 10, 1);
  for (int k = 0; k < 4; ++k) {
    b.leave(b.node(FusionKind::Map, {{x, FusionRead::Once}}, 1024, 2 + k));
    b.problem.uses.back().bytes = 1024;
    b.leave(b.node(FusionKind::Map,
                   {{y, FusionRead::Once}, {y, FusionRead::Many}}, 1024,
                   6 + k));
  }
  FusionSolution solution = solve(b.problem);
  EXPECT_EQ(solution.groupCount, 1);
  EXPECT_EQ(fusionTraffic(b.problem, solution), (4 + 12 + 8) << 10);
}

TEST(FusionGroups, MergesThatSaveLittleAreCounted) {
  for (int64_t bytes : {int64_t(64), kBig}) {
    Builder b;
    int value = b.input(bytes, 0);
    for (int n = 0; n < 50; ++n)
      value = b.map({value}, bytes + n, 0); // No two merges are equal.
    b.leave(value);
    FusionLimits limits;
    limits.smallMerges = 9;
    EXPECT_EQ(solve(b.problem, limits).groupCount, bytes == kBig ? 1 : 41);
  }
}

TEST(FusionGroups, EqualMergesThatSaveLittleCountOnce) {
  Builder b;
  for (int layer = 0; layer < 50; ++layer) {
    int value = b.map({b.input(64, 0)}, 64, 0);
    b.leave(b.node(FusionKind::Alone,
                   {{b.map({value}, 64, 0), FusionRead::Whole}}, 64, 1));
  }
  FusionLimits limits;
  limits.smallMerges = 1;
  EXPECT_EQ(solve(b.problem, limits).groupCount, 100);
  limits.smallMerges = 0;
  EXPECT_EQ(solve(b.problem, limits).groupCount, 150);
}

TEST(FusionGroups, MergesThatNeedMoreMemoryAreUndone) {
  // Both halves read x. Side by side, the first result waits for the second.
  Builder b;
  int x = b.input(kBig, 0);
  int a = b.map({x}, kBig, 0);
  int s = b.node(FusionKind::Alone, {{a, FusionRead::Whole}}, 64, 1);
  int c = b.map({x}, kBig, 0);
  int t = b.node(FusionKind::Alone, {{c, FusionRead::Whole}}, 64, 1);
  b.leave(s);
  b.leave(t);
  EXPECT_EQ(solve(b.problem).groupCount, 3);
  FusionSolution none = noGroups(b.problem);
  int64_t most = fusionPeak(b.problem, none);
  EXPECT_EQ(most, kBig + 64 + 64);
  FusionSolution fitted = fuseWithinPeak(b.problem, {}, most);
  EXPECT_EQ(fitted.groupCount, 4);
  EXPECT_EQ(fusionPeak(b.problem, fitted), most);
  EXPECT_EQ(whyNotFused(b.problem, {}, fitted, {{0, 2}}),
            std::vector<FusionFault>{FusionFault::Peak});

  // Those that save less, but need no more, stay.
  int value = b.input(1024, 2);
  for (int n = 0; n < 10; ++n)
    value = b.map({value}, 1024, 2);
  b.leave(value);
  fitted = fuseWithinPeak(b.problem, {}, most);
  EXPECT_EQ(fitted.groupCount, 5);
  EXPECT_EQ(fusionPeak(b.problem, fitted), most);
}

TEST(FusionGroups, WhatChangesAPartTakesThePlaceOfTheWhole) {
  // Two parts of x are replaced, one after the other.
  Builder b;
  int x = b.map({b.input(kBig, 0)}, kBig, 0);
  int y = b.node(FusionKind::Alone, {{x, FusionRead::Whole}}, kBig, 0);
  int z = b.node(FusionKind::Alone, {{y, FusionRead::Whole}}, kBig, 0);
  b.leave(z);
  EXPECT_EQ(fusionPeak(b.problem, noGroups(b.problem)), 2 * kBig);
  b.problem.values[y].replaces = x;
  b.problem.values[z].replaces = y;
  EXPECT_EQ(fusionPeak(b.problem, noGroups(b.problem)), kBig);
  // Not while somebody else is still to read it.
  b.leave(b.node(FusionKind::Alone, {{x, FusionRead::Whole}}, 64, 1));
  EXPECT_EQ(fusionPeak(b.problem, noGroups(b.problem)), 2 * kBig + 64);
  b.leave(y);
  EXPECT_EQ(fusionPeak(b.problem, noGroups(b.problem)), 3 * kBig + 64);
}

TEST(FusionGroups, SaysWhyTwoNodesAreApart) {
  Builder b;
  int x = b.input(kBig, 0);
  int p = b.node(FusionKind::Product,
                 {{x, FusionRead::Factor}, {x, FusionRead::Factor}}, kBig, 0);
  int q = b.node(FusionKind::Product,
                 {{p, FusionRead::Factor}, {x, FusionRead::Factor}}, kBig, 0);
  int m = b.map({q}, kBig, 0);
  b.leave(b.node(FusionKind::Alone, {{m, FusionRead::Whole}}, kBig, 0));
  FusionSolution solution = solve(b.problem);
  auto faults = whyNotFused(b.problem, {}, solution, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(faults,
            (std::vector<FusionFault>{FusionFault::Heavy, FusionFault::None,
                                      FusionFault::Alone}));

  // They would have shared a kernel if more merges had been allowed.
  FusionLimits none;
  none.merges = 0;
  solution = fuseGroups(b.problem, none);
  EXPECT_EQ(whyNotFused(b.problem, none, solution, {{1, 2}}),
            std::vector<FusionFault>{FusionFault::Limit});
  none.merges = 1;
  EXPECT_EQ(whyNotFused(b.problem, none, solution, {{1, 2}}),
            std::vector<FusionFault>{FusionFault::None});
}

//===----------------------------------------------------------------------===//
// Random problems
//===----------------------------------------------------------------------===//

FusionProblem randomProblem(std::mt19937 &random, int count, int spread) {
  Builder b;
  std::vector<int> values;
  for (int k = 0; k < 3; ++k)
    values.push_back(b.input(64 << (random() % 12), int(random() % 3)));
  for (int n = 0; n < count; ++n) {
    auto pick = [&] {
      size_t from = values.size() > size_t(spread) ? values.size() - spread : 0;
      return values[from + random() % (values.size() - from)];
    };
    int first = pick();
    int shape = b.problem.values[first].shape;
    int64_t bytes = b.problem.values[first].bytes;
    std::vector<std::pair<int, FusionRead>> reads;
    FusionKind kind = FusionKind::Map;
    int rows = -1, domain = -1, terms = -1;
    auto readAs = [&](int value) {
      return b.problem.values[value].shape == shape ? FusionRead::Same
             : random() % 3 == 0                    ? FusionRead::Outer
             : random() % 2                         ? FusionRead::Many
                                                    : FusionRead::Once;
    };
    switch (random() % 8) {
    case 0:
      kind = FusionKind::Product;
      reads = {{first, FusionRead::Factor}, {pick(), FusionRead::Factor}};
      shape = int(random() % 3);
      break;
    case 1:
      kind = FusionKind::Rows;
      domain = shape;
      rows = shape + 10;
      reads = {{first, FusionRead::Row}};
      if (random() % 2)
        shape = rows;
      break;
    case 2:
      kind = FusionKind::Columns;
      reads = {{first, FusionRead::Reduced}};
      terms = random() % 2 ? shape : -1;
      rows = shape + 10;
      shape = terms < 0 ? int(random() % 3) : shape + 20;
      break;
    case 3:
      kind = FusionKind::Alone;
      reads = {{first, FusionRead::Whole}};
      break;
    default:
      if (random() % 4 == 0)
        shape = int(random() % 3);
      reads = {{first, readAs(first)}};
      for (int k = int(random() % 3); k > 0; --k) {
        int other = pick();
        reads.push_back({other, readAs(other)});
      }
    }
    int value = b.node(kind, reads, bytes, shape, domain, rows);
    if (kind == FusionKind::Map && reads.front().second == FusionRead::Once)
      for (FusionUse &use : b.problem.uses)
        if (use.node == n)
          use.bytes = b.problem.values[use.value].bytes / 4;
    FusionNode &node = b.maker(value);
    node.terms = terms;
    node.sharesLoop = random() % 8 != 0;
    node.isCostly = random() % 4 == 0;
    node.isView =
        kind == FusionKind::Map && !node.isCostly && random() % 6 == 0;
    node.mayFail = kind == FusionKind::Alone && random() % 8 == 0;
    if (n > 0 && random() % 16 == 0)
      node.after = {int(random() % n)};
    values.push_back(value);
    if (random() % 8 == 0 || n + 1 == count)
      b.leave(value);
  }
  return b.problem;
}

TEST(FusionGroups, RandomProblemsVerify) {
  std::mt19937 random(1);
  int64_t merges = 0, saved = 0;
  for (int round = 0; round < 2000; ++round) {
    FusionProblem problem = randomProblem(random, 1 + round % 60, 8);
    FusionLimits limits;
    limits.buffers = round % 5 == 0 ? 8 : 64;
    limits.ops = round % 7 == 0 ? 5 : 1000;
    FusionSolution solution = fuseGroups(problem, limits);
    ASSERT_EQ(verifyFusion(problem, limits, solution), "") << round;
    int64_t before = fusionTraffic(problem, noGroups(problem));
    int64_t after = fusionTraffic(problem, solution);
    ASSERT_LE(after, before) << round;
    merges += solution.merges;
    saved += after < before;
    int64_t most = fusionPeak(problem, noGroups(problem));
    FusionSolution fitted = fuseWithinPeak(problem, limits, most);
    ASSERT_EQ(verifyFusion(problem, limits, fitted), "") << round;
    ASSERT_LE(fusionPeak(problem, fitted), most) << round;
  }
  EXPECT_GT(merges, 5000);
  EXPECT_GT(saved, 1000);
}

/// The least traffic of all partitions that verify.
int64_t leastTraffic(const FusionProblem &problem, const FusionLimits &limits) {
  size_t count = problem.nodes.size();
  std::vector<int> part(count, 0);
  int64_t best = INT64_MAX;
  // Restricted growth strings name each partition once.
  std::function<void(size_t, int)> visit = [&](size_t n, int parts) {
    if (n < count) {
      for (int p = 0; p <= parts; ++p) {
        part[n] = p;
        visit(n + 1, std::max(parts, p + 1));
      }
      return;
    }
    // Number the parts in an order in which they can run, if there is one.
    std::vector<std::vector<bool>> reaches(parts,
                                           std::vector<bool>(parts, false));
    auto edge = [&](int from, int to) {
      if (part[from] != part[to])
        reaches[part[from]][part[to]] = true;
    };
    for (const FusionUse &use : problem.uses)
      if (problem.values[use.value].producer >= 0)
        edge(problem.values[use.value].producer, use.node);
    for (size_t k = 0; k < count; ++k)
      for (int earlier : problem.nodes[k].after)
        edge(earlier, int(k));
    std::vector<int> number(parts, -1);
    for (int next = 0; next < parts; ++next) {
      int ready = -1;
      for (int p = 0; p < parts && ready < 0; ++p) {
        bool isFree = number[p] < 0;
        for (int q = 0; q < parts; ++q)
          isFree &= !(reaches[q][p] && number[q] < 0 && q != p);
        if (isFree)
          ready = p;
      }
      if (ready < 0)
        return; // a cycle
      number[ready] = next;
    }
    FusionSolution solution;
    solution.groupCount = parts;
    for (int p : part)
      solution.groups.push_back(number[p]);
    if (verifyFusion(problem, limits, solution).empty())
      best = std::min(best, fusionTraffic(problem, solution));
  };
  visit(0, 0);
  return best;
}

TEST(FusionGroups, SmallProblemsAreNearTheOptimum) {
  std::mt19937 random(3);
  int64_t possible = 0, reached = 0;
  int optimal = 0, rounds = 150;
  for (int round = 0; round < rounds; ++round) {
    FusionProblem problem = randomProblem(random, 7, 6);
    FusionLimits limits;
    int64_t before = fusionTraffic(problem, noGroups(problem));
    int64_t best = leastTraffic(problem, limits);
    int64_t got = fusionTraffic(problem, solve(problem, limits));
    ASSERT_LE(best, got) << round;
    possible += before - best;
    reached += before - got;
    optimal += best == got;
  }
  EXPECT_GE(reached, possible * 7 / 10);
  EXPECT_GE(optimal, rounds / 3);
}

TEST(FusionGroups, HundredThousandNodesOfALongStep) {
  // Layers of seven nodes, forward and back: activations are read half the
  // program later. What grows with the square of the size would not end here.
  Builder b;
  std::vector<int> values = {b.input(kBig, 0)};
  int scalar = b.input(4, 1);
  constexpr int count = 100000;
  for (int n = 0; n < count; ++n) {
    int last = values.back();
    int mirror = n < count / 2 ? last : values[count - n];
    if (n % 7 == 0)
      values.push_back(b.node(
          FusionKind::Product,
          {{last, FusionRead::Factor}, {mirror, FusionRead::Factor}}, kBig, 0));
    else
      values.push_back(b.node(FusionKind::Map,
                              {{last, FusionRead::Same},
                               {mirror, FusionRead::Same},
                               {scalar, FusionRead::Outer}},
                              kBig, 0));
  }
  b.leave(values.back());
  FusionSolution solution = fuseGroups(b.problem, {});
  EXPECT_EQ(verifyFusion(b.problem, {}, solution), "");
  EXPECT_LT(solution.groupCount, count / 6);
}

} // namespace
