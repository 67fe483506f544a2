// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places buffers of known lifetimes in one block of memory.
#ifndef GRAPHC_LIB_ALGORITHMS_ARENAPACKING_H
#define GRAPHC_LIB_ALGORITHMS_ARENAPACKING_H

#include <cstdint>
#include <string>
#include <vector>

namespace graphc::algorithms {

/// A buffer that must keep its bytes from step `first` to step `last`, both
/// included.
struct ArenaItem {
  int64_t bytes;
  int64_t first;
  int64_t last;
};

struct ArenaSolution {
  std::vector<int64_t> offsets; // one an item, multiples of the alignment
  int64_t bytes = 0;            // size of the arena
};

/// Places the largest items first, each in the smallest gap that holds it
/// between the items placed before it that live at some same step. Items of 0
/// bytes are put at 0. Deterministic; the sum of the aligned sizes must fit an
/// int64_t. Time is linear but for the pairs of items that live at once.
ArenaSolution packArena(const std::vector<ArenaItem> &items, int64_t alignment);

/// The most bytes that live at one step, sizes rounded up to `alignment`: no
/// arena is smaller.
int64_t maxLiveBytes(const std::vector<ArenaItem> &items, int64_t alignment);

/// Returns what is wrong with `solution`, or an empty string. Shares no code
/// with packArena().
std::string verifyArena(const std::vector<ArenaItem> &items, int64_t alignment,
                        const ArenaSolution &solution);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_ARENAPACKING_H
