// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of f64.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;
using CmpI = Arithmetic::CmpI;

namespace {

/// By three parts of pi/2; good up to |x| = 2^30.
Quadrant reduceSmall(const Arithmetic &a, Value x) {
  Value shifted = a.fma(x, 0.6366197723675814, a.constant(Arithmetic::kShift));
  Value n = a.sub(shifted, Arithmetic::kShift);
  Value first = a.fma(n, -1.5707963267948966, x);
  Value second = a.mul(n, 6.123233995736766e-17);
  Value r = a.sub(first, second);
  Value lost = a.fma(n, 6.123233995736766e-17, a.neg(second));
  Value low = a.sub(a.sub(a.sub(first, r), second), lost);
  low = a.fma(n, 1.4973849048591698e-33, low);
  return {a.bits(shifted), r, low};
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
  Value isOdd = a.isI(CmpI::slt, a.shl(q, a.integer(63)), a.integer(0));
  Value value = a.select(isOdd, cosine, sine);
  // The second bit is the sign.
  Value sign = a.andI(a.shl(q, a.integer(62)),
                      a.integer(std::numeric_limits<int64_t>::min()));
  return a.fromBits(a.xorI(a.bits(value), sign));
}

Value sinOrCos(const Arithmetic &a, Value x, bool isCos) {
  if (!a.isDouble())
    return expandSinOrCos32(a, x, isCos);
  // Infinities and NaN become NaN in the first reduction.
  Quadrant reduced = reduceHuge(a, x, 0x1p30, reduceSmall(a, x));
  Value result = evaluate(a, reduced, isCos);
  if (!isCos) // Keeps -0, and tiny values as they are.
    result = a.select(a.is(Cmp::OLT, a.abs(x), 0x1p-27), x, result);
  return result;
}

} // namespace

Value expandSin(const Arithmetic &a, Value x) { return sinOrCos(a, x, false); }
Value expandCos(const Arithmetic &a, Value x) { return sinOrCos(a, x, true); }

} // namespace graphc::expand_math
