// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of f32, in f64.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;
using CmpI = Arithmetic::CmpI;

namespace {

/// The sine (or cosine) asked for is (-1)^odd sin(r), |r| <= pi/2; of `odd` the
/// last bit counts.
struct HalfTurn {
  Value odd; // i64
  Value r;
};

/// By two parts of pi; good up to |x| = 2^27.
HalfTurn reduceSmall(const Arithmetic &a, Value x, bool isCos) {
  // cos(x) = sin(x + pi/2): as x = (n - 1/2) pi + r it is (-1)^n sin(r).
  Value inverse = a.constant(0.3183098861837907);
  Value shifted =
      isCos ? a.add(a.fma(x, inverse, a.constant(0.5)), Arithmetic::kShift)
            : a.fma(x, inverse, a.constant(Arithmetic::kShift));
  Value n = a.sub(shifted, Arithmetic::kShift);
  if (isCos)
    n = a.sub(n, 0.5);
  Value r = a.fma(n, -3.141592653589793, x);
  return {a.bits(shifted), a.fma(n, -1.2246467991473532e-16, r)};
}

/// For 2^27 <= |x| < inf: x is m 2^e, and of x times 2/pi only the bits around
/// the point count. They come from 96 bits of 2/pi chosen by e.
HalfTurn reduceLarge(const Arithmetic &narrow, const Arithmetic &a, Value x,
                     bool isCos) {
  static constexpr int64_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                           0xf534ddc0, 0xdb629599, 0x3c439041,
                                           0xfe5163ab};
  auto word = [&](int64_t number) { return a.integer(number, 64); };
  Value bits = a.extendI(narrow.bits(narrow.abs(x)), 64);
  Value exponent = a.subI(a.shrU(bits, word(23)), word(150));
  Value m = a.orI(a.andI(bits, word(0x7fffff)), word(0x800000));
  // Bits of 2/pi above position e - 2 give multiples of 4 quadrants.
  Value start = a.subI(exponent, word(2));
  start = a.select(a.isI(CmpI::slt, start, word(0)), word(0), start);
  start = a.select(a.isI(CmpI::sgt, start, word(102)), word(102), start);
  Value index = a.shrU(start, word(5)), shift = a.andI(start, word(31));
  Value words[4];
  for (int k = 0; k < 4; ++k) {
    words[k] = word(kTwoOverPi[k]);
    for (int from = 1; from < 4; ++from)
      words[k] = a.select(a.isI(CmpI::eq, index, word(from)),
                          word(kTwoOverPi[k + from]), words[k]);
  }
  Value mask = word(0xffffffff);
  auto window = [&](int k) {
    Value pair = a.orI(a.shl(words[k], word(32)), words[k + 1]);
    return a.andI(a.shrU(pair, a.subI(word(32), shift)), mask);
  };
  // m times the window, modulo 2^96.
  Value low = a.mulI(m, window(2));
  Value middle = a.addI(a.mulI(m, window(1)), a.shrU(low, word(32)));
  Value high = a.addI(a.mulI(m, window(0)), a.shrU(middle, word(32)));
  Value top = a.orI(a.shl(high, word(32)), a.andI(middle, mask));
  // One bit of half turns, then the fraction, rounded to the nearest.
  if (isCos)
    top = a.addI(top, word(int64_t(1) << 62));
  Value odd = a.addI(a.shrU(top, word(63)), a.shrU(top, word(62)));
  Value r =
      a.mul(a.toFloatRounded(a.shl(top, word(1))), 3.141592653589793 * 0x1p-64);
  // Of |x|: sin(-x) = sin(-r) if x = n pi + r, cos(-x) = cos(x).
  if (!isCos)
    r = a.select(narrow.is(Cmp::OLT, x, 0.0), a.neg(r), r);
  return {odd, r};
}

} // namespace

Value expandSinOrCos32(const Arithmetic &narrow, Value x, bool isCos) {
  Arithmetic a = narrow.withWidth(64);
  // Infinities and NaN become NaN here.
  HalfTurn turn = reduceSmall(a, a.widen(x), isCos);
  Value magnitude = narrow.abs(x);
  Value isLarge =
      narrow.both(narrow.is(Cmp::OGE, magnitude, 0x1p27),
                  narrow.is(Cmp::OLT, magnitude, narrow.infinity()));
  SmallVector<Value> parts = ifAny(a, isLarge, {turn.odd, turn.r}, [&] {
    HalfTurn large = reduceLarge(narrow, a, x, isCos);
    return SmallVector<Value>{a.select(isLarge, large.odd, turn.odd),
                              a.select(isLarge, large.r, turn.r)};
  });
  // r times a factor near 1 keeps -0 and what is tiny.
  Value r = parts[1], z = a.mul(r, r);
  Value sine = a.mul(r, a.fma(z, a.polynomial(z, kSinShort), a.constant(1)));
  Value sign = a.shl(parts[0], a.integer(63));
  sine = a.fromBits(a.xorI(a.bits(sine), sign));
  return narrow.narrow(sine);
}

} // namespace graphc::expand_math
