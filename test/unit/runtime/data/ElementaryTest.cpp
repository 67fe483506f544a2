// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against libm's functions of long double.
#include "runtime/data/Elementary.h"

#include <cmath>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace elementary = graphc::runtime::elementary;

namespace {

/// In units of the last place of an f64 of the size of `exact`.
double errorOf(double value, long double exact) {
  int exponent = std::ilogb(static_cast<double>(exact));
  return static_cast<double>(
      std::fabs(std::ldexp(value - exact, 52 - exponent)));
}

TEST(Elementary, LogOfWhatIsDrawn) {
  double worst = 0;
  auto check = [&](double x) {
    if (x != 1)
      worst = std::fmax(worst, errorOf(elementary::log(x),
                                       std::log(static_cast<long double>(x))));
  };
  EXPECT_EQ(elementary::log(1), 0);
  EXPECT_FALSE(std::signbit(elementary::log(1)));
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    double x = static_cast<double>(random() >> 11) * 0x1p-53;
    check(1 - x);                     // As f64 draws have it,
    check(1 - std::ldexp(x, -20));    // near 1,
    check(std::ldexp(1 - x, -30));    // far from it,
    check(static_cast<float>(1 - x)); // and as f32 draws do.
  }
  for (int i = 0; i <= 53; ++i)
    for (double near : {std::ldexp(1, -i), std::ldexp(std::sqrt(0.5), -i)})
      for (double x : {near, std::nextafter(near, 0), std::nextafter(near, 1)})
        check(x);
  EXPECT_LT(worst, 1.0);
}

TEST(Elementary, SineAndCosineOfAWholeTurn) {
  double worst = 0;
  auto check = [&](double x) {
    elementary::SinCos both = elementary::sinCos(x);
    long double exact = x;
    if (x == 0)
      EXPECT_EQ(both.sin, 0);
    else
      worst = std::fmax(worst, errorOf(both.sin, std::sin(exact)));
    worst = std::fmax(worst, errorOf(both.cos, std::cos(exact)));
  };
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    double u = static_cast<double>(random() >> 11) * 0x1p-53;
    check(elementary::kTwoPi * u);
    check(static_cast<float>(elementary::kTwoPi * u));
    check(std::ldexp(u, -25));
  }
  // Around the multiples of pi/4, where either is zero or they trade places.
  for (int k = 0; k <= 8; ++k) {
    float narrow = static_cast<float>(k * elementary::kTwoPi / 8);
    double wide = k * elementary::kTwoPi / 8;
    for (int i = 0; i < 100; ++i) {
      check(wide);
      check(narrow);
      wide = std::nextafter(wide, 0.0);
      narrow = std::nextafter(narrow, 0.0f);
    }
  }
  EXPECT_LT(worst, 1.0);
}

TEST(Elementary, MultiplyAddRoundsOnce) {
  std::mt19937_64 random(3);
  auto draw = [&](int spread) {
    float value =
        std::ldexp(static_cast<float>(random() & 0xffffff),
                   static_cast<int>(random() % (2 * spread + 1)) - spread - 24);
    return random() & 1 ? -value : value;
  };
  auto check = [](float a, float b, float c) {
    float want = std::fma(a, b, c), got = elementary::multiplyAdd(a, b, c);
    ASSERT_EQ(got, want) << a << " * " << b << " + " << c;
    ASSERT_EQ(std::signbit(got), std::signbit(want));
  };
  for (int i = 0; i < 200000; ++i)
    for (int spread : {1, 10, 40, 70})
      check(draw(spread), draw(spread), draw(spread));
  // Products halfway between two floats, moved off by what f64 cannot hold.
  for (float tiny : {0x1p-60f, 0x1p-100f, 0x1p-149f})
    for (float odd : {0x1.000002p0f, 0x1.000006p0f})
      for (float sign : {1.0f, -1.0f}) {
        check(odd, 0x1.000004p0f, sign * tiny);
        check(0x1.8p0f, odd, sign * tiny);
        check(-odd, 0x1.8p0f, sign * tiny);
      }
  const float largest = std::numeric_limits<float>::max();
  check(largest, 2, 0);
  check(largest, 1, -largest);
  check(0, -1, 0);
  check(0, -1, -0.0f);
}

} // namespace
