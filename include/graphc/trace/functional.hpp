// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators and functions on traced tensors. Include graphc/trace.hpp.
//
// Elementwise functions of two tensors broadcast as NumPy and PyTorch do. Both
// must have one dtype (cast with to()); a number takes the tensor's, except
// that a floating number makes an integer tensor f32.
#ifndef GRAPHC_TRACE_FUNCTIONAL_HPP
#define GRAPHC_TRACE_FUNCTIONAL_HPP

#include <algorithm>

#include "graphc/trace/literal.hpp"
#include "graphc/trace/tensor.hpp"

namespace graphc {

// ---- Shape
// --------------------------------------------------------------------

namespace detail {
inline int64_t wrapDim(int64_t dim, int64_t rank, const Source &source) {
  int64_t wrapped = dim < 0 ? dim + rank : dim;
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
/// A rank-0 constant.
inline Tensor scalar(const Operand &x, graphc_dtype dtype) {
  if (isFloat(dtype))
    return castTo(
        tensor(x.isInteger ? static_cast<double>(x.integer) : x.number, f64,
               x.source),
        dtype, x.source);
  return castTo(tensor(x.integer, i64, x.source), dtype, x.source);
}
/// The tensor an operand stands for on its own: a number is a rank-0 constant.
inline Tensor asTensor(const Operand &x) {
  return x.isTensor() ? x.tensor : scalar(x, x.isInteger ? i64 : f32);
}

/// Brings two operands to one dtype and shape.
inline std::pair<Tensor, Tensor> unify(const char *name, const Operand &a,
                                       const Operand &b) {
  const Source &source = a.isTensor() ? a.source : b.source;
  auto give = [&](const Operand &x, const Operand &other) {
    if (x.isTensor())
      return !other.isTensor() && !other.isInteger && !isFloat(x.tensor.dtype())
                 ? castTo(x.tensor, f32, source)
                 : x.tensor;
    graphc_dtype dtype = other.isTensor() ? other.tensor.dtype() : f32;
    return scalar(x, !x.isInteger && !isFloat(dtype) ? f32 : dtype);
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

/// Casts: floats round to nearest even, float to integer truncates and
/// saturates.
inline Tensor to(const Operand &x, graphc_dtype dtype) {
  return detail::castTo(detail::asTensor(x), dtype, x.source);
}
/// One size may be -1: what is left.
inline Tensor reshape(const Operand &x, Shape shape) {
  Tensor input = detail::asTensor(x);
  int64_t known = 1, open = -1;
  for (size_t k = 0; k < shape.size(); ++k)
    if (shape[k] == -1 && open < 0)
      open = static_cast<int64_t>(k);
    else
      known *= shape[k];
  if (open >= 0) {
    if (known == 0 || input.numel() % known)
      raise(x.source, "cannot reshape " + toString(input.shape()) + " to " +
                          toString(shape));
    shape[open] = input.numel() / known;
  }
  return detail::reshapeTo(input, shape, x.source);
}
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
inline Tensor permute(const Operand &x, Shape dims) {
  Tensor input = detail::asTensor(x);
  for (int64_t &d : dims)
    d = detail::wrapDim(d, input.dim(), x.source);
  return detail::unary("graph.transpose", x,
                       "{permutation = " + detail::attribute(dims) + "}");
}
inline Tensor transpose(const Operand &x, int64_t dim0, int64_t dim1) {
  int64_t rank = detail::asTensor(x).dim();
  Shape dims(rank);
  for (int64_t d = 0; d < rank; ++d)
    dims[d] = d;
  std::swap(dims[detail::wrapDim(dim0, rank, x.source)],
            dims[detail::wrapDim(dim1, rank, x.source)]);
  return permute(Operand(x), dims);
}
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
/// Elements [start, end) of one dimension, every `step`-th.
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
inline Tensor cat(const std::vector<Tensor> &tensors, int64_t dim = 0,
                  Source source = here()) {
  if (tensors.empty())
    raise(source, "cat expects a tensor");
  int64_t axis = detail::wrapDim(dim, tensors[0].dim(), source);
  return detail::build(source, "graph.concat", tensors,
                       "{axis = " + detail::attribute(axis) + "}");
}
/// Surrounds with `value`: `low[d]` before and `high[d]` after dimension d.
inline Tensor pad(const Operand &x, const Shape &low, const Shape &high,
                  double value = 0) {
  Tensor input = detail::asTensor(x);
  Operand fill(value, x.source.file, x.source.line);
  if (!isFloat(input.dtype()))
    fill = Operand(static_cast<int64_t>(value), x.source.file, x.source.line);
  return detail::build(
      x.source, "graph.pad", {input, detail::scalar(fill, input.dtype())},
      "{low = " + detail::attribute(low) +
          ", high = " + detail::attribute(high) +
          ", interior = " + detail::attribute(Shape(low.size(), 0)) + "}");
}

// ---- Constants
// ------------------------------------------------------------------

inline Tensor full(const Shape &shape, const Operand &value,
                   graphc_dtype dtype = f32) {
  return detail::broadcastTo(detail::scalar(value, dtype), shape, value.source);
}
inline Tensor zeros(const Shape &shape, graphc_dtype dtype = f32,
                    Source source = here()) {
  return full(shape, Operand(0, source.file, source.line), dtype);
}
inline Tensor ones(const Shape &shape, graphc_dtype dtype = f32,
                   Source source = here()) {
  return full(shape, Operand(1, source.file, source.line), dtype);
}
/// 0, 1, ..., end - 1
inline Tensor arange(int64_t end, graphc_dtype dtype = i64,
                     Source source = here()) {
  return detail::build(source, "graph.iota", {}, "{axis = 0 : i64}", dtype,
                       {end});
}

// ---- Elementwise
// ------------------------------------------------------------------

inline Tensor operator+(const Operand &a, const Operand &b) {
  return detail::binary("graph.add", a, b);
}
inline Tensor operator-(const Operand &a, const Operand &b) {
  return detail::binary("graph.sub", a, b);
}
inline Tensor operator*(const Operand &a, const Operand &b) {
  return detail::binary("graph.mul", a, b);
}
/// Integers divide with truncation, unlike PyTorch's true division.
inline Tensor operator/(const Operand &a, const Operand &b) {
  return detail::binary("graph.div", a, b);
}
inline Tensor operator-(const Operand &x) {
  return detail::unary("graph.neg", x);
}
/// Remainder with the sign of the dividend, as C's fmod and %.
inline Tensor fmod(const Operand &a, const Operand &b) {
  return detail::binary("graph.rem", a, b);
}
inline Tensor pow(const Operand &a, const Operand &b) {
  return detail::binary("graph.pow", a, b);
}
inline Tensor maximum(const Operand &a, const Operand &b) {
  return detail::binary("graph.maximum", a, b);
}
inline Tensor minimum(const Operand &a, const Operand &b) {
  return detail::binary("graph.minimum", a, b);
}
inline Tensor logical_and(const Operand &a, const Operand &b) {
  return detail::binary("graph.and", a, b);
}
inline Tensor logical_or(const Operand &a, const Operand &b) {
  return detail::binary("graph.or", a, b);
}
inline Tensor logical_not(const Operand &x) {
  return detail::unary("graph.not", x);
}

namespace detail {
inline Tensor compare(const char *predicate, const Operand &a,
                      const Operand &b) {
  return binary("graph.compare", a, b,
                std::string("{predicate = #graph<predicate ") + predicate +
                    ">}");
}
} // namespace detail
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

/// `a` where `condition` (i1) holds, else `b`; all three broadcast.
inline Tensor where(const Operand &condition, const Operand &a,
                    const Operand &b) {
  auto [x, y] = detail::unify("where", a, b);
  Tensor c = detail::asTensor(condition);
  // The three shapes meet in two steps, through a tensor of the values' dtype.
  Shape shape =
      detail::unify(
          "where",
          Operand(full(c.shape(),
                       Operand(0, condition.source.file, condition.source.line),
                       x.dtype()),
                  condition.source.file, condition.source.line),
          Operand(x, condition.source.file, condition.source.line))
          .first.shape();
  return detail::build(condition.source, "graph.select",
                       {detail::broadcastTo(c, shape, condition.source),
                        detail::broadcastTo(x, shape, condition.source),
                        detail::broadcastTo(y, shape, condition.source)});
}

inline Tensor abs(const Operand &x) { return detail::unary("graph.abs", x); }
inline Tensor sign(const Operand &x) { return detail::unary("graph.sign", x); }
inline Tensor floor(const Operand &x) {
  return detail::unary("graph.floor", x);
}
inline Tensor ceil(const Operand &x) { return detail::unary("graph.ceil", x); }
inline Tensor round(const Operand &x) {
  return detail::unary("graph.round", x);
}
inline Tensor exp(const Operand &x) { return detail::unary("graph.exp", x); }
inline Tensor expm1(const Operand &x) {
  return detail::unary("graph.expm1", x);
}
inline Tensor log(const Operand &x) { return detail::unary("graph.log", x); }
inline Tensor log1p(const Operand &x) {
  return detail::unary("graph.log1p", x);
}
inline Tensor sqrt(const Operand &x) { return detail::unary("graph.sqrt", x); }
inline Tensor rsqrt(const Operand &x) {
  return detail::unary("graph.rsqrt", x);
}
inline Tensor reciprocal(const Operand &x) {
  return detail::unary("graph.reciprocal", x);
}
inline Tensor sin(const Operand &x) { return detail::unary("graph.sin", x); }
inline Tensor cos(const Operand &x) { return detail::unary("graph.cos", x); }
inline Tensor tanh(const Operand &x) { return detail::unary("graph.tanh", x); }
inline Tensor erf(const Operand &x) { return detail::unary("graph.erf", x); }
inline Tensor sigmoid(const Operand &x) {
  return detail::unary("graph.sigmoid", x);
}
inline Tensor relu(const Operand &x) { return detail::unary("graph.relu", x); }
inline Tensor silu(const Operand &x) { return detail::unary("graph.silu", x); }
/// `approximate` is "none" or "tanh".
inline Tensor gelu(const Operand &x, const std::string &approximate = "none") {
  return detail::unary("graph.gelu", x,
                       "{approximate = #graph<approximate " + approximate +
                           ">}");
}
inline Tensor clamp(const Operand &x, double min, double max) {
  return detail::unary("graph.clamp", x,
                       "{low = " + detail::attribute(min) +
                           ", high = " + detail::attribute(max) + "}");
}
inline Tensor isfinite(const Operand &x) {
  return detail::unary("graph.is_finite", x);
}
inline Tensor isnan(const Operand &x) {
  return detail::unary("graph.is_nan", x);
}
/// `x` itself, through which no gradient flows.
inline Tensor detach(const Operand &x) {
  return detail::unary("graph.stop_gradient", x);
}

// ---- Reductions: an empty `dims` means all
// ------------------------------------------

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
inline Tensor argReduce(const char *op, const Operand &x, int64_t dim,
                        bool keepdim) {
  Tensor input = asTensor(x);
  int64_t axis = wrapDim(dim, input.dim(), x.source);
  Tensor result = unary(op, x, "{axis = " + attribute(axis) + "}");
  if (!keepdim)
    return result;
  Shape shape = input.shape();
  shape[axis] = 1;
  return reshapeTo(result, shape, x.source);
}
} // namespace detail
inline Tensor sum(const Operand &x, const Shape &dims = {},
                  bool keepdim = false) {
  return detail::reduce("graph.reduce_sum", x, dims, keepdim);
}
inline Tensor mean(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_mean", x, dims, keepdim);
}
inline Tensor amax(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_max", x, dims, keepdim);
}
inline Tensor amin(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_min", x, dims, keepdim);
}
inline Tensor prod(const Operand &x, const Shape &dims = {},
                   bool keepdim = false) {
  return detail::reduce("graph.reduce_prod", x, dims, keepdim);
}
inline Tensor argmax(const Operand &x, int64_t dim = -1, bool keepdim = false) {
  return detail::argReduce("graph.argmax", x, dim, keepdim);
}
inline Tensor argmin(const Operand &x, int64_t dim = -1, bool keepdim = false) {
  return detail::argReduce("graph.argmin", x, dim, keepdim);
}

// ---- Products
// -------------------------------------------------------------------------

/// As torch.matmul: rank 1 operands are vectors, leading dimensions broadcast.
inline Tensor matmul(const Operand &a, const Operand &b) {
  Tensor x = detail::asTensor(a), y = detail::asTensor(b);
  const Source &source = a.source;
  if (x.dim() == 0 || y.dim() == 0)
    raise(source, "matmul expects operands of rank 1 or more\nnote: left is " +
                      x.origin() + "\nnote: right is " + y.origin());
  bool vectorLeft = x.dim() == 1, vectorRight = y.dim() == 1;
  if (vectorLeft)
    x = detail::reshapeTo(x, {1, x.size(0)}, source);
  if (vectorRight)
    y = detail::reshapeTo(y, {y.size(0), 1}, source);
  auto lead = [](const Tensor &t) {
    return Shape(t.shape().begin(), t.shape().end() - 2);
  };
  Shape xLead = lead(x), yLead = lead(y), batch;
  size_t rank = std::max(xLead.size(), yLead.size());
  for (size_t k = 0; k < rank; ++k) {
    auto size = [&](const Shape &s) {
      return k < rank - s.size() ? 1 : s[k - (rank - s.size())];
    };
    int64_t m = size(xLead), n = size(yLead);
    if (m != n && m != 1 && n != 1)
      raise(source,
            "matmul expects leading dimensions that broadcast, but got " +
                toString(x.shape()) + " and " + toString(y.shape()) +
                "\nnote: left is " + x.origin() + "\nnote: right is " +
                y.origin());
    batch.push_back(m == 1 ? n : m);
  }
  auto spread = [&](const Tensor &t) {
    Shape shape = batch;
    shape.insert(shape.end(), t.shape().end() - 2, t.shape().end());
    return detail::broadcastTo(t, shape, source);
  };
  x = spread(x), y = spread(y);
  Shape batching;
  for (size_t k = 0; k < rank; ++k)
    batching.push_back(static_cast<int64_t>(k));
  int64_t last = static_cast<int64_t>(rank);
  Tensor result = detail::build(
      source, "graph.dot_general", {x, y},
      "{lhs_batching = " + detail::attribute(batching) +
          ", rhs_batching = " + detail::attribute(batching) +
          ", lhs_contracting = " + detail::attribute(Shape{last + 1}) +
          ", rhs_contracting = " + detail::attribute(Shape{last}) + "}");
  if (vectorLeft || vectorRight) {
    Shape shape = batch;
    if (!vectorLeft)
      shape.push_back(x.size(-2));
    if (!vectorRight)
      shape.push_back(y.size(-1));
    result = detail::reshapeTo(result, shape, source);
  }
  return result;
}
/// x * weight^T + bias, `weight` [out, in], `bias` [out] or undefined.
inline Tensor linear(const Operand &x, const Tensor &weight,
                     const Tensor &bias = {}) {
  std::vector<Tensor> operands = {detail::asTensor(x), weight};
  if (bias.defined())
    operands.push_back(bias);
  return detail::build(x.source, "graph.linear", operands);
}

// ---- Softmax, losses, dropout
// -----------------------------------------------------------

inline Tensor softmax(const Operand &x, int64_t dim = -1) {
  int64_t axis = detail::wrapDim(dim, detail::asTensor(x).dim(), x.source);
  return detail::unary("graph.softmax", x,
                       "{axis = " + detail::attribute(axis) + "}");
}
inline Tensor log_softmax(const Operand &x, int64_t dim = -1) {
  int64_t axis = detail::wrapDim(dim, detail::asTensor(x).dim(), x.source);
  return detail::unary("graph.log_softmax", x,
                       "{axis = " + detail::attribute(axis) + "}");
}

namespace detail {
inline std::string reduction(const std::string &name, const Source &source) {
  if (name != "mean" && name != "sum" && name != "none")
    raise(source,
          "expects the reduction mean, sum or none, but got '" + name + "'");
  return "reduction = #graph<reduction " + name + ">";
}
} // namespace detail

struct CrossEntropyOptions {
  std::string reduction = "mean";
  int64_t ignore_index = -100;
  double label_smoothing = 0;
};
/// Cross entropy of logits [..., classes] and class numbers [...] (i64 or i32).
inline Tensor cross_entropy(const Operand &logits, const Tensor &target,
                            const CrossEntropyOptions &options = {}) {
  return detail::build(
      logits.source, "graph.cross_entropy", {detail::asTensor(logits), target},
      "{" + detail::reduction(options.reduction, logits.source) +
          ", ignore_index = " + detail::attribute(options.ignore_index) +
          ", label_smoothing = " + detail::attribute(options.label_smoothing) +
          "}");
}
inline Tensor mse_loss(const Operand &input, const Tensor &target,
                       const std::string &reduction = "mean") {
  return detail::build(input.source, "graph.mse_loss",
                       {detail::asTensor(input), target},
                       "{" + detail::reduction(reduction, input.source) + "}");
}
/// Of probabilities; logs are clamped at -100 as PyTorch does.
inline Tensor binary_cross_entropy(const Operand &input, const Tensor &target,
                                   const std::string &reduction = "mean") {
  return detail::build(input.source, "graph.binary_cross_entropy",
                       {detail::asTensor(input), target},
                       "{" + detail::reduction(reduction, input.source) + "}");
}
inline Tensor
binary_cross_entropy_with_logits(const Operand &input, const Tensor &target,
                                 const std::string &reduction = "mean") {
  return detail::build(input.source, "graph.binary_cross_entropy_with_logits",
                       {detail::asTensor(input), target},
                       "{" + detail::reduction(reduction, input.source) + "}");
}
/// Zeroes elements with probability `p` in training and scales the rest.
inline Tensor dropout(const Operand &x, double p, const char *mode = nullptr) {
  std::string attributes = "{p = " + detail::attribute(p);
  if (mode)
    attributes += std::string(", mode = #graph<mode ") + mode + ">";
  return detail::unary("graph.dropout", x, attributes + "}");
}

} // namespace graphc

#endif // GRAPHC_TRACE_FUNCTIONAL_HPP
