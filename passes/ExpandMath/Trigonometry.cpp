// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos; f32 by way of f64.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;
using CmpI = Arithmetic::CmpI;

namespace {

/// In f64, by three parts of pi/2; good up to |x| = 2^30.
Quadrant reduceSmall(const Arithmetic &a, Value x) {
  Value n = a.round(a.mul(x, 0.6366197723675814));
  Value first = a.fma(n, -1.5707963267948966, x);
  Value second = a.mul(n, 6.123233995736766e-17);
  Value r = a.sub(first, second);
  Value lost = a.fma(n, 6.123233995736766e-17, a.neg(second));
  Value low = a.sub(a.sub(a.sub(first, r), second), lost);
  low = a.fma(n, 1.4973849048591698e-33, low);
  return {a.toInteger(a.clamp(n, -0x1p62, 0x1p62)), r, low};
}

/// For f32 x of 2^27 and more: x is m 2^e, and of x times 2/pi only the bits
/// around the point count. They come from 96 bits of 2/pi chosen by e.
Quadrant reduceLarge(const Arithmetic &narrow, const Arithmetic &a, Value x) {
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
  // Two bits of quadrant, then the fraction, rounded to the nearest quadrant.
  Value q = a.shrU(top, word(62));
  q = a.addI(q, a.andI(a.shrU(top, word(61)), word(1)));
  Value fraction = a.toFloat(a.shl(top, word(2)));
  Value r = a.mul(fraction, 1.5707963267948966 * 0x1p-64);
  // sin(-x) = -sin(x), cos(-x) = cos(x): the caller works with |x| here.
  return {q, r, a.constant(0)};
}

/// sin (or cos) of q pi/2 + r + low.
Value evaluate(const Arithmetic &a, const Quadrant &reduced, bool isCos) {
  Value r = reduced.r, z = a.mul(r, r);
  Value sine = a.fma(a.mul(r, z), a.polynomial(z, kSin64), reduced.low);
  sine = a.add(r, sine);
  // 1 - z/2 as a rounded part and what that lost.
  Value half = a.mul(z, 0.5);
  Value whole = a.sub(a.constant(1), half);
  Value lost = a.sub(a.sub(a.constant(1), whole), half);
  Value tail = a.fma(a.mul(z, z), a.polynomial(z, kCos64), lost);
  tail = a.fma(a.neg(r), reduced.low, tail);
  Value cosine = a.add(whole, tail);
  Value q = isCos ? a.addI(reduced.q, a.integer(1)) : reduced.q;
  auto hasBit = [&](int64_t bit) {
    return a.isI(CmpI::ne, a.andI(q, a.integer(bit)), a.integer(0));
  };
  Value value = a.select(hasBit(1), cosine, sine);
  return a.select(hasBit(2), a.neg(value), value);
}

Value sinOrCos(const Arithmetic &outer, Value x, bool isCos) {
  Arithmetic a = outer.withWidth(64);
  Value wide = outer.isDouble() ? x : a.widen(x);
  Quadrant reduced = reduceSmall(a, wide);
  if (outer.isDouble())
    reduced = reduceHuge(a, x, 0x1p30, reduced);
  Value result = evaluate(a, reduced, isCos);
  if (!outer.isDouble()) {
    Value large = evaluate(a, reduceLarge(outer, a, x), isCos);
    if (!isCos)
      large = a.select(a.is(Cmp::OLT, wide, 0.0), a.neg(large), large);
    result = a.select(a.is(Cmp::OGE, a.abs(wide), 0x1p27), large, result);
  }
  if (!isCos) // Keeps -0, and tiny values as they are.
    result = a.select(a.is(Cmp::OLT, a.abs(wide), 0x1p-27), wide, result);
  result = a.select(a.is(Cmp::OLT, a.abs(wide), a.infinity()), result, a.nan());
  return outer.isDouble() ? result : outer.narrow(result);
}

} // namespace

Value expandSin(const Arithmetic &a, Value x) { return sinOrCos(a, x, false); }
Value expandCos(const Arithmetic &a, Value x) { return sinOrCos(a, x, true); }

} // namespace graphc::expand_math
