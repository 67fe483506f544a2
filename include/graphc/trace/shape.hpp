// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that move elements, change their dtype or make them. Include
// graphc/trace.hpp.
#ifndef GRAPHC_TRACE_SHAPE_HPP
#define GRAPHC_TRACE_SHAPE_HPP

#include "graphc/trace/broadcast.hpp"

namespace graphc {

/// `x` as `dtype`, in the same shape. Floats round to nearest even; a float
/// becomes an integer by truncation, saturated, and NaN 0; an integer wraps in
/// a narrower one; anything but 0, NaN too, becomes true in an i1.
inline Tensor to(const Operand &x, graphc_dtype dtype) {
  return detail::castTo(detail::asTensor(x), dtype, x.source);
}

/// The elements of `x`, of any dtype, in row-major order as `shape`. One size
/// may be -1: what is left. Throws if the number of elements differs.
inline Tensor reshape(const Operand &x, Shape shape) {
  Tensor input = detail::asTensor(x);
  auto mismatch = [&] {
    raise(x.source, "cannot reshape " + toString(input.shape()) + " to " +
                        toString(shape));
  };
  int64_t known = 1, open = -1;
  for (size_t k = 0; k < shape.size(); ++k)
    if (shape[k] == -1 && open < 0)
      open = static_cast<int64_t>(k);
    else if (shape[k] < 0 || __builtin_mul_overflow(known, shape[k], &known))
      mismatch();
  if (open >= 0) {
    if (known == 0 || input.numel() % known)
      mismatch();
    shape[open] = input.numel() / known;
  } else if (known != input.numel()) {
    mismatch();
  }
  return detail::reshapeTo(input, shape, x.source);
}

/// Dimensions `start_dim` to `end_dim` of `x`, of any dtype, as one; rank 0
/// becomes [1]. Throws if there are no such dimensions.
inline Tensor flatten(const Operand &x, int64_t start_dim = 0,
                      int64_t end_dim = -1) {
  Tensor input = detail::asTensor(x);
  if (input.dim() == 0)
    return detail::reshapeTo(input, {1}, x.source);
  int64_t start = detail::wrapDim(start_dim, input.dim(), x.source);
  int64_t end = detail::wrapDim(end_dim, input.dim(), x.source);
  if (start > end)
    raise(x.source, "flatten expects start_dim at most end_dim, but got " +
                        std::to_string(start) + " and " + std::to_string(end));
  Shape shape;
  for (int64_t d = 0; d < input.dim(); ++d)
    if (d > start && d <= end)
      shape.back() *= input.size(d);
    else
      shape.push_back(input.size(d));
  return detail::reshapeTo(input, shape, x.source);
}

/// Dimension k of the result is dimension `dims[k]` of `x`, of any dtype.
/// Throws unless `dims` holds each dimension once.
inline Tensor permute(const Operand &x, Shape dims) {
  Tensor input = detail::asTensor(x);
  for (int64_t &d : dims)
    d = detail::wrapDim(d, input.dim(), x.source);
  return detail::unary("graph.transpose", x,
                       "{permutation = " + detail::attribute(dims) + "}");
}

/// `x`, of any dtype, with two dimensions swapped. Throws if there are none
/// such.
inline Tensor transpose(const Operand &x, int64_t dim0, int64_t dim1) {
  int64_t rank = detail::asTensor(x).dim();
  Shape dims(rank);
  for (int64_t d = 0; d < rank; ++d)
    dims[d] = d;
  std::swap(dims[detail::wrapDim(dim0, rank, x.source)],
            dims[detail::wrapDim(dim1, rank, x.source)]);
  return permute(Operand(x), dims);
}

/// `x`, of any dtype, repeated to `shape` by the rules at the top of
/// graphc/trace/functional.hpp. Throws if it does not broadcast to it.
inline Tensor broadcast_to(const Operand &x, const Shape &shape) {
  Tensor input = detail::asTensor(x);
  bool fits = shape.size() >= input.shape().size();
  for (size_t k = 0; fits && k < input.shape().size(); ++k) {
    int64_t have = input.shape()[k];
    fits = have == 1 || have == shape[k + shape.size() - input.shape().size()];
  }
  if (!fits)
    raise(x.source, "cannot broadcast " + toString(input.shape()) + " to " +
                        toString(shape) + "\nnote: it is " + input.origin());
  return detail::broadcastTo(input, shape, x.source);
}

/// Elements [start, end) of one dimension of `x`, of any dtype, every
/// `step`-th. Negative `start` and `end` count from the end; an `end` past it
/// is the end. Throws if `start` is after `end` or outside, or `step` is below
/// 1.
inline Tensor slice(const Operand &x, int64_t dim, int64_t start, int64_t end,
                    int64_t step = 1) {
  Tensor input = detail::asTensor(x);
  int64_t d = detail::wrapDim(dim, input.dim(), x.source);
  Shape starts(input.dim(), 0), limits = input.shape(), strides(input.dim(), 1);
  starts[d] = start < 0 ? start + input.size(d) : start;
  limits[d] = end < 0 ? end + input.size(d) : std::min(end, input.size(d));
  strides[d] = step;
  return detail::unary("graph.slice", x,
                       "{starts = " + detail::attribute(starts) +
                           ", limits = " + detail::attribute(limits) +
                           ", strides = " + detail::attribute(strides) + "}");
}

/// The tensors, of one dtype, one after the other along `dim`. Throws if there
/// is none, or they differ in dtype or in another dimension.
inline Tensor cat(const std::vector<Tensor> &tensors, int64_t dim = 0,
                  Source source = here()) {
  if (tensors.empty())
    raise(source, "cat expects a tensor");
  int64_t axis = detail::wrapDim(dim, tensors[0].dim(), source);
  return detail::build(source, "graph.concat", tensors,
                       "{axis = " + detail::attribute(axis) + "}");
}

/// Surrounds `x`, of any dtype, with `value`: `low[d]` elements before and
/// `high[d]` after dimension d, 0 or more. Throws unless both have one entry
/// for each dimension, or if `value` does not fit an integer dtype.
inline Tensor pad(const Operand &x, const Shape &low, const Shape &high,
                  Number value = 0) {
  Tensor input = detail::asTensor(x);
  return detail::build(x.source, "graph.pad",
                       {input, detail::scalar(value, input.dtype(), x.source)},
                       "{low = " + detail::attribute(low) + ", high = " +
                           detail::attribute(high) + ", interior = " +
                           detail::attribute(Shape(low.size(), 0)) + "}");
}

/// A constant of `shape`. Throws if an integer dtype cannot hold the number.
inline Tensor full(const Shape &shape, Number value, graphc_dtype dtype = f32,
                   Source source = here()) {
  return detail::broadcastTo(detail::scalar(value, dtype, source), shape,
                             source);
}
/// full() of 0.
inline Tensor zeros(const Shape &shape, graphc_dtype dtype = f32,
                    Source source = here()) {
  return full(shape, 0, dtype, source);
}
/// full() of 1.
inline Tensor ones(const Shape &shape, graphc_dtype dtype = f32,
                   Source source = here()) {
  return full(shape, 1, dtype, source);
}
/// 0, 1, ..., end - 1 as a tensor [end], rounded to `dtype` (any but i1).
inline Tensor arange(int64_t end, graphc_dtype dtype = i64,
                     Source source = here()) {
  return detail::build(source, "graph.iota", {}, "{axis = 0 : i64}", dtype,
                       {end});
}

} // namespace graphc

#endif // GRAPHC_TRACE_SHAPE_HPP
