// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses. The reduction is "mean", "sum" or "none"; others throw. f16 and bf16
// compute in f32 and round once. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_LOSS_HPP
#define GRAPHC_TRACE_LOSS_HPP

#include "graphc/trace/broadcast.hpp"

namespace graphc {

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
  int64_t ignore_index = -100; // A target that does not count.
  double label_smoothing = 0;  // In [0, 1].
};
/// torch.nn.functional.cross_entropy of float logits, whose classes are in
/// dimension 1 (0 if there is no other), and class numbers: [C] and [], [N, C]
/// and [N], [N, C, d1, ..] and [N, d1, ..], of i64 or i32. Rank 0, or the
/// target's shape when not reduced; the mean is over the targets that count.
/// Throws if they do not fit. A class outside [0, C) fails the step that meets
/// it.
inline Tensor cross_entropy(const Operand &logits, const Tensor &target,
                            const CrossEntropyOptions &options = {}) {
  Tensor x = detail::asTensor(logits);
  if (x.dim() == 0)
    raise(logits.source, "cross_entropy expects logits of rank 1 or more\n"
                         "note: they are " +
                             x.origin());
  Shape expected = x.shape(), order;
  expected.erase(expected.begin() + (x.dim() > 1 ? 1 : 0));
  if (target.defined() && target.shape() != expected)
    raise(logits.source,
          "cross_entropy expects a target of shape " + toString(expected) +
              " for logits of shape " + toString(x.shape()) +
              ", whose classes are in dimension " + (x.dim() > 1 ? "1" : "0") +
              ", but got " + toString(target.shape()) +
              "\nnote: the logits are " + x.origin() +
              "\nnote: the target is " + target.origin());
  if (x.dim() > 2) {
    // graph.cross_entropy has the classes last.
    for (int64_t d = 0; d < x.dim(); ++d)
      if (d != 1)
        order.push_back(d);
    order.push_back(1);
    x = detail::build(logits.source, "graph.transpose", {x},
                      "{permutation = " + detail::attribute(order) + "}");
  }
  return detail::build(
      logits.source, "graph.cross_entropy", {x, target},
      "{" + detail::reduction(options.reduction, logits.source) +
          ", ignore_index = " + detail::attribute(options.ignore_index) +
          ", label_smoothing = " + detail::attribute(options.label_smoothing) +
          "}");
}

// Of two float tensors of one dtype and shape, which do not broadcast; to rank
// 0, or that shape with the reduction "none". Each throws if they differ.

/// Mean of the squared differences.
inline Tensor mse_loss(const Operand &input, const Tensor &target,
                       const std::string &reduction = "mean") {
  return detail::build(input.source, "graph.mse_loss",
                       {detail::asTensor(input), target},
                       "{" + detail::reduction(reduction, input.source) + "}");
}
/// Of probabilities in [0, 1]; logs are clamped at -100, as PyTorch does.
inline Tensor binary_cross_entropy(const Operand &input, const Tensor &target,
                                   const std::string &reduction = "mean") {
  return detail::build(input.source, "graph.binary_cross_entropy",
                       {detail::asTensor(input), target},
                       "{" + detail::reduction(reduction, input.source) + "}");
}
/// The same of logits, without overflow.
inline Tensor
binary_cross_entropy_with_logits(const Operand &input, const Tensor &target,
                                 const std::string &reduction = "mean") {
  return detail::build(input.source, "graph.binary_cross_entropy_with_logits",
                       {detail::asTensor(input), target},
                       "{" + detail::reduction(reduction, input.source) + "}");
}

} // namespace graphc

#endif // GRAPHC_TRACE_LOSS_HPP
