// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;

namespace {

/// log(x) as a sum of two doubles, for 0 < x < inf.
struct Pair {
  Value high, low;
};
Pair logPair(const Arithmetic &a, Value x) {
  auto [e, f] = splitExponent(a, x);
  // s = f / (2 + f) in two parts: 2 + f does not fit one.
  Value d = a.add(f, 2);
  Value dLow = a.sub(f, a.sub(d, 2));
  Value inverse = a.div(a.constant(1), d);
  Value s = a.mul(f, inverse);
  Value residue = a.fma(a.neg(s), d, f);
  residue = a.fma(a.neg(s), dLow, residue);
  Value sLow = a.mul(residue, inverse);
  Value z = a.mul(s, s);
  Value r = a.mul(a.mul(s, z), a.polynomial(z, kLog64wide));
  // e ln(2) + 2 s + 2 sLow + s R: the first part of ln(2) times e is exact.
  Value first = a.mul(e, 0.6931471805598903);
  Value second = a.mul(s, 2);
  Value sum = a.add(first, second);
  // The error of the sum, whichever part is larger.
  Value back = a.sub(sum, first);
  Value error = a.add(a.sub(first, a.sub(sum, back)), a.sub(second, back));
  Value low = a.fma(e, 5.497923018708371e-14, a.fma(sLow, 2, r));
  low = a.add(low, error);
  Value high = a.add(sum, low);
  return {high, a.sub(low, a.sub(high, sum))};
}

/// x^y for finite x > 0 and finite y; anything elsewhere.
Value power64(const Arithmetic &a, Value x, Value y) {
  Pair log = logPair(a, x);
  Value high = a.mul(y, log.high);
  Value low = a.fma(y, log.low, a.fma(y, log.high, a.neg(high)));
  // An infinite product has no error term, and a huge one needs none.
  Value isFinite = a.is(Cmp::OLT, a.abs(high), 1e4);
  return expWithTail(a, high, a.select(isFinite, low, a.constant(0)));
}

/// The same of f32: plain f64 has bits enough, and takes any exponent.
Value power32(const Arithmetic &outer, Value x, Value y) {
  Arithmetic a = outer.withWidth(64);
  auto [e, f] = splitExponent(a, a.widen(x), /*hasDenormals=*/false);
  Value s = a.div(f, a.add(f, 2));
  Value log2 = a.fma(s, a.polynomial(a.mul(s, s), kLog2Short), e);
  Value t = a.clamp(a.mul(a.widen(y), log2), -160, 160);
  Value shifted = a.add(t, Arithmetic::kShift);
  Value r = a.sub(t, a.sub(shifted, Arithmetic::kShift));
  Value bits = a.bits(a.polynomial(r, kExp2Short));
  Value scaled = a.addI(bits, a.shl(a.bits(shifted), a.integer(52)));
  return outer.narrow(a.fromBits(scaled));
}

/// x^y where x is not positive or one of them is infinite or NaN, and x^y where
/// that is `power`, which is |x|^y for finite x and y other than 0.
Value special(const Arithmetic &a, Value x, Value y, Value power) {
  Value magnitude = a.abs(x);
  Value isInfinite = a.is(Cmp::OEQ, magnitude, a.infinity());
  Value isEmpty = a.is(Cmp::OEQ, magnitude, 0.0);
  // 0 or inf by the signs of log|x| and y; 1 to an infinite power is 1.
  Value grows = a.is(Cmp::OGT, magnitude, 1.0);
  Value positive = a.is(Cmp::OGT, y, 0.0);
  Value zeroOrInf =
      a.select(grows, a.select(positive, a.infinity(), a.constant(0)),
               a.select(positive, a.constant(0), a.infinity()));
  zeroOrInf =
      a.select(a.is(Cmp::OEQ, magnitude, 1.0), a.constant(1), zeroOrInf);
  Value isEndless = a.is(Cmp::OEQ, a.abs(y), a.infinity());
  Value result = a.select(a.either(a.either(isInfinite, isEmpty), isEndless),
                          zeroOrInf, power);

  // A negative base: whole exponents only, and odd ones keep the sign.
  Value isWhole = a.is(Cmp::OEQ, a.floor(y), y);
  Value halfY = a.mul(y, 0.5);
  Value isOdd = a.both(isWhole, a.is(Cmp::ONE, a.floor(halfY), halfY));
  Value isNegative = a.isI(Arithmetic::CmpI::slt, a.bits(x), a.integer(0));
  result = a.select(a.both(isNegative, isOdd), a.neg(result), result);
  Value hasNoRoot =
      a.both(a.is(Cmp::OLT, x, 0.0),
             a.both(a.is(Cmp::OGT, x, a.neg(a.infinity())), a.negate(isWhole)));
  result = a.select(hasNoRoot, a.nan(), result);

  result = a.select(a.either(a.isNan(x), a.isNan(y)), a.nan(), result);
  // 1^y and x^0 are 1 even for NaN.
  Value isOne = a.either(a.is(Cmp::OEQ, y, 0.0), a.is(Cmp::OEQ, x, 1.0));
  return a.select(isOne, a.constant(1), result);
}

} // namespace

Value expandPow(const Arithmetic &a, Value x, Value y) {
  Value magnitude = a.abs(x);
  Value power =
      a.isDouble() ? power64(a, magnitude, y) : power32(a, magnitude, y);
  Value isOrdinary =
      a.both(a.both(a.is(Cmp::OGT, x, 0.0), a.is(Cmp::OLT, x, a.infinity())),
             a.is(Cmp::OLT, a.abs(y), a.infinity()));
  return ifAny(a, a.negate(isOrdinary), power,
               [&] { return SmallVector<Value>{special(a, x, y, power)}; })
      .front();
}

} // namespace graphc::expand_math
