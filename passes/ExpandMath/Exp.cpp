// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, expm1 and what follows from them: tanh.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;

namespace {

/// Between two numbers, or NaN. The order of the operands makes it two
/// instructions.
Value clampOrNan(const Arithmetic &a, Value x, double low, double high) {
  x = a.select(a.is(Cmp::OLT, x, low), a.constant(low), x);
  return a.select(a.is(Cmp::OGT, x, high), a.constant(high), x);
}

/// x = n ln(2) + r with |r| <= ln(2)/2.
struct Reduced {
  Value n; // n + bias in its low bits; those above have no meaning.
  Value r;
};

Reduced reduce(const Arithmetic &a, Value x, Value tail, int64_t bias) {
  // ln(2) in two parts; n times the first is exact.
  double high = a.isDouble() ? 0.6931471805598903 : 0.693115234375;
  double low = a.isDouble() ? 5.497923018708371e-14 : 3.1946184945309415e-05;
  // Adding this rounds to a whole number, which the low bits of the sum are.
  double shift = (a.isDouble() ? Arithmetic::kShift : 0x1.8p23) +
                 static_cast<double>(bias);
  Value shifted = a.fma(x, 1.4426950408889634, a.constant(shift));
  Value n = a.sub(shifted, shift);
  Value r = a.fma(n, -high, x);
  r = a.fma(n, -low, r);
  return {a.bits(shifted), tail ? a.add(r, tail) : r};
}

/// (e^r - 1 - r) / r^2 on |r| <= ln(2)/2.
Value expRest(const Arithmetic &a, Value r) {
  return a.isDouble() ? a.polynomial(r, kExp64) : a.polynomial(r, kExp32);
}

/// 2^n of the low bits of `n`, which are the exponent with its bias.
Value power(const Arithmetic &a, Value n) {
  return a.fromBits(a.shl(n, a.integer(a.fractionBits())));
}

/// Half of e^x - 1, for x from -50 to where that overflows; of NaN NaN.
Value halfExpm1(const Arithmetic &a, Value x) {
  Reduced reduced = reduce(a, x, Value(), a.exponentBias() - 1);
  Value r = reduced.r;
  Value p = a.fma(a.mul(r, r), expRest(a, r), r);
  // 2^(n - 1) (p + 1) - 1/2 = h p + (h - 1/2), where h is finite.
  Value h = power(a, reduced.n);
  return a.fma(p, h, a.sub(h, 0.5));
}

} // namespace

Value expWithTail(const Arithmetic &a, Value x, Value tail) {
  // Beyond these the result is 0 and infinity, by the scaling below.
  double low = a.isDouble() ? -746 : -104, high = a.isDouble() ? 710 : 89;
  // 2^n in two steps, each a normal number; only the last product rounds. With
  // both biases n is positive.
  auto [n, r] =
      reduce(a, clampOrNan(a, x, low, high), tail, 2 * a.exponentBias());
  Value one = a.constant(1);
  Value p = a.fma(a.fma(expRest(a, r), r, one), r, one);
  Value half = a.shrU(n, a.integer(1));
  p = a.mul(p, power(a, half));
  return a.mul(p, power(a, a.subI(n, half)));
}

Value expandExp(const Arithmetic &a, Value x) {
  return expWithTail(a, x, Value());
}

Value expandExpm1(const Arithmetic &a, Value x) {
  double low = a.isDouble() ? -50 : -30, high = a.isDouble() ? 710 : 89;
  Value result = a.mul(halfExpm1(a, clampOrNan(a, x, low, high)), 2);
  // Tiny x is its own result; so is -0. Halving would lose a denormal's bit.
  double tiny = a.isDouble() ? 0x1p-54 : 0x1p-25;
  return a.select(a.is(Cmp::OLT, a.abs(x), tiny), x, result);
}

Value expandTanh(const Arithmetic &a, Value x) {
  // With g half of e^2|x| - 1 it is g / (g + 1); from 22 on 1 in either width.
  Value magnitude = a.abs(x);
  magnitude =
      a.select(a.is(Cmp::OGT, magnitude, 22), a.constant(22), magnitude);
  Value g = halfExpm1(a, a.mul(magnitude, 2));
  return a.copySign(a.div(g, a.add(g, 1)), x);
}

} // namespace graphc::expand_math
