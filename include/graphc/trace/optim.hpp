// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers of training steps, by torch.optim's names and defaults. Include
// graphc/trace.hpp.
#ifndef GRAPHC_TRACE_OPTIM_HPP
#define GRAPHC_TRACE_OPTIM_HPP

#include "graphc/trace/tensor.hpp"

#include <string>
#include <utility>
#include <vector>

namespace graphc {
namespace detail {
template <class Options>
std::string adamText(const char *name, double lr, const Options &options) {
  return std::string(name) + "<lr = " + number(lr) +
         ", beta1 = " + number(options.betas.first) +
         ", beta2 = " + number(options.betas.second) +
         ", eps = " + number(options.eps) +
         ", weight_decay = " + number(options.weight_decay) +
         ", amsgrad = " + (options.amsgrad ? "true" : "false") + ">";
}
/// As MLIR writes strings.
inline std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}
} // namespace detail

namespace optim {

/// An optimizer attribute as text, "#graph.sgd<lr = 0.1>". Errors in its numbers
/// are reported where the step is traced.
class Optimizer {
public:
  /// For optimizers of other dialects.
  explicit Optimizer(std::string text) : text_(std::move(text)) {}
  const std::string &text() const { return text_; }

private:
  std::string text_;
};

struct SGDOptions {
  double momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
};
/// torch.optim.SGD. Its state is named `momentum_buffer`.
struct SGD : Optimizer {
  explicit SGD(double lr, SGDOptions options = {})
      : Optimizer("#graph.sgd<lr = " + detail::number(lr) +
                  ", momentum = " + detail::number(options.momentum) +
                  ", dampening = " + detail::number(options.dampening) +
                  ", weight_decay = " + detail::number(options.weight_decay) +
                  ", nesterov = " + (options.nesterov ? "true" : "false") +
                  ">") {}
};

struct AdamOptions {
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 0;
  bool amsgrad = false;
};
struct AdamWOptions {
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 0.01;
  bool amsgrad = false;
};
/// torch.optim.Adam: weight decay is part of the gradient. Its state is named
/// `exp_avg`, `exp_avg_sq` and `max_exp_avg_sq`.
struct Adam : Optimizer {
  explicit Adam(double lr = 1e-3, const AdamOptions &options = {})
      : Optimizer(detail::adamText("#graph.adam", lr, options)) {}
};
/// torch.optim.AdamW: weight decay scales the parameter.
struct AdamW : Optimizer {
  explicit AdamW(double lr = 1e-3, const AdamWOptions &options = {})
      : Optimizer(detail::adamText("#graph.adamw", lr, options)) {}
};

/// Parameters, by their names in the model, with an optimizer of their own. Its
/// learning rate is a variable of its own, `<step>.group<k>.lr`, if it differs
/// from that of the step's optimizer.
struct ParamGroup {
  std::vector<std::string> params;
  Optimizer optimizer;
};

} // namespace optim

/// What a training step does beside its optimizer's update.
struct TrainOptions {
  /// Parameters in no group are the step's own optimizer's.
  std::vector<optim::ParamGroup> groups;
  /// As torch.nn.utils.clip_grad_norm_: scales all gradients so that their
  /// common norm is at most this. 0: no limit.
  double clip_norm = 0;
  /// As torch.nn.utils.clip_grad_value_: clamps each element. 0: no limit. Not
  /// together with clip_norm.
  double clip_value = 0;
  /// Micro-batches of a step: dimension 0 of each of its arguments of rank 1 or
  /// more is this many times that of the loss function, which sees one slice
  /// after the other. Gradients and loss are means over them.
  int64_t accumulate = 1;
  /// The loss function returns a sum and its weight, such as the number of
  /// tokens, as its first two results; the step divides once, after adding up
  /// both. So micro-batches of unequal weight count as one batch.
  bool weighted = false;
};

namespace detail {
/// `[#graph.param_group<[@"a.bias"], #graph.adamw<...>>]`; "" for no groups.
inline std::string groupsText(const std::vector<optim::ParamGroup> &groups) {
  std::string text;
  for (const optim::ParamGroup &group : groups) {
    std::string params;
    for (const std::string &param : group.params)
      params += (params.empty() ? "@" : ", @") + quoted(param);
    text += (text.empty() ? "[" : ", ") + ("#graph.param_group<[" + params) +
            "], " + group.optimizer.text() + ">";
  }
  return text.empty() ? text : text + "]";
}
} // namespace detail
} // namespace graphc

#endif // GRAPHC_TRACE_OPTIM_HPP
