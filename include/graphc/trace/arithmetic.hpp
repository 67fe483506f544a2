// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise arithmetic and mathematical functions, in the broadcast shape and
// the dtype of the operands. Each throws for a dtype that it does not take; see
// also the rules at the top of graphc/trace/functional.hpp. docs/math.md has
// the error of each. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_ARITHMETIC_HPP
#define GRAPHC_TRACE_ARITHMETIC_HPP

#include "graphc/trace/broadcast.hpp"

namespace graphc {

// Of two operands, any dtype but i1. Floats round once; integers wrap.

inline Tensor operator+(const Operand &a, const Operand &b) {
  return detail::binary("graph.add", a, b);
}
inline Tensor operator-(const Operand &a, const Operand &b) {
  return detail::binary("graph.sub", a, b);
}
inline Tensor operator*(const Operand &a, const Operand &b) {
  return detail::binary("graph.mul", a, b);
}
/// Integers divide with truncation, unlike PyTorch's true division; x / 0 is -1
/// (all ones in a ui8).
inline Tensor operator/(const Operand &a, const Operand &b) {
  return detail::binary("graph.div", a, b);
}
/// Remainder with the sign of the dividend, as C's fmod and %; x % 0 is x.
inline Tensor fmod(const Operand &a, const Operand &b) {
  return detail::binary("graph.rem", a, b);
}
/// The larger; NaN if either is. A tie splits its gradient in half.
inline Tensor maximum(const Operand &a, const Operand &b) {
  return detail::binary("graph.maximum", a, b);
}
/// The smaller; NaN if either is. A tie splits its gradient in half.
inline Tensor minimum(const Operand &a, const Operand &b) {
  return detail::binary("graph.minimum", a, b);
}
/// `a` to the power `b`, floats only; C's special cases.
inline Tensor pow(const Operand &a, const Operand &b) {
  return detail::binary("graph.pow", a, b);
}

// Of one operand, any dtype but i1.

inline Tensor operator-(const Operand &x) {
  return detail::unary("graph.neg", x);
}
/// Its derivative at 0 is 0.
inline Tensor abs(const Operand &x) { return detail::unary("graph.abs", x); }
/// -1, 0 or 1; NaN and -0 stay.
inline Tensor sign(const Operand &x) { return detail::unary("graph.sign", x); }

// Of one operand, floats only.

inline Tensor floor(const Operand &x) {
  return detail::unary("graph.floor", x);
}
inline Tensor ceil(const Operand &x) { return detail::unary("graph.ceil", x); }
/// To the nearest integer, ties to even.
inline Tensor round(const Operand &x) {
  return detail::unary("graph.round", x);
}
inline Tensor exp(const Operand &x) { return detail::unary("graph.exp", x); }
/// e^x - 1, accurate near 0.
inline Tensor expm1(const Operand &x) {
  return detail::unary("graph.expm1", x);
}
/// -inf at 0, NaN below.
inline Tensor log(const Operand &x) { return detail::unary("graph.log", x); }
/// log(1 + x), accurate near 0.
inline Tensor log1p(const Operand &x) {
  return detail::unary("graph.log1p", x);
}
/// NaN below 0.
inline Tensor sqrt(const Operand &x) { return detail::unary("graph.sqrt", x); }
/// 1 / sqrt(x).
inline Tensor rsqrt(const Operand &x) {
  return detail::unary("graph.rsqrt", x);
}
/// 1 / x.
inline Tensor reciprocal(const Operand &x) {
  return detail::unary("graph.reciprocal", x);
}
inline Tensor sin(const Operand &x) { return detail::unary("graph.sin", x); }
inline Tensor cos(const Operand &x) { return detail::unary("graph.cos", x); }
inline Tensor tanh(const Operand &x) { return detail::unary("graph.tanh", x); }
inline Tensor erf(const Operand &x) { return detail::unary("graph.erf", x); }
/// `x` held to [min, max], both included, where gradients pass. Throws unless
/// min <= max.
inline Tensor clamp(const Operand &x, double min, double max) {
  return detail::unary("graph.clamp", x,
                       "{low = " + detail::attribute(min) +
                           ", high = " + detail::attribute(max) + "}");
}

/// `x` itself, of any dtype, through which no gradient flows.
inline Tensor detach(const Operand &x) {
  return detail::unary("graph.stop_gradient", x);
}

} // namespace graphc

#endif // GRAPHC_TRACE_ARITHMETIC_HPP
