// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Tensor.h"

#include "gtest/gtest.h"

namespace graphc::interpreter {
namespace {

constexpr int64_t kMany = 1000000;

int64_t countIndices(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 0;
  forEachIndex(shape, [&](llvm::ArrayRef<int64_t>) { ++count; });
  return count;
}
int64_t countUpTo(int64_t n) {
  int64_t count = 0;
  for (int64_t i : upTo(n))
    count += i >= 0;
  return count;
}

TEST(Deadline, LoopsEndOnceItIsPast) {
  Deadline deadline(1e-9);
  EXPECT_LT(countIndices({kMany}), kMany);
  EXPECT_TRUE(Deadline::isPast());
  EXPECT_LT(countUpTo(kMany), kMany);
}

TEST(Deadline, TheFirstRoundTakesPlaceAllTheSame) {
  Deadline deadline(1e-9);
  while (!Deadline::isPastNow())
    ;
  EXPECT_EQ(countIndices({3, 4}), 1);
  EXPECT_EQ(countIndices({3, 0}), 0);
  EXPECT_EQ(countUpTo(5), 1);
  EXPECT_EQ(countUpTo(0), 0);
}

TEST(Deadline, LoopsAreWholeWithoutOneAndBeforeIt) {
  EXPECT_EQ(countIndices({1000, 1000}), kMany);
  EXPECT_EQ(countUpTo(kMany), kMany);
  Deadline deadline(1e300);
  EXPECT_EQ(countIndices({1000, 1000}), kMany);
  EXPECT_EQ(countUpTo(kMany), kMany);
}

TEST(Deadline, TheOneAroundComesBack) {
  {
    Deadline outer(1e-9);
    while (!Deadline::isPastNow())
      ;
    {
      Deadline inner(0);
      EXPECT_EQ(countUpTo(kMany), kMany);
      EXPECT_FALSE(Deadline::isPastNow());
    }
    EXPECT_TRUE(Deadline::isPast());
  }
  EXPECT_FALSE(Deadline::isPast());
}

} // namespace
} // namespace graphc::interpreter
