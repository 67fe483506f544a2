// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products. Sums are taken in f32 for f16 and bf16, in the dtype itself
// for others. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_PRODUCT_HPP
#define GRAPHC_TRACE_PRODUCT_HPP

#include "graphc/trace/broadcast.hpp"

namespace graphc {

/// torch.matmul of two tensors of one dtype, any but i1: [.., m, k] x [.., k,
/// n] is [.., m, n], where the leading dimensions broadcast; an operand of rank
/// 1 is a row on the left, a column on the right, and its dimension of size 1
/// goes. Throws for rank 0, and if dtypes, k or the leading dimensions do not
/// fit.
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

/// x weight^T + bias of floats: `x` [.., in], `weight` [out, in] of the same
/// dtype, `bias` [out] of it or of f32 for f16 and bf16, or undefined; to
/// [.., out]. Throws if they do not fit.
inline Tensor linear(const Operand &x, const Tensor &weight,
                     const Tensor &bias = {}) {
  std::vector<Tensor> operands = {detail::asTensor(x), weight};
  if (bias.defined())
    operands.push_back(bias);
  return detail::build(x.source, "graph.linear", operands);
}

} // namespace graphc

#endif // GRAPHC_TRACE_PRODUCT_HPP
