// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_ATTENTION_HPP
#define GRAPHC_TRACE_ATTENTION_HPP

#include <cmath>
#include <optional>

#include "graphc/trace/activations.hpp"
#include "graphc/trace/arithmetic.hpp"
#include "graphc/trace/norm.hpp"
#include "graphc/trace/product.hpp"
#include "graphc/trace/reduce.hpp"

namespace graphc {

namespace detail {
/// [L, S] of true where key j is at most query i.
inline Tensor lowerTriangle(int64_t rows, int64_t columns,
                            const Source &source) {
  auto indices = [&](int64_t axis) {
    return build(source, "graph.iota", {}, "{axis = " + attribute(axis) + "}",
                 i64, {rows, columns});
  };
  return compare("ge", Operand(indices(0), source),
                 Operand(indices(1), source));
}
/// Softmax, where a row of -inf gives 0, then dropout, then the values: what
/// graph.attention cannot do, as it has no dropout.
inline Tensor attentionWithDropout(const Tensor &q, const Tensor &k,
                                   const Tensor &v, const Tensor &mask,
                                   double scale, double dropout_p,
                                   const char *mode, const Source &source) {
  auto of = [&](const Tensor &x) { return Operand(x, source); };
  int64_t rank = q.dim();
  Tensor scores = matmul(of(q), of(transpose(of(k), rank - 2, rank - 1)));
  scores = binary("graph.mul", of(scores), Operand(Number(scale), source));
  Operand masked(Number(-INFINITY), source), zero(Number(0), source);
  if (mask.defined())
    scores = mask.dtype() == i1 ? where(of(mask), of(scores), masked)
                                : binary("graph.add", of(scores), of(mask));
  Tensor none = eq(of(amax(of(scores), {-1}, true)), masked);
  Tensor weights = where(of(none), zero, of(softmax(of(scores), -1)));
  return matmul(of(dropout(of(weights), dropout_p, mode)), of(v));
}
inline Tensor attention(const Tensor &q, const Tensor &k, const Tensor &v,
                        const Tensor &mask, bool isCausal,
                        std::optional<double> scale, const Source &source) {
  std::vector<Tensor> operands = {q, k, v};
  if (mask.defined())
    operands.push_back(mask);
  std::string attributes;
  if (isCausal)
    attributes = "causal";
  if (scale)
    attributes +=
        std::string(isCausal ? ", " : "") + "scale = " + attribute(*scale);
  return build(source, "graph.attention", operands, "{" + attributes + "}");
}
} // namespace detail

/// torch.nn.functional.scaled_dot_product_attention: softmax(scale q k^T +
/// mask) v of `query` [.., H, L, E], `key` [.., H, S, E], `value` [.., H, S, Ev]
/// of one float dtype and equal leading dimensions; to [.., H, L, Ev].
/// `attn_mask` broadcasts to [.., H, L, S] at the right: i1 (true takes part) or
/// float (added; of the dtype, or f32 for f16 and bf16). A query that no key
/// takes part with gives 0. `is_causal` lets query i see keys up to i, without a
/// mask. `scale` is 1 / sqrt(E) by default. With `enable_gqa` keys and values
/// may have fewer heads, which divide those of the queries. `dropout_p` is
/// applied to the weights in training (see dropout()). Throws if they do not
/// fit.
inline Tensor scaled_dot_product_attention(
    const Operand &query, const Operand &key, const Operand &value,
    const Tensor &attn_mask = {}, double dropout_p = 0, bool is_causal = false,
    std::optional<double> scale = {}, bool enable_gqa = false,
    const char *mode = nullptr) {
  Tensor q = detail::asTensor(query), k = detail::asTensor(key),
         v = detail::asTensor(value), mask = attn_mask;
  const Source &source = query.source;
  auto fail = [&](const std::string &message) {
    raise(source, "scaled_dot_product_attention expects " + message +
                      "\nnote: query is " + q.origin() + "\nnote: key is " +
                      k.origin() + "\nnote: value is " + v.origin());
  };
  if (q.dim() < 2 || k.dim() != q.dim() || v.dim() != q.dim())
    fail("tensors of one rank of 2 or more");
  if (is_causal && mask.defined())
    fail("no attn_mask with is_causal");
  int64_t rank = q.dim(), rows = q.size(-2), keys = k.size(-2);
  if (!enable_gqa && rank > 2 && q.size(-3) != k.size(-3))
    fail("as many heads of key as of query, or enable_gqa");
  // graph.attention aligns the last query with the last key; PyTorch the first
  // ones.
  bool aligned = rows == keys;
  if (is_causal && (!aligned || dropout_p != 0))
    mask = detail::lowerTriangle(rows, keys, source);
  if (dropout_p == 0)
    return detail::attention(q, k, v, mask, is_causal && aligned, scale,
                             source);
  if (rank > 2 && q.size(-3) != k.size(-3)) {
    // A head of keys for each head of queries.
    if (k.size(-3) == 0 || q.size(-3) % k.size(-3) != 0)
      fail("a number of heads that those of key divide");
    int64_t group = q.size(-3) / k.size(-3);
    auto repeat = [&](const Tensor &x) {
      Shape with = x.shape(), grown, merged = x.shape();
      with.insert(with.end() - 2, 1);
      grown = with;
      grown[grown.size() - 3] = group;
      merged[merged.size() - 3] = q.size(-3);
      return detail::reshapeTo(
          detail::broadcastTo(detail::reshapeTo(x, with, source), grown,
                              source),
          merged, source);
    };
    k = repeat(k);
    v = repeat(v);
  }
  double factor =
      scale ? *scale : 1 / std::sqrt(static_cast<double>(q.size(-1)));
  return detail::attentionWithDropout(q, k, v, mask, factor, dropout_p, mode,
                                      source);
}

} // namespace graphc

#endif // GRAPHC_TRACE_ATTENTION_HPP
