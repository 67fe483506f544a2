// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one kernel can do in one pass: which two groups may become one.
#ifndef GRAPHC_LIB_ALGORITHMS_FUSIONRULES_H
#define GRAPHC_LIB_ALGORITHMS_FUSIONRULES_H

#include "lib/Algorithms/FusionGroups.h"

namespace graphc::algorithms {

/// What the rules ask of a group.
struct FusionFacts {
  FusionKind kind = FusionKind::Alone;
  int domain = -1; // -1: of a group with loops of several shapes, none
  int rows = -1;
  int terms = -1;
  int columns = -1; // Rows: number of the shape of sums of the rows, if any
  bool sharesLoop = true;
  int ops = 0;
  int reductions = 0;
  bool isCostly = false;
  bool isView = false; // nothing but views
  bool readsMany = false;
  bool readsElsewhere = false; // inside, at another index
  bool mayFail = false;
  bool isUpdate = false;
};

inline unsigned bit(FusionRead read) {
  return 1u << static_cast<unsigned>(read);
}

/// What a group reads of another.
struct FusionLink {
  unsigned reads = 0;    // bits of FusionRead
  bool vanishes = false; // nobody else reads any value of that other group
};

FusionFacts factsOf(const FusionNode &node);

/// Those of a loop over rows that adds them up; the same if it is none.
FusionFacts asRows(const FusionFacts &facts);

/// Tells whether a group `b` may be merged with `a`, which does not depend on
/// it, and if so what the result is (but for its reads). Says nothing of caps on
/// buffers, of cycles and of state.
FusionFault joinFacts(const FusionFacts &a, const FusionFacts &b,
                      const FusionLink &link, const FusionLimits &limits,
                      FusionFacts &joined);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_FUSIONRULES_H
