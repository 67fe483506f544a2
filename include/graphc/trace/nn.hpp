// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: named parameters and a forward function. Include graphc/trace.hpp.
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

#include <cmath>
#include <cxxabi.h>
#include <iostream>
#include <optional>
#include <ostream>
#include <typeinfo>

#include "graphc/trace/functional.hpp"

namespace graphc::nn {

/// A tensor that lives in the model: a parameter or another variable. Copies
/// share it. Inside a traced function it converts to its current value.
class Parameter {
public:
  Parameter() = default;
  /// `initializer` is text such as "#graph.uniform<-0.5, 0.5>".
  Parameter(Shape shape, std::string initializer, graphc_dtype dtype = f32,
            bool trainable = true, Source source = here())
      : data_(std::make_shared<Data>()) {
    *data_ = {std::move(shape),
              dtype,
              std::move(initializer),
              {},
              trainable,
              "",
              source};
  }
  /// With given elements, as tensor() reads them.
  explicit Parameter(const Literal &literal,
                     graphc_dtype dtype = GRAPHC_DTYPE_INVALID,
                     bool trainable = true, Source source = here())
      : data_(std::make_shared<Data>()) {
    detail::LiteralData data = detail::literalData(literal, source, dtype);
    *data_ = {data.shape, data.dtype, "", data.bytes, trainable, "", source};
  }

  bool defined() const { return data_ != nullptr; }
  const Shape &shape() const { return data_->shape; }
  graphc_dtype dtype() const { return data_->dtype; }
  bool trainable() const { return data_->trainable; }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t size : data_->shape)
      n *= size;
    return n;
  }
  /// Name in the model, such as "layers.0.weight"; "" before Tracer::add().
  const std::string &name() const { return data_->name; }

  operator Tensor() const { return data_ ? value(data_->source) : Tensor(); }
  Tensor value(Source source = here()) const {
    if (!data_)
      return {};
    if (data_->name.empty())
      raise(data_->source,
            "this parameter is used, but its module was not given "
            "to Tracer::add()");
    return detail::build(source, "graph.get", {},
                         "{variable = @\"" + data_->name + "\"}", data_->dtype,
                         data_->shape);
  }

  // For Tracer.
  struct Data {
    Shape shape;
    graphc_dtype dtype;
    std::string initializer;
    std::vector<char> bytes;
    bool trainable;
    std::string name;
    Source source;
  };
  Data &data() const { return *data_; }

private:
  std::shared_ptr<Data> data_;
};

class Module {
public:
  Module() = default;
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
  virtual ~Module() = default;

  virtual Tensor forward(const Tensor &) {
    raise(Source{name().c_str(), 0},
          "this module has no forward() of one tensor");
  }
  Tensor operator()(const Operand &x) {
    return call(detail::asTensor(x), x.source);
  }
  Tensor call(const Tensor &x, const Source &source) {
    if (!isLibrary())
      return forward(x);
    detail::CallSite site(source);
    return forward(x);
  }

  /// Class name as it is printed.
  virtual std::string name() const {
    int status = 0;
    std::unique_ptr<char, void (*)(void *)> text(
        abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &status),
        std::free);
    std::string full = status == 0 ? text.get() : typeid(*this).name();
    size_t scope = full.rfind("::");
    return scope == std::string::npos ? full : full.substr(scope + 2);
  }
  /// What print() shows between the parentheses.
  virtual std::string extra_repr() const { return ""; }

  /// Training or evaluation mode, for this module and all below, from the next
  /// trace on. Without a call the train step trains and other functions
  /// evaluate.
  void train(bool on = true) {
    training_ = on;
    for (auto &child : children_)
      child.second->train(on);
  }
  void eval() { train(false); }
  std::optional<bool> training() const { return training_; }

  const std::vector<std::pair<std::string, std::shared_ptr<Module>>> &
  named_children() const {
    return children_;
  }
  /// Every parameter with its dotted name, in order of registration.
  std::vector<std::pair<std::string, Parameter>>
  named_parameters(const std::string &prefix = "") const {
    std::vector<std::pair<std::string, Parameter>> all;
    for (const auto &own : parameters_)
      all.emplace_back(prefix + own.first, own.second);
    for (const auto &child : children_)
      for (auto &parameter :
           child.second->named_parameters(prefix + child.first + "."))
        all.push_back(parameter);
    return all;
  }
  /// Number of trainable elements.
  int64_t num_parameters() const {
    int64_t n = 0;
    for (const auto &named : named_parameters())
      n += named.second.trainable() ? named.second.numel() : 0;
    return n;
  }

  /// As PyTorch prints a module.
  void print(std::ostream &os, const std::string &indent = "") const {
    os << name() << "(" << extra_repr();
    if (!children_.empty()) {
      os << "\n";
      for (const auto &child : children_) {
        os << indent << "  (" << child.first << "): ";
        child.second->print(os, indent + "  ");
        os << "\n";
      }
      os << indent;
    }
    os << ")";
  }

protected:
  template <class M> M register_module(const std::string &name, M module) {
    children_.emplace_back(name, module.ptr());
    return module;
  }
  template <class M>
  std::shared_ptr<M> register_module(const std::string &name,
                                     std::shared_ptr<M> module) {
    children_.emplace_back(name, module);
    return module;
  }
  Parameter register_parameter(const std::string &name, Parameter parameter) {
    parameters_.emplace_back(name, parameter);
    return parameter;
  }
  /// Modules of this library let their ops carry the place of their call.
  virtual bool isLibrary() const { return false; }

private:
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> children_;
  std::vector<std::pair<std::string, Parameter>> parameters_;
  std::optional<bool> training_;
};

inline std::ostream &operator<<(std::ostream &os, const Module &module) {
  module.print(os);
  return os;
}
inline void print(const Module &module) { std::cout << module << "\n"; }

/// Shares a module of type Impl.
template <class Impl> class Handle {
public:
  Handle() = default;
  explicit Handle(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Tensor operator()(const Operand &x) const { return (*impl_)(x); }
  Impl *operator->() const { return impl_.get(); }
  Impl &operator*() const { return *impl_; }
  operator Module &() const { return *impl_; }
  std::shared_ptr<Impl> ptr() const { return impl_; }

private:
  std::shared_ptr<Impl> impl_;
};
template <class Impl>
inline std::ostream &operator<<(std::ostream &os, const Handle<Impl> &handle) {
  handle->print(os);
  return os;
}

namespace detail {
class LibraryModule : public Module {
  bool isLibrary() const override { return true; }
};
inline std::string flag(bool value) { return value ? "True" : "False"; }

struct LinearImpl final : LibraryModule {
  LinearImpl(int64_t in, int64_t out, bool bias, graphc_dtype dtype,
             Source source)
      : in(in), out(out), hasBias(bias) {
    if (in < 0 || out < 0)
      raise(source, "Linear expects sizes of 0 or more, but got " +
                        std::to_string(in) + " and " + std::to_string(out));
    // kaiming_uniform with a = sqrt(5), which is uniform by 1/sqrt(fan_in).
    double bound = in > 0 ? 1 / std::sqrt(static_cast<double>(in)) : 0;
    std::string init = "#graph.uniform<" + graphc::detail::number(-bound) +
                       ", " + graphc::detail::number(bound) + ">";
    weight = register_parameter(
        "weight", Parameter({out, in}, init, dtype, true, source));
    if (bias)
      this->bias = register_parameter(
          "bias", Parameter({out}, init, dtype, true, source));
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
    std::string text = std::to_string(p);
    text.erase(std::min(text.find_last_not_of('0') + 1, text.size()));
    return "p=" + (text.back() == '.' ? text + "0" : text) + ", inplace=False";
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
      value = child.second->call(value, *graphc::detail::callSite());
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
/// Modules one after the other; their names are "0", "1", ...
struct Sequential : Handle<detail::SequentialImpl> {
  Sequential() : Handle(std::make_shared<detail::SequentialImpl>()) {}
  template <class... Modules,
            class = std::enable_if_t<
                (sizeof...(Modules) > 0) &&
                (!std::is_same_v<std::decay_t<Modules>, Sequential> || ...)>>
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
