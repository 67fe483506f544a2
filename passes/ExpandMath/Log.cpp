// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log1p and pow.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;

namespace {

/// x = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), for 0 < x < inf.
struct Split {
  Value e; // A whole number as a float.
  Value f;
};

Split split(const Arithmetic &a, Value x) {
  // Denormals first become normal.
  double smallest = a.isDouble() ? 0x1p-1022 : 0x1p-126;
  double scale = a.isDouble() ? 0x1p54 : 0x1p25;
  Value isTiny = a.is(Cmp::OLT, x, smallest);
  Value scaled = a.select(isTiny, a.mul(x, scale), x);
  int64_t sqrtHalf = a.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Value bits = a.subI(a.bits(scaled), a.integer(sqrtHalf));
  Value e = a.toFloat(a.shrS(bits, a.integer(a.fractionBits())));
  Value fraction =
      a.andI(bits, a.integer((int64_t(1) << a.fractionBits()) - 1));
  Value m = a.fromBits(a.addI(fraction, a.integer(sqrtHalf)));
  e = a.select(isTiny, a.sub(e, a.isDouble() ? 54 : 25), e);
  return {e, a.sub(m, 1)};
}

/// log(x) + c for 0 < x < inf and a small c.
Value logCore(const Arithmetic &a, Value x, Value c) {
  auto [e, f] = split(a, x);
  double high = a.isDouble() ? 0.6931471805598903 : 0.693115234375;
  double low = a.isDouble() ? 5.497923018708371e-14 : 3.1946184945309415e-05;
  Value square = a.mul(f, f);
  Value rest;
  if (a.isDouble()) {
    // log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), s = f / (2 + f).
    Value s = a.div(f, a.add(f, 2));
    Value z = a.mul(s, s);
    Value r = a.mul(z, a.polynomial(z, kLog64));
    Value half = a.mul(square, 0.5);
    rest = a.fma(s, a.add(half, r), a.mul(e, low));
    if (c)
      rest = a.add(rest, c);
    rest = a.sub(half, rest);
    return a.fma(e, high, a.sub(f, rest));
  }
  Value p = a.mul(a.mul(square, f), a.polynomial(f, kLog32));
  rest = a.fma(e, low, p);
  if (c)
    rest = a.add(rest, c);
  rest = a.fma(square, -0.5, rest);
  return a.fma(e, high, a.add(f, rest));
}

/// What log gives outside 0 < x < inf: -inf at 0, NaN below, x at inf and NaN.
Value logSpecial(const Arithmetic &a, Value x, Value result) {
  result = a.select(a.is(Cmp::OEQ, x, 0.0), a.neg(a.infinity()), result);
  result = a.select(a.is(Cmp::OLT, x, 0.0), a.nan(), result);
  Value isOwn = a.either(a.isNan(x), a.is(Cmp::OEQ, x, a.infinity()));
  return a.select(isOwn, x, result);
}

/// log(x) as a sum of two doubles, for 0 < x < inf.
struct Pair {
  Value high, low;
};
Pair logPair(const Arithmetic &a, Value x) {
  auto [e, f] = split(a, x);
  // s = f / (2 + f) in two parts: 2 + f does not fit one.
  Value d = a.add(f, 2);
  Value dLow = a.sub(f, a.sub(d, 2));
  Value s = a.div(f, d);
  Value residue = a.fma(a.neg(s), d, f);
  residue = a.fma(a.neg(s), dLow, residue);
  Value sLow = a.div(residue, d);
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

} // namespace

Value expandLog(const Arithmetic &a, Value x) {
  return logSpecial(a, x, logCore(a, x, Value()));
}

Value expandLog1p(const Arithmetic &a, Value x) {
  // log(u) + c with u = 1 + x as rounded and c what the rounding lost.
  Value u = a.add(x, 1);
  Value lost =
      a.select(a.is(Cmp::OGE, x, 1.0), a.sub(a.constant(1), a.sub(u, x)),
               a.sub(x, a.sub(u, 1)));
  Value result = logCore(a, u, a.div(lost, u));
  result = logSpecial(a, u, result);
  return a.select(a.is(Cmp::OEQ, x, 0.0), x, result); // -0 too.
}

Value expandPow(const Arithmetic &outer, Value x0, Value y0) {
  // In f64 for f32 as well, which makes it nearly correctly rounded.
  Arithmetic a = outer.withWidth(64);
  Value x = outer.isDouble() ? x0 : a.widen(x0);
  Value y = outer.isDouble() ? y0 : a.widen(y0);
  Value magnitude = a.abs(x);

  Value isOrdinary = a.both(a.is(Cmp::OGT, magnitude, 0.0),
                            a.is(Cmp::OLT, magnitude, a.infinity()));
  Pair log = logPair(a, a.select(isOrdinary, magnitude, a.constant(1)));
  Value high = a.mul(y, log.high);
  Value low = a.fma(y, log.low, a.fma(y, log.high, a.neg(high)));
  // An infinite product has no error term, and a huge one needs none.
  Value isFinite = a.is(Cmp::OLT, a.abs(high), 1e4);
  low = a.select(isFinite, low, a.constant(0));
  Value result = expWithTail(a, high, low);

  // |x| is 0 or inf: 0 or inf by the signs of log|x| and y.
  Value grows = a.is(Cmp::OEQ, magnitude, a.infinity());
  Value positive = a.is(Cmp::OGT, y, 0.0);
  Value zeroOrInf =
      a.select(grows, a.select(positive, a.infinity(), a.constant(0)),
               a.select(positive, a.constant(0), a.infinity()));
  result = a.select(isOrdinary, result, zeroOrInf);

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
  // (-1)^(+-inf) is 1; 1^y and x^0 are 1 even for NaN.
  Value isUnitToInf = a.both(a.is(Cmp::OEQ, magnitude, 1.0),
                             a.is(Cmp::OEQ, a.abs(y), a.infinity()));
  Value isOne = a.either(a.is(Cmp::OEQ, y, 0.0), a.is(Cmp::OEQ, x, 1.0));
  result = a.select(a.either(isUnitToInf, isOne), a.constant(1), result);
  return outer.isDouble() ? result : outer.narrow(result);
}

} // namespace graphc::expand_math
