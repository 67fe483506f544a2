// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions. f16 and bf16 accumulate in f32 and round once. Include
// graphc/trace.hpp.
#ifndef GRAPHC_TRACE_REDUCE_HPP
#define GRAPHC_TRACE_REDUCE_HPP

#include <optional>

#include "graphc/trace/broadcast.hpp"

namespace graphc {

namespace detail {
inline Tensor reduce(const char *op, const Operand &x, const Shape &dims,
                     bool keepdim) {
  Tensor input = asTensor(x);
  Shape axes = wrapDims(dims, input.dim(), x.source);
  Tensor result = unary(op, x, "{axes = " + attribute(axes) + "}");
  if (!keepdim)
    return result;
  Shape shape = input.shape();
  for (int64_t axis : axes)
    shape[axis] = 1;
  return reshapeTo(result, shape, x.source);
}
/// Without `dim`, of the flattened tensor.
inline Tensor argReduce(const char *op, const Operand &x,
                        std::optional<int64_t> dim, bool keepdim) {
  Tensor input = asTensor(x);
  Shape shape = input.shape();
  if (dim)
    shape[wrapDim(*dim, input.dim(), x.source)] = 1;
  else
    shape.assign(shape.size(), 1);
  int64_t axis = dim ? wrapDim(*dim, input.dim(), x.source) : 0;
  if (!dim)
    input = reshapeTo(input, {input.numel()}, x.source);
  Tensor result =
      build(x.source, op, {input}, "{axis = " + attribute(axis) + "}");
  return keepdim ? reshapeTo(result, shape, x.source) : result;
}
} // namespace detail

// Over the dimensions `dims`, all if it is empty, which the result lacks or,
// with `keepdim`, has in size 1. The dtype stays, also where PyTorch's sum and
// prod of integers give i64. Each throws for a dimension that is not there or
// is given twice, and for a dtype that it does not take.

/// Of any dtype but i1; 0 over nothing. Integers wrap.
inline Tensor sum(const Operand &x, const Shape &dims = {},
                  bool keepdim = false) {
  return detail::reduce("graph.reduce_sum", x, dims, keepdim);
}
/// Of floats; NaN over nothing.
inline Tensor mean(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_mean", x, dims, keepdim);
}
/// Of any dtype but i1; 1 over nothing. Integers wrap.
inline Tensor prod(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_prod", x, dims, keepdim);
}
/// Of any dtype but i1; NaN wins; the lowest value over nothing. Ties share the
/// gradient equally.
inline Tensor amax(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_max", x, dims, keepdim);
}
/// Of any dtype but i1; NaN wins; the highest value over nothing. Ties share
/// the gradient equally.
inline Tensor amin(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_min", x, dims, keepdim);
}

// The position of an extreme value along `dim`, as i64, in a shape as above; of
// the flattened tensor if `dim` is not given, as PyTorch does: then rank 0, or
// all sizes 1 with `keepdim`. The first of equals; NaN wins. Each throws for an
// i1 and for nothing to choose from.

inline Tensor argmax(const Operand &x, std::optional<int64_t> dim = {},
                     bool keepdim = false) {
  return detail::argReduce("graph.argmax", x, dim, keepdim);
}
inline Tensor argmin(const Operand &x, std::optional<int64_t> dim = {},
                     bool keepdim = false) {
  return detail::argReduce("graph.argmin", x, dim, keepdim);
}

} // namespace graphc

#endif // GRAPHC_TRACE_REDUCE_HPP
