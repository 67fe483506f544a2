// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

Value expandErf(const Arithmetic &a, Value x) {
  using Cmp = Arithmetic::Cmp;
  Value magnitude = a.abs(x);
  // |x| <= 1: x (1 + P(x^2)).
  Value inner = a.clamp(magnitude, 0, 1);
  Value z = a.mul(inner, inner);
  Value p = a.isDouble() ? a.polynomial(z, kErfSmall64)
                         : a.polynomial(z, kErfSmall32);
  Value small = a.fma(inner, p, inner);
  // Beyond: 1 - e^(-x^2) Q(u) / (1 + 2x), u = (x - 2) / (x + 2); from the bound
  // on it is 1 to the last bit.
  double bound = a.isDouble() ? 6 : 4;
  Value outer = a.clamp(magnitude, 1, bound);
  Value u = a.div(a.sub(outer, 2), a.add(outer, 2));
  Value q =
      a.isDouble() ? a.polynomial(u, kErfBig64) : a.polynomial(u, kErfBig32);
  Value gauss = expandExp(a, a.neg(a.mul(outer, outer)));
  Value tail = a.div(a.mul(gauss, q), a.fma(outer, 2.0, a.constant(1)));
  Value big = a.sub(a.constant(1), tail);
  Value result = a.select(a.is(Cmp::OLE, magnitude, 1.0), small, big);

  result = a.copySign(result, x);
  return a.select(a.isNan(x), x, result);
}

} // namespace graphc::expand_math
