// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding against the C++ compiler's and LLVM's, which share no code with
// ours.

#include "lib/Interpreter/Rounding.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace graphc::interpreter;

static double viaAPFloat(double x, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(x);
  bool lossy;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

static double viaAPFloat(int64_t x, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(semantics);
  value.convertFromAPInt(llvm::APInt(64, x, /*isSigned=*/true), true,
                         llvm::APFloat::rmNearestTiesToEven);
  return value.convertToDouble();
}

static uint64_t bits(double x) {
  uint64_t out;
  std::memcpy(&out, &x, sizeof out);
  return out;
}

struct Case {
  FloatFormat format;
  const llvm::fltSemantics &semantics;
};
static const Case kCases[] = {
    {FloatFormat::f32(), llvm::APFloat::IEEEsingle()},
    {FloatFormat::f16(), llvm::APFloat::IEEEhalf()},
    {FloatFormat::bf16(), llvm::APFloat::BFloat()},
    {FloatFormat::f64(), llvm::APFloat::IEEEdouble()},
};

TEST(Rounding, OfRandomDoublesIsLLVMs) {
  std::mt19937_64 random(1);
  for (const Case &c : kCases)
    for (int i = 0; i < 200000; ++i) {
      // Any exponent, then exponents near the format's range.
      uint64_t pattern = random();
      if (i % 2)
        pattern = (pattern & 0x800fffffffffffff) |
                  (uint64_t{1023 - 160 + random() % 320} << 52);
      double x;
      std::memcpy(&x, &pattern, sizeof x);
      if (std::isnan(x))
        continue;
      ASSERT_EQ(bits(roundToFormat(x, c.format)),
                bits(viaAPFloat(x, c.semantics)))
          << x;
    }
}

// The doubles at, just below and just above every midpoint of two f16 numbers:
// where rounding in two steps, through f32, goes wrong.
TEST(Rounding, AroundEveryMidpointOfF16AndBf16) {
  int twoSteps = 0;
  for (const Case &c : {kCases[1], kCases[2]})
    for (uint32_t pattern = 0; pattern < 0x7fff; ++pattern) {
      auto valueOf = [&](uint32_t p) {
        return llvm::APFloat(c.semantics, llvm::APInt(16, p)).convertToDouble();
      };
      double low = valueOf(pattern), high = valueOf(pattern + 1);
      if (!std::isfinite(low) || std::isnan(high))
        continue;
      if (std::isinf(high)) // overflow begins half a unit past the largest
        high = low + c.format.ulp(low);
      double middle = low / 2 + high / 2;
      for (double x : {low, std::nextafter(middle, 0), middle,
                       std::nextafter(middle, INFINITY)}) {
        ASSERT_EQ(bits(roundToFormat(x, c.format)),
                  bits(viaAPFloat(x, c.semantics)))
            << x;
        ASSERT_EQ(bits(roundToFormat(-x, c.format)),
                  bits(viaAPFloat(-x, c.semantics)))
            << x;
        double throughF32 =
            roundToFormat(roundToFormat(x, FloatFormat::f32()), c.format);
        twoSteps += throughF32 != roundToFormat(x, c.format);
      }
    }
  EXPECT_GT(twoSteps, 1000) << "the cases do not tell one step from two";
}

TEST(Rounding, OfF32IsTheCompilers) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    uint64_t pattern = random();
    double x;
    std::memcpy(&x, &pattern, sizeof x);
    if (!std::isnan(x)) {
      ASSERT_EQ(bits(roundToFormat(x, FloatFormat::f32())),
                bits(static_cast<float>(x)))
          << x;
    }
  }
}

TEST(Rounding, OfIntegersRoundsOnce) {
  std::mt19937_64 random(3);
  for (const Case &c : kCases)
    for (int i = 0; i < 100000; ++i) {
      int64_t x = static_cast<int64_t>(random()) >> (random() % 64);
      ASSERT_EQ(bits(roundToFormat(x, c.format)),
                bits(viaAPFloat(x, c.semantics)))
          << x;
    }
  for (int64_t x : {int64_t{0}, int64_t{1}, int64_t{-1}, INT64_MAX, INT64_MIN})
    for (const Case &c : kCases)
      EXPECT_EQ(bits(roundToFormat(x, c.format)),
                bits(viaAPFloat(x, c.semantics)));
  // Through a double this would be a tie and become 2^55.
  int64_t x = (int64_t{1} << 55) + (int64_t{1} << 31) + 1;
  EXPECT_EQ(roundToFormat(x, FloatFormat::f32()), 0x1.000002p55);
}

TEST(Rounding, KeepsSpecialValues) {
  for (const Case &c : kCases) {
    EXPECT_TRUE(std::isnan(roundToFormat(NAN, c.format)));
    EXPECT_EQ(roundToFormat(-INFINITY, c.format), -INFINITY);
    EXPECT_TRUE(std::signbit(roundToFormat(-0.0, c.format)));
    EXPECT_TRUE(std::signbit(roundToFormat(-5e-324, c.format)));
  }
}

TEST(FloatFormat, UlpIsTheDistanceToTheNextNumber) {
  FloatFormat f32 = FloatFormat::f32();
  EXPECT_EQ(f32.epsilon(), 0x1p-23);
  EXPECT_EQ(f32.largest(), static_cast<double>(__FLT_MAX__));
  for (float x : {1.0f, 1.5f, 3.14f, 1e-40f, 1e30f, 0.0f, 1.17549435e-38f})
    EXPECT_EQ(f32.ulp(-x), static_cast<double>(std::nextafter(x, INFINITY)) -
                               static_cast<double>(x))
        << x;
  EXPECT_EQ(f32.ulp(INFINITY), 0x1p104);
  EXPECT_EQ(FloatFormat::f16().ulp(1e300), 32);
}
