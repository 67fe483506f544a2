// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a forward pass are kept for the backward pass, where the
// others can be computed again.
#ifndef GRAPHC_LIB_ALGORITHMS_SAVEDVALUES_H
#define GRAPHC_LIB_ALGORITHMS_SAVEDVALUES_H

#include <cstdint>
#include <string>
#include <vector>

namespace graphc::algorithms {

struct SaveNode {
  std::vector<int> reads; // values
  bool mayRepeat = false; // it may be computed again
};

struct SaveValue {
  int node = -1; // that computes it; -1: at hand at any time
  int64_t bytes = 0;
  bool isNeeded = false; // the backward pass reads it
  bool isKept = false;   // it is kept in any case
  /// It is not kept unless its node may not be repeated: a view takes no
  /// memory, and the insides of a checkpoint are not to take any.
  bool isAvoided = false;
};

/// Nodes come in an order in which they could run.
struct SaveProblem {
  std::vector<SaveNode> nodes;
  std::vector<SaveValue> values;
};

struct SaveSolution {
  std::vector<bool> isSaved;    // values
  std::vector<bool> isRepeated; // nodes
};

/// Saves the fewest bytes from which every needed value can be computed: a
/// minimum cut of the graph in which each value is an edge. Of the cuts with as
/// few bytes, the one for which least is repeated.
SaveSolution chooseSaved(const SaveProblem &problem);

/// Bytes of the values that are saved.
int64_t savedBytes(const SaveProblem &problem, const SaveSolution &solution);

/// Returns what is wrong with `solution`, or an empty string. Shares no code
/// with chooseSaved().
std::string verifySaved(const SaveProblem &problem,
                        const SaveSolution &solution);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_SAVEDVALUES_H
