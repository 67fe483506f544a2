// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/SavedValues.h"

#include <random>

#include "gtest/gtest.h"

using namespace graphc::algorithms;

namespace {

/// A few nodes of one or two results each over what comes before.
SaveProblem randomProblem(std::mt19937 &random, int nodes) {
  SaveProblem problem;
  problem.values.resize(1 + random() % 2);
  for (int n = 0; n < nodes; ++n) {
    SaveNode node;
    for (int k = int(random() % 3); k >= 0; --k)
      node.reads.push_back(int(random() % problem.values.size()));
    node.mayRepeat = random() % 4 != 0;
    problem.nodes.push_back(node);
    for (int k = int(random() % 4 == 0); k >= 0; --k) {
      SaveValue value;
      value.node = n;
      value.bytes = int64_t(random() % 8);
      value.isNeeded = random() % 3 == 0;
      value.isKept = random() % 8 == 0;
      value.isAvoided = random() % 5 == 0;
      problem.values.push_back(value);
    }
  }
  return problem;
}

/// The fewest bytes, beside those kept in any case, of all sets of values that
/// suffice; -1 if a set that is not allowed were the only one.
int64_t optimum(const SaveProblem &problem) {
  int64_t best = INT64_MAX;
  size_t count = problem.values.size();
  for (unsigned set = 0; set < 1u << count; ++set) {
    int64_t bytes = 0;
    bool isAllowed = true;
    std::vector<bool> isThere(count), canRun(problem.nodes.size());
    for (size_t v = 0; v < count; ++v) {
      const SaveValue &value = problem.values[v];
      bool isSaved = set >> v & 1;
      isAllowed &= !isSaved ||
                   (value.node >= 0 && !value.isKept &&
                    !(value.isAvoided && problem.nodes[value.node].mayRepeat));
      bytes += isSaved ? value.bytes : 0;
      isThere[v] = value.node < 0 || value.isKept || isSaved;
    }
    if (!isAllowed)
      continue;
    // Values follow their nodes, and nodes what they read.
    for (size_t v = 0; v < count; ++v) {
      int n = problem.values[v].node;
      if (n < 0 || isThere[v] || !problem.nodes[n].mayRepeat)
        continue;
      bool all = true;
      for (int read : problem.nodes[n].reads)
        all &= isThere[read];
      isThere[v] = all;
    }
    bool suffices = true;
    for (size_t v = 0; v < count; ++v)
      suffices &= !problem.values[v].isNeeded || isThere[v];
    if (suffices)
      best = std::min(best, bytes);
  }
  return best;
}

TEST(SavedValues, SavesTheFewestBytesOfAllSetsThatSuffice) {
  std::mt19937 random(1);
  int repeats = 0;
  for (int round = 0; round < 400; ++round) {
    SaveProblem problem = randomProblem(random, 1 + int(random() % 9));
    SaveSolution solution = chooseSaved(problem);
    ASSERT_EQ(verifySaved(problem, solution), "") << round;
    SaveProblem unkept = problem;
    for (SaveValue &value : unkept.values)
      if (value.isKept)
        value.bytes = 0;
    ASSERT_EQ(savedBytes(unkept, solution), optimum(problem)) << round;
    for (bool isRepeated : solution.isRepeated)
      repeats += isRepeated;
  }
  EXPECT_GT(repeats, 100);
}

// x -> a -> b -> c, all needed: x alone is enough.
TEST(SavedValues, ComputesAChainFromItsBeginning) {
  SaveProblem problem;
  problem.nodes = {{{}, false}, {{0}, true}, {{1}, true}, {{2}, true}};
  for (int n = 0; n < 4; ++n)
    problem.values.push_back({n, 100, true, false, false});
  SaveSolution solution = chooseSaved(problem);
  EXPECT_EQ(solution.isSaved, (std::vector<bool>{true, false, false, false}));
  // A value that is kept anyway cuts the chain.
  problem.values[2].isKept = true;
  problem.values[2].isNeeded = false;
  solution = chooseSaved(problem);
  EXPECT_EQ(solution.isSaved, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(solution.isRepeated, (std::vector<bool>{false, true, false, true}));
}

TEST(SavedValues, FaultsAreFound) {
  SaveProblem problem;
  problem.nodes = {{{}, false}, {{0}, true}};
  problem.values = {{0, 8, false, false, false}, {1, 8, true, false, false}};
  EXPECT_EQ(verifySaved(problem, {{true, false}, {false, true}}), "");
  EXPECT_NE(verifySaved(problem, {{true, false}, {false, false}}), "");
  EXPECT_NE(verifySaved(problem, {{false, false}, {false, true}}), "");
  EXPECT_NE(verifySaved(problem, {{false, false}, {true, true}}), "");
}

} // namespace
