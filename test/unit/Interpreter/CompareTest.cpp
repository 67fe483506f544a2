// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Compare.h"
#include "test/unit/Interpreter/Run.h"

#include <cmath>

using namespace graphc::interpreter;
using llvm::ArrayRef;

static Comparison compare(std::vector<double> actual,
                          std::vector<double> expected, Tolerance tolerance) {
  Parsed parsed("module {}");
  int64_t size = actual.size();
  return compareTensors(parsed.f32({size}, actual),
                        parsed.f32({size}, expected), tolerance);
}

TEST(Compare, ExactMeansTheSameBits) {
  EXPECT_TRUE(compare({1, NAN, INFINITY, -0.0}, {1, NAN, INFINITY, -0.0},
                      Tolerance::exact())
                  .equal);
  EXPECT_FALSE(compare({0.0}, {-0.0}, Tolerance::exact()).equal);
  EXPECT_TRUE(compare({0.0}, {-0.0}, Tolerance::of(0, 0)).equal);
  EXPECT_FALSE(compare({1 + 0x1p-23}, {1}, Tolerance::exact()).equal);
}

TEST(Compare, NeverTakesInfinityOrNaNForANumber) {
  Tolerance loose = Tolerance::of(1e300, 1e300);
  EXPECT_FALSE(compare({INFINITY}, {1}, loose).equal);
  EXPECT_FALSE(compare({1}, {INFINITY}, loose).equal);
  EXPECT_FALSE(compare({-INFINITY}, {INFINITY}, loose).equal);
  EXPECT_FALSE(compare({NAN}, {1}, loose).equal);
  EXPECT_FALSE(compare({1}, {NAN}, loose).equal);
}

TEST(Compare, AddsItsTolerances) {
  EXPECT_TRUE(compare({2.25}, {2}, Tolerance::of(0.1, 0.05)).equal);
  EXPECT_FALSE(compare({2.26}, {2}, Tolerance::of(0.1, 0.05)).equal);
  EXPECT_TRUE(compare({4 + 3 * 0x1p-21}, {4}, Tolerance::units(3)).equal);
  EXPECT_FALSE(compare({4 + 4 * 0x1p-21}, {4}, Tolerance::units(3)).equal);
}

TEST(Compare, NamesTheFirstElementThatDiffers) {
  Parsed parsed("module {}");
  Comparison c = compareTensors(parsed.f32({2, 2}, {1, 2, 3, 4}),
                                parsed.f32({2, 2}, {1, 2, 3.5, 5}),
                                Tolerance::of(0, 0.25));
  EXPECT_EQ(c.mismatches, 2);
  EXPECT_EQ(c.firstMismatch, 2);
  EXPECT_EQ(c.maxError, 1);
  EXPECT_EQ(
      c.describe(),
      "2 of 4 elements differ, max error 1.00e+00 (2097152.00 ulp); first "
      "at [1, 0]: expects 3.5, but got 3");
}

TEST(Compare, WantsEqualTypes) {
  Parsed parsed("module {}");
  Comparison c = compareTensors(parsed.f32({2}, {1, 2}), parsed.i64({1}, {1}),
                                Tolerance::of(0, 0));
  EXPECT_FALSE(c.equal);
  EXPECT_EQ(c.describe(), "expects tensor<1xi64>, but got tensor<2xf32>");
}

TEST(Compare, TakesABoundForEachElement) {
  Parsed parsed("module {}");
  Tensor actual = parsed.f32({2}, {1.5, 2.5}),
         expected = parsed.f32({2}, {1, 2});
  EXPECT_TRUE(
      compareTensors(actual, expected, ArrayRef<double>{0.5, 0.5}).equal);
  EXPECT_EQ(compareTensors(actual, expected, ArrayRef<double>{0.5, 0.25})
                .firstMismatch,
            1);
}
