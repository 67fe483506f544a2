// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of f64, good to about one unit in the last place, whose bits are
// the same on every machine, whatever its libm and its vectors: plain products
// and sums, rounded one by one, in an order that is written down (the build
// sets -ffp-contract=off). Without branches, tables or calls, so that loops over
// them vectorise. The polynomials are Taylor's.
#ifndef GRAPHC_RUNTIME_DATA_ELEMENTARY_H
#define GRAPHC_RUNTIME_DATA_ELEMENTARY_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace graphc::runtime::elementary {

inline constexpr double kTwoPi = 6.283185307179586476925286766559;

[[gnu::always_inline]] inline uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

[[gnu::always_inline]] inline double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// terms[0] + terms[1] z + terms[2] z^2 + ...: even and odd powers apart, as two
/// short chains of sums take less time than a long one.
template <size_t count>
[[gnu::always_inline]] inline double polynomial(const double (&terms)[count],
                                                double z) {
  const double square = z * z;
  double sums[2];
  sums[(count - 1) % 2] = terms[count - 1];
  sums[count % 2] = terms[count - 2];
  for (size_t i = count - 2; i-- != 0;)
    sums[i % 2] = sums[i % 2] * square + terms[i];
  return sums[0] + z * sums[1];
}

/// Natural logarithm of a normal, positive, finite number.
[[gnu::always_inline]] inline double log(double x) {
  // x = 2^k * (1 + f), with 1 + f from sqrt(1/2) to sqrt(2).
  constexpr uint64_t sqrtHalf = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
  constexpr uint64_t significand = 0x000fffffffffffff;
  const uint64_t shifted = bitsOf(x) + (one - sqrtHalf);
  const double f = doubleOf((shifted & significand) + sqrtHalf) - 1;
  // A number below 2^52 becomes a double by way of the bits of 2^52.
  const double k =
      doubleOf(0x4330000000000000 | shifted >> 52) - (0x1p52 + 1023);

  // log(1 + f) = 2 atanh(s) = 2 s + s * rest(s^2), and 2 s = f - s f.
  const double s = f / (2 + f), z = s * s, halfSquare = 0.5 * f * f;
  constexpr double terms[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,
                              2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                              2.0 / 19, 2.0 / 21, 2.0 / 23};
  const double rest = z * polynomial(terms, z);

  // ln(2) in two parts; k times the first is exact.
  constexpr double ln2 = 0x1.62e42fefp-1, ln2Rest = 0x1.473de6af278edp-34;
  return k * ln2 - ((halfSquare - (s * (halfSquare + rest) + k * ln2Rest)) - f);
}

struct SinCos {
  double sin, cos;
};

/// Sine and cosine of an angle from 0 to a little above 2 pi.
[[gnu::always_inline]] inline SinCos sinCos(double angle) {
  // angle = k * pi/2 + x + tail, with x from -pi/4 to pi/4. What is added to
  // round to an integer leaves it in the low bits.
  constexpr double twoOverPi = 0.63661977236758134308, toInteger = 0x1.8p52;
  const double shifted = angle * twoOverPi + toInteger;
  const uint64_t quadrant = bitsOf(shifted);
  const double k = shifted - toInteger;
  // pi/2 in three parts; k times the first or the second is exact, and so is
  // the first difference.
  constexpr double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34,
                   part3 = 0x1.3198a2e037073p-69;
  const double big = angle - k * part1, small = k * part2;
  const double most = big - small;
  // What `most` lost: exact, whichever of the two is the larger.
  const double back = big - most;
  const double lost = (big - (most + back)) + (back - small);
  const double less = lost - k * part3;
  const double x = most + less;
  const double tail = (most - x) + less;

  const double z = x * x, half = 0.5 * z;
  constexpr double sines[] = {-1.0 / 6,
                              1.0 / 120,
                              -1.0 / 5040,
                              1.0 / 362880,
                              -1.0 / 39916800,
                              1.0 / 6227020800,
                              -1.0 / 1307674368000,
                              1.0 / 355687428096000};
  constexpr double cosines[] = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
  const double sine = x + (x * z * polynomial(sines, z) + (tail - tail * half));
  const double head = 1 - half;
  const double cosine = head + (((1 - head) - half) +
                                (z * z * polynomial(cosines, z) - x * tail));

  // Odd quadrants swap the two; bit 1 of k (of k + 1) is the sine's (the
  // cosine's) sign.
  const uint64_t swap = 0 - (quadrant & 1);
  const uint64_t difference = (bitsOf(sine) ^ bitsOf(cosine)) & swap;
  return {doubleOf(bitsOf(sine) ^ difference ^ (quadrant & 2) << 62),
          doubleOf(bitsOf(cosine) ^ difference ^ ((quadrant + 1) & 2) << 62)};
}

/// a * b + c rounded once, for CPUs that cannot: in f64 the product is exact,
/// and a sum that is rounded to odd may be rounded again.
[[gnu::always_inline]] inline float multiplyAdd(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, addend = c;
  const double sum = product + addend;
  const double share = sum - product;
  const double lost = (product - (sum - share)) + (addend - share);
  const uint64_t bits = bitsOf(sum);
  // One step towards what was lost, if something was and the sum is even.
  const uint64_t step = (lost > 0) == (sum > 0) ? 1 : ~uint64_t{0};
  const bool isOdd = bits & 1;
  return static_cast<float>(doubleOf(lost == 0 || isOdd ? bits : bits + step));
}

} // namespace graphc::runtime::elementary

#endif // GRAPHC_RUNTIME_DATA_ELEMENTARY_H
