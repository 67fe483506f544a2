// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations of float tensors. Statistics of f16 and bf16 are taken in f32
// and each result is rounded once. Weights, biases and running statistics have
// the input's dtype, or f32 for f16 and bf16; undefined ones are left out.
// Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_NORM_HPP
#define GRAPHC_TRACE_NORM_HPP

#include <optional>
#include <tuple>

#include "graphc/trace/logic.hpp"

namespace graphc {

namespace detail {
/// Which optional operands are there, as an op with several of them needs it.
inline std::string segments(const std::vector<bool> &present) {
  std::string text = "operandSegmentSizes = array<i32";
  for (size_t k = 0; k < present.size(); ++k)
    text += std::string(k ? ", " : ": ") + (present[k] ? "1" : "0");
  return text + ">";
}
inline std::string mode(const std::optional<bool> &training) {
  if (!training)
    return "";
  return std::string(", mode = #graph<mode ") +
         (*training ? "train>" : "eval>");
}
/// What each norm does with weight and bias: a bias alone meets a weight of 1.
inline std::pair<std::vector<Tensor>, std::string>
affine(std::vector<Tensor> operands, Tensor weight, const Tensor &bias,
       const Source &source) {
  std::vector<bool> present(operands.size(), true);
  if (bias.defined() && !weight.defined())
    weight = full(bias.shape(), 1, bias.dtype(), source);
  for (const Tensor &parameter : {weight, bias}) {
    present.push_back(parameter.defined());
    if (parameter.defined())
      operands.push_back(parameter);
  }
  return {operands, segments(present)};
}
inline std::string normalizedRank(const char *name, const Tensor &x,
                                  const Shape &shape, const Source &source) {
  bool fits = !shape.empty() && shape.size() <= x.shape().size() &&
              std::equal(shape.rbegin(), shape.rend(), x.shape().rbegin());
  if (!fits)
    raise(source, std::string(name) + " expects the last dimensions to be " +
                      toString(shape) + ", but got " + toString(x.shape()) +
                      "\nnote: it is " + x.origin());
  return "normalized_rank = " + attribute(static_cast<int64_t>(shape.size()));
}
} // namespace detail

/// torch.nn.functional.layer_norm: mean 0 and variance 1 over the last
/// dimensions, which are `normalized_shape`; then times `weight` and plus
/// `bias` of that shape. Throws if they do not fit.
inline Tensor layer_norm(const Operand &input, const Shape &normalized_shape,
                         const Tensor &weight = {}, const Tensor &bias = {},
                         double eps = 1e-5) {
  Tensor x = detail::asTensor(input);
  std::string rank =
      detail::normalizedRank("layer_norm", x, normalized_shape, input.source);
  auto [operands, sizes] = detail::affine({x}, weight, bias, input.source);
  return detail::build(input.source, "graph.layer_norm", operands,
                       "{" + rank + ", eps = " + detail::attribute(eps) + ", " +
                           sizes + "}");
}

/// torch.nn.functional.rms_norm: x / sqrt(mean of squares + eps) over the last
/// dimensions, times `weight`. Without `eps`, the epsilon of the dtype. Throws
/// if they do not fit.
inline Tensor rms_norm(const Operand &input, const Shape &normalized_shape,
                       const Tensor &weight = {},
                       std::optional<double> eps = {}) {
  Tensor x = detail::asTensor(input);
  if (!eps)
    eps = x.dtype() == f64    ? 0x1p-52
          : x.dtype() == f16  ? 0x1p-10
          : x.dtype() == bf16 ? 0x1p-7
                              : 0x1p-23;
  std::vector<Tensor> operands = {x};
  if (weight.defined())
    operands.push_back(weight);
  return detail::build(input.source, "graph.rms_norm", operands,
                       "{" +
                           detail::normalizedRank(
                               "rms_norm", x, normalized_shape, input.source) +
                           ", eps = " + detail::attribute(*eps) + "}");
}

/// torch.nn.functional.group_norm of [N, C, ..]: mean 0 and variance 1 over
/// each of `num_groups` groups of channels of each sample; then times `weight`
/// and plus `bias`, both [C]. Throws unless `num_groups` divides C.
inline Tensor group_norm(const Operand &input, int64_t num_groups,
                         const Tensor &weight = {}, const Tensor &bias = {},
                         double eps = 1e-5) {
  auto [operands, sizes] =
      detail::affine({detail::asTensor(input)}, weight, bias, input.source);
  return detail::build(input.source, "graph.group_norm", operands,
                       "{groups = " + detail::attribute(num_groups) +
                           ", eps = " + detail::attribute(eps) + ", " + sizes +
                           "}");
}

/// torch.nn.functional.batch_norm of [N, C, ..], but that the new running
/// statistics are results, to be kept by Parameter::set(): in training (each
/// channel at mean 0 and variance 1 over this batch) the moving averages, in
/// evaluation (by the running statistics) those given. `training` left open is
/// what the function is compiled for: a train step trains, others evaluate. No
/// gradient flows through the statistics. Throws in training if a channel has
/// fewer than two values; a mode left open throws so when it is compiled.
inline std::tuple<Tensor, Tensor, Tensor>
batch_norm(const Operand &input, const Tensor &running_mean,
           const Tensor &running_var, const Tensor &weight = {},
           const Tensor &bias = {}, std::optional<bool> training = {},
           double momentum = 0.1, double eps = 1e-5) {
  Tensor x = detail::asTensor(input);
  if (!running_mean.defined() || !running_var.defined())
    raise(input.source, "batch_norm expects running statistics");
  auto [operands, sizes] = detail::affine({x, running_mean, running_var},
                                          weight, bias, input.source);
  std::vector<Tensor> results =
      detail::buildMany(input.source, "graph.batch_norm", operands,
                        "{momentum = " + detail::attribute(momentum) +
                            ", eps = " + detail::attribute(eps) + ", " + sizes +
                            detail::mode(training) + "}",
                        {{x.dtype(), x.shape()},
                         {running_mean.dtype(), running_mean.shape()},
                         {running_var.dtype(), running_var.shape()}});
  return {results[0], results[1], results[2]};
}

/// Whether this is training: an i1 of rank 0, false in evaluation. `training`
/// left open is what the function is compiled for.
inline Tensor is_training(std::optional<bool> training = {},
                          Source source = here()) {
  std::string mode = detail::mode(training);
  return detail::build(source, "graph.is_training", {},
                       mode.empty() ? "" : "{" + mode.substr(2) + "}");
}

} // namespace graphc

#endif // GRAPHC_TRACE_NORM_HPP
