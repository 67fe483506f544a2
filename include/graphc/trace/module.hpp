// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has parameters and a forward function. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_MODULE_HPP
#define GRAPHC_TRACE_MODULE_HPP

#include <cxxabi.h>
#include <iostream>
#include <optional>
#include <ostream>
#include <typeinfo>

#include "graphc/trace/parameter.hpp"

namespace graphc::nn {

/// Named parameters, named modules below and a function of a tensor.
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
    return call(graphc::detail::asTensor(x), x.source);
  }
  Tensor call(const Tensor &x, const Source &source) {
    // The ops of a module of the user's have places of their own, also where a
    // module of this library calls it.
    const Source *outer = graphc::detail::callSite();
    graphc::detail::CallSite site(!isLibrary() ? nullptr
                                  : outer      ? outer
                                               : &source);
    return forward(x);
  }

  /// Class name as it is printed.
  virtual std::string name() const {
    int status = 0;
    std::unique_ptr<char, void (*)(void *)> text(
        abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &status),
        std::free);
    std::string full = status == 0 ? text.get() : typeid(*this).name();
    // Without what it is nested in, which ends before any template argument.
    size_t start = 0, depth = 0;
    for (size_t k = 0; k < full.size(); ++k)
      if (full[k] == '<' || full[k] == '(')
        ++depth;
      else if (full[k] == '>' || full[k] == ')')
        --depth;
      else if (depth == 0 && full.compare(k, 2, "::") == 0)
        start = k + 2;
    return full.substr(start);
  }
  /// What print() shows between the parentheses; lines of their own if there are
  /// several or children.
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
  /// Every parameter with its dotted name, in order of registration. One that is
  /// shared is listed once, by its first name, as PyTorch does.
  std::vector<std::pair<std::string, Parameter>>
  named_parameters(const std::string &prefix = "") const {
    std::vector<std::pair<std::string, Parameter>> all;
    collect(prefix, /*parameters=*/true, /*buffers=*/false, all);
    return all;
  }
  /// Tensors that are state but no parameters, such as running statistics, by
  /// the same rules.
  std::vector<std::pair<std::string, Parameter>>
  named_buffers(const std::string &prefix = "") const {
    std::vector<std::pair<std::string, Parameter>> all;
    collect(prefix, /*parameters=*/false, /*buffers=*/true, all);
    return all;
  }
  /// Both, in the order of PyTorch's state dictionary: a module's parameters,
  /// its buffers, its children.
  std::vector<std::pair<std::string, Parameter>>
  named_state(const std::string &prefix = "") const {
    std::vector<std::pair<std::string, Parameter>> all;
    collect(prefix, /*parameters=*/true, /*buffers=*/true, all);
    return all;
  }
  /// Makes every parameter and buffer with elements of a float dtype, here and
  /// below, one of another; before Tracer::add().
  void to(graphc_dtype dtype, Source source = here()) {
    for (const auto &named : named_state())
      if (isFloat(named.second.dtype()))
        named.second.to(dtype, source);
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
    std::string extra = extra_repr();
    bool isOneLine = children_.empty() && extra.find('\n') == std::string::npos;
    os << name() << "(";
    if (isOneLine) {
      os << extra << ")";
      return;
    }
    os << "\n";
    for (size_t from = 0; from < extra.size();) {
      size_t end = std::min(extra.find('\n', from), extra.size());
      os << indent << "  " << extra.substr(from, end - from) << "\n";
      from = end + 1;
    }
    for (const auto &child : children_) {
      os << indent << "  (" << child.first << "): ";
      child.second->print(os, indent + "  ");
      os << "\n";
    }
    os << indent << ")";
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
  /// Of a Parameter that is not trainable, to be changed by its set().
  Parameter register_buffer(const std::string &name, Parameter buffer) {
    buffers_.emplace_back(name, buffer);
    return buffer;
  }
  /// Modules of this library let their ops carry the place of their call.
  virtual bool isLibrary() const { return false; }

private:
  void collect(const std::string &prefix, bool parameters, bool buffers,
               std::vector<std::pair<std::string, Parameter>> &all) const {
    auto take = [&](const auto &list) {
      for (const auto &own : list) {
        auto isSame = [&](const auto &known) {
          return known.second.data() == own.second.data();
        };
        if (own.second.defined() &&
            std::none_of(all.begin(), all.end(), isSame))
          all.emplace_back(prefix + own.first, own.second);
      }
    };
    if (parameters)
      take(parameters_);
    if (buffers)
      take(buffers_);
    for (const auto &child : children_)
      child.second->collect(prefix + child.first + ".", parameters, buffers,
                            all);
  }

  std::vector<std::pair<std::string, std::shared_ptr<Module>>> children_;
  std::vector<std::pair<std::string, Parameter>> parameters_, buffers_;
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

} // namespace graphc::nn

#endif // GRAPHC_TRACE_MODULE_HPP
