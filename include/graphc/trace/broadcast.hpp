// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of tensors have in common: dimensions, broadcasting, numbers
// as tensors. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_BROADCAST_HPP
#define GRAPHC_TRACE_BROADCAST_HPP

#include <algorithm>

#include "graphc/trace/literal.hpp"

namespace graphc {

namespace detail {
inline int64_t wrapDim(int64_t dim, int64_t rank, const Source &source) {
  int64_t wrapped = dim < 0 ? dim + rank : dim;
  if (rank == 0)
    raise(source, "expects a tensor of rank 1 or more for dimension " +
                      std::to_string(dim) + ", but got rank 0");
  if (wrapped < 0 || wrapped >= rank)
    raise(source, "expects a dimension in [" + std::to_string(-rank) + ", " +
                      std::to_string(rank - 1) + "], but got " +
                      std::to_string(dim));
  return wrapped;
}
inline Shape wrapDims(Shape dims, int64_t rank, const Source &source) {
  if (dims.empty())
    for (int64_t d = 0; d < rank; ++d)
      dims.push_back(d);
  for (int64_t &d : dims)
    d = wrapDim(d, rank, source);
  std::sort(dims.begin(), dims.end());
  if (std::adjacent_find(dims.begin(), dims.end()) != dims.end())
    raise(source, "a dimension is given twice in " + toString(dims));
  return dims;
}
inline Tensor reshapeTo(const Tensor &x, const Shape &shape,
                        const Source &source) {
  if (x.shape() == shape)
    return x;
  return build(source, "graph.reshape", {x}, "", x.dtype(), shape);
}
inline Tensor broadcastTo(const Tensor &x, const Shape &shape,
                          const Source &source) {
  if (x.shape() == shape)
    return x;
  size_t missing = shape.size() - x.shape().size();
  Shape kept, dims;
  for (size_t k = 0; k < x.shape().size(); ++k)
    if (x.shape()[k] == shape[k + missing]) {
      kept.push_back(x.shape()[k]);
      dims.push_back(static_cast<int64_t>(k + missing));
    }
  return build(source, "graph.broadcast", {reshapeTo(x, kept, source)},
               "{dims = " + attribute(dims) + "}", x.dtype(), shape);
}
inline Tensor castTo(const Tensor &x, graphc_dtype dtype,
                     const Source &source) {
  if (x.dtype() == dtype)
    return x;
  return build(source, "graph.cast", {x}, "", dtype, x.shape());
}
/// A rank-0 constant. Throws if an integer dtype cannot hold the number.
inline Tensor scalar(const Number &number, graphc_dtype dtype,
                     const Source &source) {
  if (dtype == f16 || dtype == bf16)
    return castTo(tensor(number, f64, source), dtype, source);
  return tensor(number, dtype, source);
}
/// The tensor an operand stands for on its own: a number is a rank-0 constant.
inline Tensor asTensor(const Operand &x) {
  if (x.isTensor())
    return x.tensor;
  return scalar(x.number, x.number.isInteger ? i64 : f32, x.source);
}

/// Brings two operands to one dtype and shape.
inline std::pair<Tensor, Tensor> unify(const char *name, const Operand &a,
                                       const Operand &b) {
  const Source &source = a.isTensor() ? a.source : b.source;
  auto give = [&](const Operand &x, const Operand &other) {
    if (x.isTensor())
      return !other.isTensor() && !other.number.isInteger &&
                     !isFloat(x.tensor.dtype())
                 ? castTo(x.tensor, f32, source)
                 : x.tensor;
    graphc_dtype dtype = other.isTensor() ? other.tensor.dtype() : f32;
    return scalar(x.number,
                  !x.number.isInteger && !isFloat(dtype) ? f32 : dtype,
                  x.source);
  };
  Tensor x = give(a, b), y = give(b, a);
  auto sides = [&] {
    return "\nnote: left is " + x.origin() + "\nnote: right is " + y.origin();
  };
  if (x.dtype() != y.dtype())
    raise(source, std::string(name) +
                      " expects one dtype, but got two; cast one "
                      "with to()" +
                      sides());
  Shape shape;
  size_t rank = std::max(x.shape().size(), y.shape().size());
  for (size_t k = 0; k < rank; ++k) {
    auto size = [&](const Tensor &t) {
      size_t missing = rank - t.shape().size();
      return k < missing ? 1 : t.shape()[k - missing];
    };
    int64_t m = size(x), n = size(y);
    if (m != n && m != 1 && n != 1)
      raise(source,
            std::string(name) + " expects shapes that broadcast, but got " +
                toString(x.shape()) + " and " + toString(y.shape()) + sides());
    shape.push_back(m == 1 ? n : m);
  }
  return {broadcastTo(x, shape, source), broadcastTo(y, shape, source)};
}
inline Tensor binary(const char *op, const Operand &a, const Operand &b,
                     const std::string &attributes = "") {
  auto [x, y] = unify(op, a, b);
  return build(a.isTensor() ? a.source : b.source, op, {x, y}, attributes);
}
inline Tensor unary(const char *op, const Operand &x,
                    const std::string &attributes = "") {
  return build(x.source, op, {asTensor(x)}, attributes);
}
} // namespace detail

} // namespace graphc

#endif // GRAPHC_TRACE_BROADCAST_HPP
