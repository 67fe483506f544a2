// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations, softmax and dropout. f16 and bf16 compute in f32 and round once.
// Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_ACTIVATIONS_HPP
#define GRAPHC_TRACE_ACTIVATIONS_HPP

#include "graphc/trace/broadcast.hpp"

namespace graphc {

// Of a float tensor, to the same dtype and shape. Each throws for other dtypes.

/// max(x, 0); its derivative at 0 is 0.
inline Tensor relu(const Operand &x) { return detail::unary("graph.relu", x); }
/// 1 / (1 + e^-x), without overflow.
inline Tensor sigmoid(const Operand &x) {
  return detail::unary("graph.sigmoid", x);
}
/// x * sigmoid(x).
inline Tensor silu(const Operand &x) { return detail::unary("graph.silu", x); }
/// `approximate` is "none" (by erf) or "tanh". Throws for other words.
inline Tensor gelu(const Operand &x, const std::string &approximate = "none") {
  return detail::unary("graph.gelu", x,
                       "{approximate = #graph<approximate " + approximate +
                           ">}");
}
/// Positive and of sum 1 along `dim`. Throws if there is no such dimension.
inline Tensor softmax(const Operand &x, int64_t dim = -1) {
  int64_t axis = detail::wrapDim(dim, detail::asTensor(x).dim(), x.source);
  return detail::unary("graph.softmax", x,
                       "{axis = " + detail::attribute(axis) + "}");
}
/// log(softmax(x)), accurate where softmax underflows.
inline Tensor log_softmax(const Operand &x, int64_t dim = -1) {
  int64_t axis = detail::wrapDim(dim, detail::asTensor(x).dim(), x.source);
  return detail::unary("graph.log_softmax", x,
                       "{axis = " + detail::attribute(axis) + "}");
}
/// Zeroes elements with probability `p` in training and scales the rest by
/// 1 / (1 - p); does nothing in evaluation. `mode` is "train" or "eval"; NULL
/// leaves it to what the function is compiled for: a train step trains, others
/// evaluate. Throws unless p is in [0, 1].
inline Tensor dropout(const Operand &x, double p = 0.5,
                      const char *mode = nullptr) {
  std::string attributes = "{p = " + detail::attribute(p);
  if (mode)
    attributes += std::string(", mode = #graph<mode ") + mode + ">";
  return detail::unary("graph.dropout", x, attributes + "}");
}

} // namespace graphc

#endif // GRAPHC_TRACE_ACTIVATIONS_HPP
