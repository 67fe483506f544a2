// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choices, from none to the smallest.
#include "passes/Remat/JointBlock.h"

#include "lib/Algorithms/Knapsack.h"

#include <cmath>

namespace graphc::remat {
namespace {

using algorithms::SaveProblem;
using algorithms::SaveSolution;

/// Which nodes a rung may repeat, beside those of regions.
enum class Repeats { Regions, Cheap, All };

SaveProblem restrict(const JointBlock &joint, Repeats repeats) {
  SaveProblem problem = joint.problem;
  for (auto [n, node] : llvm::enumerate(problem.nodes)) {
    const Node &facts = joint.nodes[n];
    bool isAllowed = facts.region >= 0 || repeats == Repeats::All ||
                     (repeats == Repeats::Cheap && facts.isCheap);
    node.mayRepeat &= isAllowed;
  }
  return problem;
}

/// What reaches over the end of a segment is kept; of a view, what it shows.
void keepEnds(const JointBlock &joint, const std::vector<int> &segments,
              SaveProblem &problem) {
  for (size_t n = 0; n < joint.nodes.size(); ++n) {
    if (joint.nodes[n].isView)
      continue;
    for (int read : joint.problem.nodes[n].reads) {
      int root = joint.rootOf(read), node = problem.values[root].node;
      if (node >= 0 && segments[node] != segments[n])
        problem.values[root].isKept = true;
    }
  }
}

/// A part of what the whole choice repeats: that which saves most for its cost.
void allowPart(const JointBlock &joint, const SaveSolution &whole, double part,
               SaveProblem &problem) {
  std::vector<algorithms::KnapsackItem> items;
  std::vector<int> nodes;
  int64_t all = 0;
  for (size_t n = 0; n < joint.nodes.size(); ++n) {
    if (!whole.isRepeated[n] || joint.nodes[n].isCheap ||
        joint.nodes[n].region >= 0)
      continue;
    nodes.push_back(int(n));
    items.push_back({joint.nodes[n].cost, 0});
    all += joint.nodes[n].cost;
  }
  llvm::DenseMap<int, size_t> itemOf;
  for (auto [k, node] : llvm::enumerate(nodes))
    itemOf[node] = k;
  for (const algorithms::SaveValue &value : problem.values)
    if (auto it = itemOf.find(value.node); it != itemOf.end())
      items[it->second].value += value.bytes;
  std::vector<bool> isTaken =
      algorithms::fillKnapsack(items, int64_t(double(all) * part));
  for (auto [k, node] : llvm::enumerate(nodes))
    if (!isTaken[k])
      problem.nodes[node].mayRepeat = false;
}

/// The backward pass begins with the last segment, and would need at once what
/// it had just dropped.
void keepLast(const JointBlock &joint, const std::vector<int> &segments,
              SaveProblem &problem) {
  int last = segments.empty() ? 0 : segments.back();
  for (size_t n = 0; n < segments.size() && last > 0; ++n)
    if (segments[n] == last && joint.nodes[n].region < 0)
      problem.nodes[n].mayRepeat = false;
}

/// Segments for rung `number`; `inner` is as for findSegments().
std::vector<int> cutFor(const JointBlock &joint, const std::vector<bool> &inner,
                        int number) {
  if (number == 5)
    return findSegments(joint, inner, 0.5);
  std::vector<int> best = findSegments(joint, inner, 1);
  if (number != 7)
    return best;
  // As large as makes about the third root of all layers.
  int count = best.empty() ? 1 : best.back() + 1;
  return findSegments(joint, inner, std::sqrt(double(count)));
}

} // namespace

Rung makeRung(const JointBlock &joint, int number) {
  Rung rung;
  SaveProblem regions = restrict(joint, Repeats::Regions);
  if (number == 0) {
    rung.solution = chooseSaved(regions);
    rung.segments.assign(joint.nodes.size(), 0);
    return rung;
  }
  SaveProblem cheap = restrict(joint, Repeats::Cheap);
  rung.segments = cutFor(joint, chooseSaved(cheap).isSaved, number);
  rung.isNested = number == 7;
  keepEnds(joint, rung.segments, cheap);
  keepLast(joint, rung.segments, cheap);
  if (number == 1) {
    rung.solution = chooseSaved(cheap);
    return rung;
  }
  SaveProblem all = restrict(joint, Repeats::All);
  keepEnds(joint, rung.segments, all);
  // With segments inside it the last one is not needed at once.
  if (!rung.isNested)
    keepLast(joint, rung.segments, all);
  rung.solution = chooseSaved(all);
  if (number < 5) {
    allowPart(joint, rung.solution, (number - 1) / 4.0, all);
    rung.solution = chooseSaved(all);
  }
  return rung;
}

int64_t keptBytes(const JointBlock &joint, const Rung &rung) {
  return algorithms::savedBytes(joint.problem, rung.solution);
}

int64_t repeatedCost(const JointBlock &joint, const Rung &rung) {
  int64_t cost = 0;
  for (auto [n, node] : llvm::enumerate(joint.nodes))
    if (rung.solution.isRepeated[n])
      cost += node.cost;
  return cost;
}

} // namespace graphc::remat
