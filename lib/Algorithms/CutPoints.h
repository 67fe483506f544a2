// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where to cut a chain into segments, each of which is computed again as a
// whole (T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016,
// with pieces of unequal size).
#ifndef GRAPHC_LIB_ALGORITHMS_CUTPOINTS_H
#define GRAPHC_LIB_ALGORITHMS_CUTPOINTS_H

#include <cstdint>
#include <vector>

namespace graphc::algorithms {

/// A value of a chain of pieces 0, 1, ..., pieces - 1.
struct ChainValue {
  int piece;     // that makes it
  int lastPiece; // the last one that reads it
  int64_t bytes = 0;
  bool isInner = false; // it is wanted when its segment is walked back over
};

struct Segments {
  std::vector<int> ends;  // the last piece of each segment
  int64_t savedBytes = 0; // of all values that reach over the end of a segment
  int64_t innerBytes = 0; // inner ones of the largest segment, saved ones apart
  int64_t bytes() const { return savedBytes + innerBytes; }
};

/// The segments whose inner values take at most `mostInner` bytes, or are one
/// piece, with the fewest saved bytes. Time is quadratic in `pieces`.
Segments cutChain(int pieces, const std::vector<ChainValue> &values,
                  int64_t mostInner);

/// The best sum of both kinds of bytes over limits from one piece to all, in
/// steps of a quarter: as n equal layers of one value each are cut into about
/// sqrt(n).
Segments cutChainBest(int pieces, const std::vector<ChainValue> &values);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_CUTPOINTS_H
