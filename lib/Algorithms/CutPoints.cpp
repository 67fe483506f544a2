// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/CutPoints.h"

#include "lib/Algorithms/MinCut.h"

#include <algorithm>

namespace graphc::algorithms {
namespace {

class Chain {
public:
  Chain(int pieces, const std::vector<ChainValue> &values)
      : pieces(pieces), inner(pieces + 1), over(pieces), innerOver(pieces) {
    for (int end = 0; end < pieces; ++end) {
      over[end].assign(end + 2, 0);
      innerOver[end].assign(end + 2, 0);
    }
    for (const ChainValue &value : values) {
      if (value.isInner)
        inner[value.piece + 1] += value.bytes;
      for (int end = value.piece; end < value.lastPiece; ++end) {
        over[end][value.piece] += value.bytes;
        if (value.isInner)
          innerOver[end][value.piece] += value.bytes;
      }
    }
    for (int end = 0; end < pieces; ++end) {
      inner[end + 1] += inner[end];
      for (int p = end; p >= 0; --p) {
        over[end][p] += over[end][p + 1];
        innerOver[end][p] += innerOver[end][p + 1];
      }
    }
  }

  /// Inner values of pieces first to last, but for those that are saved as they
  /// reach over the end.
  int64_t innerOf(int first, int last) const {
    return inner[last + 1] - inner[first] - innerOver[last][first];
  }
  /// What reaches over the end of `last` and was made since `first`: what is
  /// older reaches over the end before as well.
  int64_t savedOf(int first, int last) const { return over[last][first]; }

  Segments cut(int64_t mostInner) const {
    std::vector<int64_t> best(pieces + 1, kUnlimited);
    std::vector<int> start(pieces + 1, 0);
    best[0] = 0;
    for (int end = 0; end < pieces; ++end)
      for (int first = end; first >= 0; --first) {
        if (first != end && innerOf(first, end) > mostInner)
          break;
        int64_t bytes = best[first] + savedOf(first, end);
        // Of equals the longest.
        if (bytes <= best[end + 1]) {
          best[end + 1] = bytes;
          start[end + 1] = first;
        }
      }
    Segments segments;
    segments.savedBytes = best[pieces];
    for (int end = pieces; end > 0; end = start[end]) {
      segments.ends.push_back(end - 1);
      segments.innerBytes =
          std::max(segments.innerBytes, innerOf(start[end], end - 1));
    }
    std::reverse(segments.ends.begin(), segments.ends.end());
    return segments;
  }

private:
  int pieces;
  std::vector<int64_t> inner; // of the pieces before each
  /// By end and first piece: what was made since and reaches over the end.
  std::vector<std::vector<int64_t>> over, innerOver;
};

} // namespace

Segments cutChain(int pieces, const std::vector<ChainValue> &values,
                  int64_t mostInner) {
  return Chain(pieces, values).cut(mostInner);
}

Segments cutChainBest(int pieces, const std::vector<ChainValue> &values) {
  Chain chain(pieces, values);
  if (pieces == 0)
    return {};
  const int64_t all = chain.innerOf(0, pieces - 1);
  Segments best = chain.cut(all);
  for (int64_t limit = 0; limit < all;) {
    Segments next = chain.cut(limit);
    if (next.bytes() < best.bytes())
      best = next;
    limit = std::max(limit, next.innerBytes);
    limit += std::max<int64_t>(1, limit / 4);
  }
  return best;
}

} // namespace graphc::algorithms
