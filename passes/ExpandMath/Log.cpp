// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log and log1p.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;

Split splitExponent(const Arithmetic &a, Value x, bool hasDenormals) {
  // Denormals first become normal.
  Value isTiny;
  if (hasDenormals) {
    isTiny = a.is(Cmp::OLT, x, a.isDouble() ? 0x1p-1022 : 0x1p-126);
    x = a.select(isTiny, a.mul(x, a.isDouble() ? 0x1p54 : 0x1p25), x);
  }
  // The exponent that sqrt(1/2) is the start of, above zero by its bias.
  Value fractionBits = a.integer(a.fractionBits());
  int64_t sqrtHalf = a.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  int64_t bias = a.exponentBias() << a.fractionBits();
  Value bits = a.addI(a.bits(x), a.integer(bias - sqrtHalf));
  Value e = a.sub(a.toFloat(a.shrU(bits, fractionBits)),
                  a.constant(double(a.exponentBias())));
  Value fraction =
      a.andI(bits, a.integer((int64_t(1) << a.fractionBits()) - 1));
  Value m = a.fromBits(a.addI(fraction, a.integer(sqrtHalf)));
  if (hasDenormals)
    e = a.select(isTiny, a.sub(e, a.isDouble() ? 54 : 25), e);
  return {e, a.sub(m, 1)};
}

namespace {

/// log(x) + c for 0 < x < inf and a small c.
Value logCore(const Arithmetic &a, Value x, Value c) {
  auto [e, f] = splitExponent(a, x);
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

} // namespace graphc::expand_math
