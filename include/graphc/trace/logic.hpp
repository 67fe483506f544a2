// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, logic, bits and choice, elementwise. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_LOGIC_HPP
#define GRAPHC_TRACE_LOGIC_HPP

#include "graphc/trace/shape.hpp"

namespace graphc {

namespace detail {
inline Tensor compare(const char *predicate, const Operand &a,
                      const Operand &b) {
  return binary("graph.compare", a, b,
                std::string("{predicate = #graph<predicate ") + predicate +
                    ">}");
}
/// Whether each element is true: not 0, as NaN is not.
inline Operand truth(const Operand &x) {
  Tensor value = asTensor(x);
  if (value.dtype() == i1)
    return Operand(value, x.source);
  return Operand(
      compare("ne", Operand(value, x.source), Operand(Number(0), x.source)),
      x.source);
}
} // namespace detail

// Comparisons: of two operands of one dtype, whichever, to an i1. Any with NaN
// is false, but `ne` true; false is less than true.

inline Tensor eq(const Operand &a, const Operand &b) {
  return detail::compare("eq", a, b);
}
inline Tensor ne(const Operand &a, const Operand &b) {
  return detail::compare("ne", a, b);
}
inline Tensor lt(const Operand &a, const Operand &b) {
  return detail::compare("lt", a, b);
}
inline Tensor le(const Operand &a, const Operand &b) {
  return detail::compare("le", a, b);
}
inline Tensor gt(const Operand &a, const Operand &b) {
  return detail::compare("gt", a, b);
}
inline Tensor ge(const Operand &a, const Operand &b) {
  return detail::compare("ge", a, b);
}
inline Tensor operator==(const Operand &a, const Operand &b) {
  return eq(a, b);
}
inline Tensor operator!=(const Operand &a, const Operand &b) {
  return ne(a, b);
}
inline Tensor operator<(const Operand &a, const Operand &b) { return lt(a, b); }
inline Tensor operator<=(const Operand &a, const Operand &b) {
  return le(a, b);
}
inline Tensor operator>(const Operand &a, const Operand &b) { return gt(a, b); }
inline Tensor operator>=(const Operand &a, const Operand &b) {
  return ge(a, b);
}

// Logic: each operand, of whatever dtype, counts as true where it is not 0; to
// an i1 of the broadcast shape.

inline Tensor logical_and(const Operand &a, const Operand &b) {
  return detail::binary("graph.and", detail::truth(a), detail::truth(b));
}
inline Tensor logical_or(const Operand &a, const Operand &b) {
  return detail::binary("graph.or", detail::truth(a), detail::truth(b));
}
inline Tensor logical_xor(const Operand &a, const Operand &b) {
  return detail::binary("graph.xor", detail::truth(a), detail::truth(b));
}
inline Tensor logical_not(const Operand &x) {
  return detail::unary("graph.not", detail::truth(x));
}

// Bits: of operands of one dtype, an integer one or i1, to the same. Each
// throws for floats.

inline Tensor bitwise_and(const Operand &a, const Operand &b) {
  return detail::binary("graph.and", a, b);
}
inline Tensor bitwise_or(const Operand &a, const Operand &b) {
  return detail::binary("graph.or", a, b);
}
inline Tensor bitwise_xor(const Operand &a, const Operand &b) {
  return detail::binary("graph.xor", a, b);
}
inline Tensor bitwise_not(const Operand &x) {
  return detail::unary("graph.not", x);
}

// Tests of a float tensor, to an i1 of its shape. Each throws for other dtypes.

/// Neither inf nor NaN.
inline Tensor isfinite(const Operand &x) {
  return detail::unary("graph.is_finite", x);
}
inline Tensor isnan(const Operand &x) {
  return detail::unary("graph.is_nan", x);
}

/// `a` where `condition` (i1) holds, else `b`, which have one dtype, whichever;
/// all three broadcast. What is not chosen never matters, not even a NaN.
/// Throws if `condition` is no i1.
inline Tensor where(const Operand &condition, const Operand &a,
                    const Operand &b) {
  auto [x, y] = detail::unify("where", a, b);
  const Source &source = condition.source;
  Tensor c = detail::asTensor(condition);
  // The three shapes meet in two steps, through a tensor of the values' dtype.
  Tensor like = full(c.shape(), 0, x.dtype(), source);
  Shape shape =
      detail::unify("where", Operand(like, source), Operand(x, source))
          .first.shape();
  return detail::build(source, "graph.select",
                       {detail::broadcastTo(c, shape, source),
                        detail::broadcastTo(x, shape, source),
                        detail::broadcastTo(y, shape, source)});
}

} // namespace graphc

#endif // GRAPHC_TRACE_LOGIC_HPP
