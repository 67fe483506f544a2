// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function.
#include "passes/ExpandMath/Arithmetic.h"
#include "passes/ExpandMath/Coefficients.h"

using namespace mlir;

namespace graphc::expand_math {

Value expandErf(const Arithmetic &a, Value x) {
  using Cmp = Arithmetic::Cmp;
  Value magnitude = a.abs(x);
  // |x| <= 1: x (1 + P(x^2)). NaN goes this way.
  Value isBig = a.is(Cmp::OGT, magnitude, 1.0);
  Value inner = a.select(isBig, a.constant(1), magnitude);
  Value z = a.mul(inner, inner);
  Value p = a.isDouble() ? a.polynomial(z, kErfSmall64)
                         : a.polynomial(z, kErfSmall32);
  Value small = a.fma(inner, p, inner);
  Value result =
      ifAny(a, isBig, small, [&] {
        // Beyond: 1 - e^(-x^2) Q(u) / (1 + 2x), u = (x - 2) / (x + 2); from the
        // bound on it is 1 to the last bit. One division does for both.
        double bound = a.isDouble() ? 6 : 4;
        Value outer = a.clamp(magnitude, 0, bound);
        Value sum = a.add(outer, 2), scale = a.fma(outer, 2.0, a.constant(1));
        Value inverse = a.div(a.constant(1), a.mul(sum, scale));
        Value u = a.mul(a.mul(a.sub(outer, 2), scale), inverse);
        Value q = a.isDouble() ? a.polynomial(u, kErfBig64)
                               : a.polynomial(u, kErfBig32);
        Value gauss = expandExp(a, a.neg(a.mul(outer, outer)));
        Value tail = a.mul(a.mul(gauss, q), a.mul(sum, inverse));
        return SmallVector<Value>{
            a.select(isBig, a.sub(a.constant(1), tail), small)};
      }).front();

  return a.copySign(result, x);
}

} // namespace graphc::expand_math
