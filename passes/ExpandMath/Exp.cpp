// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, expm1 and what follows from them: tanh.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

namespace {

/// x = n ln(2) + r with |r| <= ln(2)/2.
struct Reduced {
  Value n; // A whole number as a float.
  Value r;
};

Reduced reduce(const Arithmetic &a, Value x, Value tail) {
  // ln(2) in two parts; n times the first is exact.
  double high = a.isDouble() ? 0.6931471805598903 : 0.693115234375;
  double low = a.isDouble() ? 5.497923018708371e-14 : 3.1946184945309415e-05;
  Value n = a.round(a.mul(x, 1.4426950408889634));
  Value r = a.fma(n, -high, x);
  r = a.fma(n, -low, r);
  return {n, tail ? a.add(r, tail) : r};
}

/// e^r - 1 on |r| <= ln(2)/2.
Value expm1Core(const Arithmetic &a, Value r) {
  Value q = a.isDouble() ? a.polynomial(r, kExp64) : a.polynomial(r, kExp32);
  return a.fma(a.mul(r, r), q, r);
}

} // namespace

Value expWithTail(const Arithmetic &a, Value x, Value tail) {
  // Beyond these the result is 0 and infinity, by the scaling below.
  double low = a.isDouble() ? -746 : -104, high = a.isDouble() ? 710 : 89;
  Value clamped = a.clamp(x, low, high);
  Reduced reduced = reduce(a, clamped, tail);
  Value p = a.add(expm1Core(a, reduced.r), 1);
  // 2^n in two steps, each a normal number; only the last product rounds.
  Value n = a.toInteger(reduced.n);
  Value half = a.shrS(n, a.integer(1));
  p = a.mul(p, a.powerOfTwo(half));
  p = a.mul(p, a.powerOfTwo(a.subI(n, half)));
  return a.select(a.isNan(x), x, p);
}

Value expandExp(const Arithmetic &a, Value x) {
  return expWithTail(a, x, Value());
}

Value expandExpm1(const Arithmetic &a, Value x) {
  double low = a.isDouble() ? -50 : -30, high = a.isDouble() ? 710 : 89;
  Reduced reduced = reduce(a, a.clamp(x, low, high), Value());
  Value p = expm1Core(a, reduced.r);
  // 2^n (p + 1) - 1 = 2 (h p + (h - 1/2)) with h = 2^(n - 1), which is finite.
  Value n = a.toInteger(reduced.n);
  Value h = a.powerOfTwo(a.subI(n, a.integer(1)));
  Value result = a.mul(a.fma(p, h, a.sub(h, 0.5)), 2);
  // Tiny x is its own result; so is -0. Halving would lose a denormal's bit.
  double tiny = a.isDouble() ? 0x1p-54 : 0x1p-25;
  result = a.select(a.is(Arithmetic::Cmp::OLT, a.abs(x), tiny), x, result);
  return a.select(a.isNan(x), x, result);
}

Value expandTanh(const Arithmetic &a, Value x) {
  // (e^2|x| - 1) / (e^2|x| + 1); from 22 on it is 1 in either width.
  Value magnitude = a.clamp(a.abs(x), 0, 22);
  Value em = expandExpm1(a, a.mul(magnitude, 2));
  Value result = a.copySign(a.div(em, a.add(em, 2)), x);
  return a.select(a.isNan(x), x, result);
}

} // namespace graphc::expand_math
