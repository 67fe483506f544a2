// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/CutPoints.h"

#include <algorithm>
#include <random>

#include "gtest/gtest.h"

using namespace graphc::algorithms;

namespace {

std::vector<ChainValue> randomValues(std::mt19937 &random, int pieces) {
  std::vector<ChainValue> values(random() % 12);
  for (ChainValue &value : values) {
    value.piece = int(random() % pieces);
    value.lastPiece = std::min(pieces - 1, value.piece + int(random() % 3));
    value.bytes = int64_t(random() % 9);
    value.isInner = random() % 2;
  }
  return values;
}

Segments segmentsOf(int pieces, const std::vector<ChainValue> &values,
                    unsigned cuts) {
  Segments segments;
  for (int p = 0; p < pieces; ++p)
    if (p + 1 == pieces || cuts >> p & 1)
      segments.ends.push_back(p);
  int first = 0;
  for (int end : segments.ends) {
    int64_t inner = 0;
    for (const ChainValue &value : values)
      if (value.isInner && value.piece >= first && value.lastPiece <= end)
        inner += value.bytes;
    segments.innerBytes = std::max(segments.innerBytes, inner);
    first = end + 1;
  }
  for (const ChainValue &value : values)
    if (std::any_of(segments.ends.begin(), segments.ends.end(), [&](int end) {
          return value.piece <= end && end < value.lastPiece;
        }))
      segments.savedBytes += value.bytes;
  return segments;
}

TEST(CutPoints, SavesTheFewestBytesOfAllCutsWithinTheLimit) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    int pieces = 1 + int(random() % 8);
    auto values = randomValues(random, pieces);
    Segments every = segmentsOf(pieces, values, ~0u);
    int64_t limit = every.innerBytes + int64_t(random() % 20);
    Segments found = cutChain(pieces, values, limit);
    unsigned cuts = 0;
    for (int end : found.ends)
      cuts |= 1u << end;
    Segments same = segmentsOf(pieces, values, cuts);
    ASSERT_EQ(found.savedBytes, same.savedBytes) << round;
    ASSERT_EQ(found.innerBytes, same.innerBytes) << round;
    ASSERT_LE(found.innerBytes, limit) << round;
    for (unsigned set = 0; set < 1u << (pieces - 1); ++set) {
      Segments other = segmentsOf(pieces, values, set);
      if (other.innerBytes <= limit)
        ASSERT_LE(found.savedBytes, other.savedBytes) << round;
    }
  }
}

// 100 equal layers: about 10 segments, and twice 10 values at once.
TEST(CutPoints, FindsTheSquareRootByItself) {
  std::vector<ChainValue> values;
  for (int p = 0; p < 100; ++p)
    values.push_back({p, std::min(99, p + 1), 64, true});
  Segments best = cutChainBest(100, values);
  EXPECT_GE(best.ends.size(), 8u);
  EXPECT_LE(best.ends.size(), 13u);
  EXPECT_LE(best.bytes(), 64 * 20);
}

// A value of the first piece that all others read is saved once, wherever the
// cuts are.
TEST(CutPoints, CountsAValueOnceHoweverFarItReaches) {
  std::vector<ChainValue> values = {{0, 9, 1000, false}};
  for (int p = 0; p < 10; ++p)
    values.push_back({p, std::min(9, p + 1), 10, true});
  Segments segments = cutChain(10, values, 20);
  EXPECT_EQ(segments.ends.size(), 4u);
  EXPECT_EQ(segments.savedBytes, 1000 + 3 * 10);
}

TEST(CutPoints, TakesAnEmptyChain) {
  EXPECT_TRUE(cutChainBest(0, {}).ends.empty());
}

} // namespace
