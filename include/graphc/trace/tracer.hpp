// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recording functions, train steps and gradients. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_TRACER_HPP
#define GRAPHC_TRACE_TRACER_HPP

#include <tuple>

#include "graphc/trace/nn.hpp"
#include "graphc/trace/optim.hpp"

namespace graphc {

/// In an input's shape: each size given to Tracer::batch_sizes() in turn.
inline constexpr int64_t batch = -1;

/// Name, dtype and shape of a function's argument.
struct Input {
  std::string name;
  graphc_dtype dtype;
  Shape shape;
};
inline Input input(std::string name, graphc_dtype dtype, Shape shape) {
  return {std::move(name), dtype, std::move(shape)};
}

/// A loss and its gradients; see value_and_grad().
struct ValueAndGrad {
  std::vector<Tensor> values; // The function's results; [0] is the loss.
  std::vector<Tensor> grads;  // By inputs, then by variables, as asked for.
};

namespace detail {
inline std::vector<Tensor> results(const Tensor &one) { return {one}; }
inline std::vector<Tensor> results(const std::vector<Tensor> &all) {
  return all;
}
template <class A, class B>
std::vector<Tensor> results(const std::pair<A, B> &pair) {
  return {pair.first, pair.second};
}
template <class... Ts>
std::vector<Tensor> results(const std::tuple<Ts...> &all) {
  return std::apply(
      [](const auto &...each) { return std::vector<Tensor>{each...}; }, all);
}

struct Current {
  explicit Current(std::shared_ptr<Recording> recording)
      : outer(std::move(current())) {
    current() = std::move(recording);
  }
  ~Current() { current() = std::move(outer); }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;
  std::shared_ptr<Recording> outer;
};

/// Traces `body` (of as many tensors as `inputs`) into a function.
template <size_t... I, class Body>
void traceFunction(const std::shared_ptr<Recording> &recording,
                   const std::string &name, const std::string &specializes,
                   bool isPrivate, const Source &source,
                   const std::vector<Input> &inputs, Body &&body,
                   std::index_sequence<I...>) {
  std::vector<graphc_tensor_type> types;
  std::vector<const char *> names;
  for (const Input &input : inputs) {
    types.push_back(toC(input.dtype, input.shape));
    names.push_back(input.name.c_str());
  }
  std::vector<graphc_value> values(inputs.size());
  graphc_module *module = recording->module.get();
  graphc_source where = {source.file, source.line, 0};
  check(graphc_function_begin(
      module, name.c_str(), types.data(), names.data(), inputs.size(),
      specializes.empty() ? nullptr : specializes.c_str(), isPrivate, &where,
      values.data()));
  Current current(recording);
  try {
    std::vector<Tensor> out = results(body(Tensor(recording, values[I])...));
    std::vector<graphc_value> outValues;
    for (const Tensor &tensor : out) {
      if (!tensor.defined())
        raise(source, "function '" + name + "' returns an undefined tensor");
      outValues.push_back(tensor.value());
    }
    check(graphc_function_end(module, outValues.data(), nullptr,
                              outValues.size()));
  } catch (...) {
    graphc_function_abandon(module);
    throw;
  }
}
} // namespace detail

/// One model being described.
class Tracer {
public:
  explicit Tracer(const std::string &name)
      : recording_(std::make_shared<detail::Recording>()) {
    graphc_module *module = nullptr;
    check(graphc_module_create(name.c_str(), &module));
    recording_->module.reset(module);
  }

  /// Makes the module's parameters and buffers variables of the model, named as
  /// PyTorch's state dictionary names them, after `prefix`. Two modules whose
  /// names meet need different prefixes.
  void add(nn::Module &module, const std::string &prefix = "") {
    for (auto &[name, parameter] : module.named_state(prefix))
      add(parameter, name);
  }
  /// One parameter as the variable `name`. One that the model has already keeps
  /// its first name: it is shared. Throws if another has the name.
  nn::Parameter add(const nn::Parameter &parameter, const std::string &name) {
    if (!parameter.defined() || recording_->variables.count(parameter.data()))
      return parameter;
    nn::Parameter::Data &data = *parameter.data();
    graphc_tensor_type type = detail::toC(data.dtype, data.shape);
    graphc_source where = {data.source.file, data.source.line, 0};
    graphc_module *module = recording_->module.get();
    check(data.initializer.empty()
              ? graphc_module_add_variable_data(
                    module, name.c_str(), &type, data.bytes.data(),
                    data.bytes.size(), data.trainable, &where)
              : graphc_module_add_variable(module, name.c_str(), &type,
                                           data.initializer.c_str(),
                                           data.trainable, &where));
    recording_->variables.emplace(parameter.data(), name);
    data.name = name;
    return parameter;
  }
  /// A trainable variable with given elements.
  nn::Parameter variable(const Name &name, const Literal &literal,
                         graphc_dtype dtype = GRAPHC_DTYPE_INVALID,
                         bool trainable = true) {
    return add(nn::Parameter(literal, dtype, trainable, name.source),
               name.text);
  }

  /// From now on each function whose inputs use `batch` is traced once for each
  /// size. The first keeps the function's name; the others are sizes of it,
  /// named "name.b29", which the runtime finds by the shapes it is given.
  void batch_sizes(std::vector<int64_t> sizes) { sizes_ = std::move(sizes); }

  /// Records `body`, a function of as many tensors as there are inputs that
  /// returns a tensor, a vector, a pair or a tuple of them.
  template <class Body, class... Inputs>
  void function(const Name &name, Body &&body, const Inputs &...inputs) {
    std::vector<Input> all = {inputs...};
    bool usesBatch = false;
    for (const Input &input : all)
      for (int64_t size : input.shape)
        usesBatch |= size == batch;
    if (usesBatch && sizes_.empty())
      raise(name.source,
            "an input uses `batch`, but batch_sizes() was not called");
    std::vector<int64_t> sizes = usesBatch ? sizes_ : std::vector<int64_t>{0};
    for (size_t k = 0; k < sizes.size(); ++k) {
      std::vector<Input> sized = all;
      for (Input &input : sized)
        for (int64_t &size : input.shape)
          size = size == batch ? sizes[k] : size;
      detail::traceFunction(recording_, sizeName(name.text, k, sizes),
                            k ? name.text : "", false, name.source, sized, body,
                            std::index_sequence_for<Inputs...>());
    }
    sizesOf_[name.text] = sizes;
  }

  /// A training step: `loss`'s arguments in, its results out, every trainable
  /// variable updated. In as many sizes as `loss` has. The learning rate is the
  /// variable `<name>.lr`.
  void train(const Name &name, const std::string &loss,
             const optim::Optimizer &optimizer,
             const TrainOptions &options = {}) {
    graphc_source where = {name.source.file, name.source.line, 0};
    auto known = sizesOf_.find(loss);
    // Of a function that is not there the compiler speaks.
    std::vector<int64_t> sizes =
        known == sizesOf_.end() ? std::vector<int64_t>{0} : known->second;
    std::string groups = detail::groupsText(options.groups);
    for (size_t k = 0; k < sizes.size(); ++k) {
      graphc_train_options raw = {};
      raw.struct_bytes = sizeof(raw);
      raw.specializes = k ? name.text.c_str() : nullptr;
      raw.groups = groups.empty() ? nullptr : groups.c_str();
      raw.clip_norm = options.clip_norm;
      raw.clip_value = options.clip_value;
      raw.accumulate = options.accumulate;
      raw.weighted = options.weighted;
      check(graphc_module_add_train(recording_->module.get(),
                                    sizeName(name.text, k, sizes).c_str(),
                                    sizeName(loss, k, sizes).c_str(),
                                    optimizer.text().c_str(), &raw, &where));
    }
  }

  /// A function that returns `function`'s results and the gradients of the
  /// first by arguments `inputs`, then by variables.
  void grad(const Name &name, const std::string &function,
            const std::vector<std::string> &variables,
            const std::vector<int64_t> &inputs = {}) {
    std::vector<const char *> names;
    for (const std::string &variable : variables)
      names.push_back(variable.c_str());
    graphc_source where = {name.source.file, name.source.line, 0};
    check(graphc_module_add_grad(recording_->module.get(), name.text.c_str(),
                                 function.c_str(), names.data(), names.size(),
                                 inputs.data(), inputs.size(), &where));
  }

  /// The model as MLIR text, with the places of the program in it.
  std::string text() const {
    const char *text = nullptr;
    check(graphc_module_text(recording_->module.get(), &text));
    return text;
  }
  /// Writes text() to a file, which `graphc` compiles. Throws if it cannot.
  void save(const std::string &path) const {
    check(graphc_module_save(recording_->module.get(), path.c_str()));
  }
  /// Compiles to the library `path`, in this process. Returns the compiler's
  /// warnings, "" if there are none. Throws as graphc_module_compile() fails.
  std::string compile(const std::string &path,
                      graphc_compile_options options = {}) const {
    options.struct_bytes = sizeof(options);
    check(graphc_module_compile(recording_->module.get(), &options,
                                path.c_str()));
    return graphc_module_warnings(recording_->module.get());
  }

private:
  static std::string sizeName(const std::string &name, size_t size,
                              const std::vector<int64_t> &sizes) {
    return size == 0 ? name : name + ".b" + std::to_string(sizes[size]);
  }

  std::shared_ptr<detail::Recording> recording_;
  std::vector<int64_t> sizes_;
  /// Those that each function was traced with; {0} if none.
  std::map<std::string, std::vector<int64_t>> sizesOf_;
};

/// Inside a traced function: the results of `function` (traced before) and the
/// gradients of its first result by its arguments `inputs`, then by
/// `variables`.
inline ValueAndGrad
value_and_grad(const Name &function, const std::vector<Tensor> &arguments,
               const std::vector<int64_t> &inputs,
               const std::vector<std::string> &variables = {},
               size_t result_count = 1) {
  const auto &recording = detail::requireCurrent(function.source);
  std::vector<graphc_value> operands;
  for (const Tensor &tensor : arguments)
    operands.push_back(tensor.value());
  std::vector<const char *> names;
  for (const std::string &variable : variables)
    names.push_back(variable.c_str());
  std::vector<graphc_value> out(result_count + inputs.size() +
                                variables.size());
  graphc_source where = detail::toC(function.source);
  check(graphc_build_value_and_grad(
      recording->module.get(), function.text.c_str(), operands.data(),
      operands.size(), inputs.data(), inputs.size(), names.data(), names.size(),
      &where, out.data(), out.size()));
  ValueAndGrad result;
  for (size_t k = 0; k < out.size(); ++k)
    (k < result_count ? result.values : result.grads)
        .emplace_back(recording, out[k]);
  return result;
}

/// As above for a C++ function of tensors that returns the loss, by all of its
/// float arguments: traces it into a private function first.
///
///   auto square = [](Tensor w) { return sum(w * w); };
///   auto [values, grads] = value_and_grad(square)(w);
template <class Body> auto value_and_grad(Body body, Source source = here()) {
  return [body, source](const auto &...arguments) {
    const auto recording = detail::requireCurrent(source);
    std::vector<Tensor> tensors = {Tensor(arguments)...};
    std::vector<Input> inputs;
    std::vector<int64_t> floats;
    for (const Tensor &tensor : tensors) {
      if (isFloat(tensor.dtype()))
        floats.push_back(static_cast<int64_t>(inputs.size()));
      inputs.push_back({"", tensor.dtype(), tensor.shape()});
    }
    std::string name = "grad_of." + std::to_string(recording->nextPrivate++);
    detail::traceFunction(recording, name, "", true, source, inputs, body,
                          std::make_index_sequence<sizeof...(arguments)>());
    return value_and_grad(Name(name, source.file, source.line), tensors,
                          floats);
  };
}

} // namespace graphc

#endif // GRAPHC_TRACE_TRACER_HPP
