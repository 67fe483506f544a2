// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/FusionGroups.h"

#include "lib/Algorithms/Fuser.h"

#include <memory>

namespace graphc::algorithms {

/// Tries of fuseWithinPeak(), times nodes.
constexpr int64_t kPeakWork = 2000000;

FusionSolution noGroups(const FusionProblem &problem) {
  FusionLimits none;
  none.merges = 0;
  return fuseGroups(problem, none);
}

FusionSolution fuseGroups(const FusionProblem &problem,
                          const FusionLimits &limits) {
  Fuser fuser(problem, limits);
  fuser.run(-1);
  return fuser.solution();
}

FusionSolution fuseWithinPeak(const FusionProblem &problem,
                              const FusionLimits &limits, int64_t mostBytes) {
  FusionSolution best = fuseGroups(problem, limits);
  if (fusionPeak(problem, best) <= mostBytes)
    return best;
  best = noGroups(problem);
  // A merge after which more would be in use is refused, found by halves.
  int64_t left = std::clamp<int64_t>(
      kPeakWork / std::max<int64_t>(int64_t(problem.nodes.size()), 1), 32,
      4096);
  auto current = std::make_unique<Fuser>(problem, limits);
  for (int64_t step = 64; left > 0; --left) {
    auto next = std::make_unique<Fuser>(*current);
    next->run(current->mergeCount() + step);
    int64_t made = next->mergeCount() - current->mergeCount();
    if (made == 0)
      break;
    FusionSolution tried = next->solution();
    if (fusionPeak(problem, tried) <= mostBytes) {
      best = std::move(tried);
      current = std::move(next);
      step *= 2;
    } else if (made > 1) {
      step = made / 2;
    } else {
      current->refuse(next->lastMerge());
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
  int64_t most = fusionPeak(problem, noGroups(problem));
  std::vector<FusionFault> faults;
  for (auto [first, second] : pairs) {
    FusionFault fault = fuser.fault(first, second);
    if (fault == FusionFault::None &&
        solution.groups[first] != solution.groups[second]) {
      Fuser joined = fuser;
      joined.join(first, second);
      if (fusionPeak(problem, joined.solution()) > most)
        fault = FusionFault::Peak;
    }
    faults.push_back(fault);
  }
  return faults;
}

} // namespace graphc::algorithms
