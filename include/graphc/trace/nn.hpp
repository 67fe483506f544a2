// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers. Include graphc/trace.hpp.
//
//   struct Net : nn::Module {
//     nn::Sequential layers = register_module("layers", nn::Sequential(
//         nn::Linear(2, 30), nn::ReLU(), nn::Linear(30, 2)));
//     Tensor forward(const Tensor &x) override { return layers(x); }
//   };
//
// nn::Linear and the like are handles that share one module, so they copy
// cheaply. A module of your own is a class derived from nn::Module; put it in a
// Sequential, or register it, through std::make_shared.
#ifndef GRAPHC_TRACE_NN_HPP
#define GRAPHC_TRACE_NN_HPP

#include <charconv>
#include <cmath>

#include "graphc/trace/module.hpp"

namespace graphc::nn {

namespace detail {
class LibraryModule : public Module {
  bool isLibrary() const override { return true; }
};
/// As Python prints a float: shortest, in scientific form below 1e-4 and from
/// 1e16.
inline std::string pythonNumber(double value) {
  double size = std::fabs(value);
  bool isFixed = size == 0 || (size >= 1e-4 && size < 1e16);
  char text[32];
  char *end = std::to_chars(text, text + sizeof(text), value,
                            isFixed ? std::chars_format::fixed
                                    : std::chars_format::scientific)
                  .ptr;
  std::string result(text, end);
  if (isFixed && result.find('.') == std::string::npos)
    result += ".0";
  return result;
}
inline std::string flag(bool value) { return value ? "True" : "False"; }

inline std::string uniformWithin(double bound) {
  return "#graph.uniform<" + graphc::detail::number(-bound) + ", " +
         graphc::detail::number(bound) + ">";
}
inline double rootOf(int64_t fanIn) {
  return fanIn > 0 ? std::sqrt(static_cast<double>(fanIn)) : INFINITY;
}
/// Uniform on +-1/sqrt(fanIn).
inline std::string uniformInverseRoot(int64_t fanIn) {
  return uniformWithin(1 / rootOf(fanIn));
}
/// The same, by the operations of kaiming_uniform_ with a = sqrt(5), for
/// PyTorch's last bits.
inline std::string kaimingUniform(int64_t fanIn) {
  double slope = std::sqrt(5.0);
  double deviation = std::sqrt(2.0 / (1 + slope * slope)) / rootOf(fanIn);
  return uniformWithin(std::sqrt(3.0) * deviation);
}

struct LinearImpl final : LibraryModule {
  LinearImpl(int64_t in, int64_t out, bool bias, graphc_dtype dtype,
             Source source)
      : in(in), out(out), hasBias(bias) {
    if (in < 0 || out < 0)
      raise(source, "Linear expects sizes of 0 or more, but got " +
                        std::to_string(in) + " and " + std::to_string(out));
    weight =
        register_parameter("weight", Parameter({out, in}, kaimingUniform(in),
                                               dtype, true, source));
    if (bias)
      this->bias =
          register_parameter("bias", Parameter({out}, uniformInverseRoot(in),
                                               dtype, true, source));
  }
  Tensor forward(const Tensor &x) override { return linear(x, weight, bias); }
  std::string name() const override { return "Linear"; }
  std::string extra_repr() const override {
    return "in_features=" + std::to_string(in) +
           ", out_features=" + std::to_string(out) + ", bias=" + flag(hasBias);
  }
  int64_t in, out;
  bool hasBias;
  Parameter weight, bias;
};

struct FunctionImpl final : LibraryModule {
  using Function = Tensor (*)(const Operand &);
  FunctionImpl(const char *text, Function function)
      : text(text), function(function) {}
  Tensor forward(const Tensor &x) override { return function(x); }
  std::string name() const override { return text; }
  const char *text;
  Function function;
};

struct GELUImpl final : LibraryModule {
  explicit GELUImpl(std::string approximate)
      : approximate(std::move(approximate)) {}
  Tensor forward(const Tensor &x) override { return gelu(x, approximate); }
  std::string name() const override { return "GELU"; }
  std::string extra_repr() const override {
    return "approximate='" + approximate + "'";
  }
  std::string approximate;
};

struct SoftmaxImpl final : LibraryModule {
  SoftmaxImpl(int64_t dim, bool log) : dim(dim), log(log) {}
  Tensor forward(const Tensor &x) override {
    return log ? log_softmax(x, dim) : softmax(x, dim);
  }
  std::string name() const override { return log ? "LogSoftmax" : "Softmax"; }
  std::string extra_repr() const override {
    return "dim=" + std::to_string(dim);
  }
  int64_t dim;
  bool log;
};

struct DropoutImpl final : LibraryModule {
  DropoutImpl(double p, Source source) : p(p) {
    if (!(p >= 0 && p <= 1))
      raise(source, "Dropout expects a probability in [0, 1], but got " +
                        graphc::detail::number(p));
  }
  Tensor forward(const Tensor &x) override {
    return dropout(x, p,
                   training() ? (*training() ? "train" : "eval") : nullptr);
  }
  std::string name() const override { return "Dropout"; }
  std::string extra_repr() const override {
    return "p=" + pythonNumber(p) + ", inplace=False";
  }
  double p;
};

struct FlattenImpl final : LibraryModule {
  FlattenImpl(int64_t start, int64_t end) : start(start), end(end) {}
  Tensor forward(const Tensor &x) override { return flatten(x, start, end); }
  std::string name() const override { return "Flatten"; }
  std::string extra_repr() const override {
    return "start_dim=" + std::to_string(start) +
           ", end_dim=" + std::to_string(end);
  }
  int64_t start, end;
};

struct SequentialImpl final : LibraryModule {
  void push(std::shared_ptr<Module> module) {
    register_module(std::to_string(named_children().size()), std::move(module));
  }
  Tensor forward(const Tensor &x) override {
    Tensor value = x;
    for (const auto &child : named_children())
      value = child.second->call(value, here()); // Unless a call led here.
    return value;
  }
  std::string name() const override { return "Sequential"; }
};
} // namespace detail

/// y = x weight^T + bias; weight [out_features, in_features], bias
/// [out_features], both uniform on +-1/sqrt(in_features).
struct Linear : Handle<detail::LinearImpl> {
  Linear() = default;
  Linear(int64_t in_features, int64_t out_features, bool bias = true,
         graphc_dtype dtype = f32, Source source = here())
      : Handle(std::make_shared<detail::LinearImpl>(in_features, out_features,
                                                    bias, dtype, source)) {}
};
struct ReLU : Handle<detail::FunctionImpl> {
  ReLU() : Handle(std::make_shared<detail::FunctionImpl>("ReLU", relu)) {}
};
struct SiLU : Handle<detail::FunctionImpl> {
  SiLU() : Handle(std::make_shared<detail::FunctionImpl>("SiLU", silu)) {}
};
struct Sigmoid : Handle<detail::FunctionImpl> {
  Sigmoid()
      : Handle(std::make_shared<detail::FunctionImpl>("Sigmoid", sigmoid)) {}
};
struct Tanh : Handle<detail::FunctionImpl> {
  Tanh() : Handle(std::make_shared<detail::FunctionImpl>("Tanh", tanh)) {}
};
struct GELU : Handle<detail::GELUImpl> {
  explicit GELU(const std::string &approximate = "none")
      : Handle(std::make_shared<detail::GELUImpl>(approximate)) {}
};
struct Softmax : Handle<detail::SoftmaxImpl> {
  explicit Softmax(int64_t dim = -1)
      : Handle(std::make_shared<detail::SoftmaxImpl>(dim, false)) {}
};
struct LogSoftmax : Handle<detail::SoftmaxImpl> {
  explicit LogSoftmax(int64_t dim = -1)
      : Handle(std::make_shared<detail::SoftmaxImpl>(dim, true)) {}
};
struct Dropout : Handle<detail::DropoutImpl> {
  explicit Dropout(double p = 0.5, Source source = here())
      : Handle(std::make_shared<detail::DropoutImpl>(p, source)) {}
};
struct Flatten : Handle<detail::FlattenImpl> {
  explicit Flatten(int64_t start_dim = 1, int64_t end_dim = -1)
      : Handle(std::make_shared<detail::FlattenImpl>(start_dim, end_dim)) {}
};
/// Modules one after the other; their names are "0", "1", ... Given one
/// Sequential alone it is a copy that shares its modules, not a nesting.
struct Sequential : Handle<detail::SequentialImpl> {
  Sequential() : Handle(std::make_shared<detail::SequentialImpl>()) {}
  template <class... Modules,
            class = std::enable_if_t<
                (sizeof...(Modules) > 1) ||
                (!std::is_same_v<std::decay_t<Modules>, Sequential> && ...)>>
  explicit Sequential(Modules &&...modules) : Sequential() {
    (push_back(modules), ...);
  }
  template <class M> Sequential &push_back(const M &module) {
    if constexpr (std::is_convertible_v<const M &, std::shared_ptr<Module>>)
      ptr()->push(module);
    else
      ptr()->push(module.ptr());
    return *this;
  }
};

} // namespace graphc::nn

#endif // GRAPHC_TRACE_NN_HPP
